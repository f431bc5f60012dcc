// What every page does: toasts leave by themselves, dialogs open by a button, and a lost server is told.

import "./quick.js";
import { tell } from "./tell.js";

const LINGER = 8000;
const toasts = document.getElementById("toasts");

// A toast goes by itself, but not while somebody points at it, and not when it asks to be read.
function see(toast) {
  if (!toast.matches(".toast")) return;
  const { kind, linger } = toast.dataset;
  // The same word again takes the place of the first.
  [...toasts.children].filter((other) => kind && other !== toast && other.dataset.kind === kind).forEach((other) => other.remove());
  if (linger === "stay") return;
  const wait = () => setTimeout(() => toast.remove(), Number(linger) || LINGER);
  let leaving = wait();
  toast.addEventListener("pointerenter", () => clearTimeout(leaving));
  toast.addEventListener("pointerleave", () => (leaving = wait()));
}

new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes) if (node.nodeType === 1) see(node);
}).observe(toasts, { childList: true });
[...toasts.children].forEach(see);

document.addEventListener("click", ({ target }) => {
  // A moment later, so that a link or a form on the way does its work first.
  if (target.closest("[data-dismiss]")) setTimeout(() => target.closest(".toast")?.remove());
  const opener = target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  if (target.closest("[data-closes]") || target.matches("dialog")) target.closest("dialog")?.close();
});

document.addEventListener("change", ({ target }) => {
  if (target.matches("[data-submits]")) target.form.requestSubmit();
});

// The server did not answer at all. What was to be kept by the way is kept in the browser, and needs no word.
document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
  if (ctx && !ctx.response && ctx.request.method !== "GET" && !ctx.request.action.endsWith("/draft")) tell("words-away");
});
