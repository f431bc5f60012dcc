// Escape gives up what is being written in a small form, as its own link does.

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.target.closest("form")?.querySelector("[data-gives-up]")?.click();
});
