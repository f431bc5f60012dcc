// What is written in an open editor stays in this window until it is kept or given up: a reload opens the editor again.

const PREFIX = `edit ${document.getElementById("composer").dataset.story} `;
const keyOf = (editor) => PREFIX + editor.closest("[data-entry]").dataset.entry;
const kept = (editor) => sessionStorage.getItem(keyOf(editor));
const forget = (editor) => sessionStorage.removeItem(keyOf(editor));

const isTouched = ({ elements: { text } }) => text.value !== text.defaultValue;

function keep(editor) {
  if (isTouched(editor)) sessionStorage.setItem(keyOf(editor), editor.elements.text.value);
  else forget(editor);
}

// What has been typed before this script was there is newer than what was kept.
function restore(editor) {
  if (isTouched(editor)) keep(editor);
  else if (kept(editor) !== null) editor.elements.text.value = kept(editor);
}

const restoreAll = () => document.querySelectorAll("[data-edits]").forEach(restore);

document.addEventListener("input", ({ target }) => {
  const editor = target.closest("[data-edits]");
  if (editor) keep(editor);
});

document.addEventListener("click", ({ target }) => {
  const editor = target.closest("[data-edits] [data-act=cancel]")?.closest("[data-edits]");
  if (editor) forget(editor);
});

// Only what the server has taken is kept there.
document.addEventListener("htmx:after:request", ({ target, detail: { ctx } }) => {
  if (target.matches?.("[data-edits]") && ctx.response?.status < 400) forget(target);
});

document.addEventListener("htmx:after:swap", restoreAll);

addEventListener("load", () => {
  restoreAll();
  for (const speech of document.querySelectorAll("#story [data-entry]:not(.editing)")) {
    if (sessionStorage.getItem(PREFIX + speech.dataset.entry) !== null) speech.querySelector("[data-act=edit]").click();
  }
});
