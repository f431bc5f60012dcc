// The editor: a chosen picture is shown at once, and leaving with unsaved words asks first.

document.addEventListener("change", (event) => {
  const place = document.getElementById(event.target.dataset?.shows);
  const file = event.target.files?.[0];
  if (!place || !file) return;
  const picture = Object.assign(new Image(), { className: "poster-picture", alt: "", src: URL.createObjectURL(file) });
  place.replaceChildren(picture);
});

const form = document.querySelector("form[data-guards]");
let changed = false;
form?.addEventListener("input", () => (changed = true));
form?.addEventListener("submit", () => (changed = false));
addEventListener("beforeunload", (event) => changed && event.preventDefault());

// Ctrl+S and Ctrl+Enter keep, as in any editor.
form?.addEventListener("keydown", (event) => {
  const keep = (event.ctrlKey || event.metaKey) && (event.key === "s" || event.key === "Enter");
  if (!keep) return;
  event.preventDefault();
  form.requestSubmit(form.querySelector(".button.primary"));
});
