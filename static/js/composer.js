// The composer: it sends by a key, keeps what is typed until it has been said, and takes words that others write for it.

import { isPerforming } from "./acts.js";
import { goToEnd } from "./follow.js";

const form = document.getElementById("composer");
const words = document.getElementById("words");
const key = `draft ${form.dataset.story}`;
let isTouched = false;

/** Whether the reader has words here that would be lost on another ground: in the composer, or in an open editor. */
export const isWriting = () => (isTouched && words.value.trim() !== "") || document.querySelector("[data-edits]") !== null;

export function write(text) {
  words.value = text;
  words.dispatchEvent(new Event("input", { bubbles: true }));
}

// --- keys ---

// Enter, or Shift and Enter, as the reader has set it; never the Enter that ends a word of an input method.
function sends(event) {
  if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return false;
  if (event.ctrlKey || event.metaKey) return true;
  return event.shiftKey === (form.dataset.send === "shift-enter");
}

words.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || !sends(event)) return;
  event.preventDefault();
  if (words.value.trim() && !isPerforming()) form.requestSubmit();
});

// --- the draft: in the browser at once, on the server soon after ---

// Another window of the same story keeps its words in the same place: only what this one has put there is taken away.
let kept = null;
const isUnsaved = () => kept !== null && localStorage.getItem(key) === kept;
const forget = () => isUnsaved() && localStorage.removeItem(key);

function keep(text) {
  kept = text;
  localStorage.setItem(key, text);
}

words.addEventListener("input", () => {
  isTouched = true;
  keep(words.value);
  words.dispatchEvent(new Event("draft"));
});

words.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.response.status === 204 && ctx.request.body?.get("text") === words.value) forget();
});

const unsaved = localStorage.getItem(key);
if (unsaved !== null && unsaved !== words.value) {
  [words.value, kept, isTouched] = [unsaved, unsaved, true];
}

// What is on its way to the server, and what others have written here so far.
let sent = "";
let written = "";

form.addEventListener("htmx:before:request", ({ target, detail: { ctx } }) => {
  if (target === form) sent = ctx.request.body?.get("text") ?? "";
});

// The server may take its time: what has been typed since then is not part of what was said.
function keepTheRest() {
  words.value = sent && words.value.startsWith(sent) ? words.value.slice(sent.length).trimStart() : words.value;
  isTouched = words.value !== "";
  [sent, written] = ["", ""];
  if (isTouched) keep(words.value);
  else forget();
}

document.addEventListener("said", () => {
  const isOnItsWay = isUnsaved();
  keepTheRest();
  // A draft that may still reach the server after the words themselves is followed by what is true now.
  if (isOnItsWay || isTouched) words.dispatchEvent(new Event("draft"));
  grow();
  goToEnd();
  // The button that sent is gone. On a phone the keyboard leaves with it, so that the answer can be read.
  if (document.activeElement === document.body && matchMedia("(hover: hover)").matches) words.focus();
});

// Words written for the reader: from the news while they are written, or with an answer. Whatever the reader has typed
// before or behind them stays; once the reader changes them, they are the reader's.
document.addEventListener("words", ({ detail }) => {
  if (detail.data === undefined) keepTheRest();
  const text = detail.data ?? detail.text;
  if (!written && text.startsWith(words.value)) written = words.value;
  const at = words.value.lastIndexOf(written);
  if (at < 0) return;
  write(words.value.slice(0, at) + text + words.value.slice(at + written.length));
  written = text;
});

// --- height, where the browser does not do it itself ---

const grows = CSS.supports("field-sizing", "content");
function grow() {
  if (grows) return;
  words.style.blockSize = "auto";
  words.style.blockSize = `${words.scrollHeight}px`;
}
words.addEventListener("input", grow);
grow();
