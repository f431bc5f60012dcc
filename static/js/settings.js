// A choice is seen at once, before the server has kept it.

const form = document.getElementById("preferences");
const shown = { theme: "theme", text_size: "text", width: "width" };

form?.addEventListener("input", (event) => {
  const name = shown[event.target.name];
  if (name) document.documentElement.dataset[name] = event.target.value;
});
