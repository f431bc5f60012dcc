// The quick choices beside the page: a theme is seen at once; another language draws the page anew and keeps what is typed.

const PLACE = `typed ${location.pathname}`;
const FIELDS = "main :is(textarea, select, input:not([type=hidden], [type=file], [type=password]))";

// The composer and open editors keep their words themselves.
const fields = () => [...document.querySelectorAll(FIELDS)].filter((field) => field.name && !field.closest("#composer, [data-edits]"));
const isChosen = (field) => ["checkbox", "radio"].includes(field.type);
const read = (field) => (isChosen(field) ? field.checked : field.value);

document.querySelector(".quick")?.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button?.name === "language") sessionStorage.setItem(PLACE, JSON.stringify(fields().map((field) => [field.name, read(field)])));
  if (button?.name !== "theme") return;
  document.documentElement.dataset.theme = button.value;
  const same = document.querySelector(`#preferences [name=theme][value=${button.value}]`);
  if (same) same.checked = true;
});

const typed = JSON.parse(sessionStorage.getItem(PLACE) ?? "[]");
sessionStorage.removeItem(PLACE);
const now = fields();
// Only where the page has come back as it was: every field in its place.
if (typed.length === now.length && typed.every(([name], index) => name === now[index].name)) {
  now.forEach((field, index) => (field[isChosen(field) ? "checked" : "value"] = typed[index][1]));
}
