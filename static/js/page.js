// What every page does: toasts leave by themselves, dialogs open by a button, and a lost server is told.

const LINGER = 8000;

export function toast(node) {
  document.getElementById("toasts").append(node);
}

// A toast without a choice goes by itself, but not while somebody points at it.
function see(node) {
  if (!node.matches(".toast")) return;
  let timer;
  const leave = () => node.remove();
  const wait = () => (timer = setTimeout(leave, Number(node.dataset.linger) || LINGER));
  node.addEventListener("pointerenter", () => clearTimeout(timer));
  node.addEventListener("pointerleave", wait);
  node.addEventListener("click", (event) => event.target.closest("[data-dismiss]") && leave());
  if (node.dataset.linger !== "stay") wait();
}

const toasts = document.getElementById("toasts");
new MutationObserver((changes) => {
  for (const change of changes) for (const node of change.addedNodes) if (node.nodeType === 1) see(node);
}).observe(toasts, { childList: true });
[...toasts.children].forEach(see);

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) document.getElementById(opener.dataset.opens)?.showModal();
  const closer = event.target.closest("dialog [data-closes]");
  if (closer) closer.closest("dialog").close();
  if (event.target.matches("dialog")) event.target.close();
});

// The server did not answer at all: say so where the page keeps the words for it.
document.addEventListener("htmx:error", (event) => {
  const words = document.getElementById("words-away");
  if (event.detail.ctx?.response || !words) return;
  toast(words.content.firstElementChild.cloneNode(true));
});
