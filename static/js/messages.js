// Choosing a message, its menu, and copying. The focused message is the chosen one.

import { tell } from "./tell.js";

const story = document.getElementById("story");
const menu = document.getElementById("more");
const speeches = () => [...story.querySelectorAll(".speech")];

export const chosen = () => story.querySelector(".speech:focus-within");
export const lastSpeech = () => speeches().at(-1);
export const control = (speech, ...names) =>
  names.map((name) => speech?.querySelector(`[data-act=${name}]:not(:disabled)`)).find(Boolean);

export function choose(speech) {
  speech.focus({ preventScroll: true });
  speech.scrollIntoView({ block: "nearest" });
}

/** Goes to the message `step` further; past the last one to the composer. */
export function walk(step) {
  const all = speeches();
  const from = chosen();
  const to = from ? all[all.indexOf(from) + step] : all.at(-1);
  if (to) choose(to);
  else if (step > 0) document.getElementById("words").focus();
}

// Each act fills a message's place anew. Whoever was in it stays in it, at the same control where that is still there.
let stood = null;
document.addEventListener("htmx:before:swap", () => {
  const speech = document.activeElement?.closest("#story .speech");
  stood = speech && { place: speech.id, act: document.activeElement.dataset.act };
});
document.addEventListener("htmx:after:swap", () => {
  if (!stood || document.activeElement !== document.body) return;
  const speech = document.getElementById(stood.place);
  (control(speech, stood.act) ?? speech)?.focus({ preventScroll: true });
});

// A glance at another telling ends where the one that is being told begins.
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-ends-glance]")) document.getElementById("glance").replaceChildren();
});

// --- the menu of a message, beside its button ---

let opener = null;
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.target !== menu) return;
  opener = ctx.sourceElement;
  menu.showPopover();
  const at = opener.getBoundingClientRect();
  const above = at.bottom + menu.offsetHeight > innerHeight - 8;
  menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${above ? Math.max(8, at.top - menu.offsetHeight) : at.bottom}px`;
  menu.querySelector(".menu-item")?.focus();
});

menu.addEventListener("click", (event) => {
  if (!event.target.closest(".menu-item")) return;
  if (event.target.closest("[data-copies]")) copy(opener.closest(".speech"));
  setTimeout(() => menu.hidePopover());
});
menu.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const items = [...menu.querySelectorAll(".menu-item")];
  items.at((items.indexOf(document.activeElement) + step) % items.length).focus();
});
menu.addEventListener("toggle", (event) => {
  if (event.newState === "closed" && opener?.isConnected) opener.closest(".speech").focus({ preventScroll: true });
});

// --- copying ---

export const copy = (speech) => copyText(speech.querySelector(".prose").innerText);

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  tell("words-copied");
}

// Pages that come over plain HTTP from another machine have no clipboard to write to.
function copyBySelection(text) {
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
