// Moves by key: Alt with an arrow as in a browser's history, here over the journal of the story; s saves, l loads.

import { act } from "./acts.js";

const WITH_ALT = { ArrowLeft: "undo", ArrowRight: "redo" };
const ALONE = { s: "saves/quick", l: "saves/load" };

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (document.querySelector("dialog[open], :popover-open")) return;
  const isTyping = event.target.matches("input, textarea, select, [contenteditable]");
  // In words that are being written Alt and an arrow go by words, on some systems.
  const path = event.altKey ? WITH_ALT[event.key] : ALONE[event.key];
  if (!path || (isTyping && !(event.altKey && event.target.value === ""))) return;
  event.preventDefault();
  act(path);
});
