// Every act has a key (`play/_lists.html` tells them to people). While one types, only Escape and an empty composer's arrows act.

import { act, isPerforming } from "./acts.js";
import { fold } from "./folds.js";
import { choose, chosen, control, copy, lastSpeech, walk } from "./messages.js";

const words = document.getElementById("words");
const help = document.getElementById("keys");
const here = () => chosen() ?? lastSpeech();
// The message is chosen first, so that it stays chosen when its button has gone with the act.
const press = (...names) => () => {
  const button = control(here(), ...names);
  if (document.activeElement !== words) choose(here());
  button?.click();
};
const onEntry = (speech, path) => speech?.dataset.entry && act(`entries/${speech.dataset.entry}/${path}`);

const KEYS = {
  ArrowUp: () => walk(-1),
  ArrowDown: () => walk(1),
  k: () => walk(-1),
  j: () => walk(1),
  ArrowLeft: press("previous"),
  ArrowRight: press("next", "another"),
  e: press("edit"),
  b: press("branch"),
  m: press("more"),
  c: () => here() && copy(here()),
  x: () => onEntry(chosen(), "prune"),
  r: () => onEntry(lastSpeech(), "another"),
  g: () => act("continue"),
  z: () => act("undo"),
  i: () => words.focus(),
  "[": () => fold("side"),
  "]": () => fold("panel"),
  "?": () => help.showModal(),
};
const IN_EMPTY_COMPOSER = ["ArrowUp", "ArrowLeft", "ArrowRight"];

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return escape(event);
  if (document.querySelector("dialog[open], :popover-open") || !isForUs(event)) return;
  const does = KEYS[event.key];
  if (!does) return;
  event.preventDefault();
  does();
});

function isForUs({ target, key, shiftKey }) {
  if (target === words) return words.value === "" && !shiftKey && IN_EMPTY_COMPOSER.includes(key);
  if (target.matches("a, button, summary") && ["Enter", " "].includes(key)) return false;
  return !target.matches("input, textarea, select, [contenteditable]");
}

// What is open closes first; then the reply stops; then the reader is back at the composer.
function escape(event) {
  if (document.querySelector("dialog[open], :popover-open")) return;
  const editor = event.target.closest("[data-edits]");
  if (editor) editor.querySelector("[data-act=cancel]").click();
  else if (document.documentElement.dataset.panel === "open") fold("panel");
  else if (isPerforming()) document.querySelector("[data-act=stop]").click();
  else words.focus();
}

document.addEventListener("help", () => help.showModal());
