// Completes commands: a stroke at the start of the composer opens the list, arrows choose, Tab or Enter takes.

import { write } from "./composer.js";

const words = document.getElementById("words");
const list = document.getElementById("commands");
const options = [...list.children];
let at = 0;

const fitting = () => options.filter((option) => !option.hidden);

function close() {
  list.hidden = true;
  words.removeAttribute("aria-activedescendant");
}

function mark() {
  const shown = fitting();
  at = (at + shown.length) % shown.length;
  for (const option of options) option.setAttribute("aria-selected", String(option === shown[at]));
  words.setAttribute("aria-activedescendant", shown[at].id);
  shown[at].scrollIntoView({ block: "nearest" });
}

function suggest() {
  const typed = words.value;
  const isCommand = /^\/\w*$/.test(typed);
  for (const option of options) option.hidden = !isCommand || !option.dataset.words.startsWith(typed);
  const shown = fitting();
  // A command typed to its end needs no help.
  if (!shown.length || (shown.length === 1 && shown[0].dataset.words === typed)) return close();
  list.hidden = false;
  at = 0;
  mark();
}

function take(option) {
  write(option.dataset.takes === undefined ? option.dataset.words : `${option.dataset.words} `);
  close();
  words.focus();
}

words.addEventListener("input", suggest);
words.addEventListener("blur", () => setTimeout(close, 150));
words.addEventListener("keydown", (event) => {
  if (list.hidden || event.isComposing) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    at += step;
    mark();
  } else if (event.key === "Tab" || event.key === "Enter") take(fitting()[at]);
  else if (event.key === "Escape") close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}, { capture: true });
list.addEventListener("pointerdown", (event) => {
  event.preventDefault();
  const option = event.target.closest("[role=option]");
  if (option) take(option);
});
