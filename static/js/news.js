// What comes over the page's line to the server. A reader who is writing is told that the story has moved, not moved along.

import { isWriting } from "./composer.js";
import { isPerforming, look } from "./acts.js";

const PATIENCE = 400;
const note = document.getElementById("composer-note");
const helm = () => document.getElementById("helm");

const believed = () => `${helm().dataset.leaf} ${helm().dataset.performance}`;
const isActing = () => document.querySelector("form.htmx-request") !== null;

// Our own acts come back as news, too: by the time their answer has been drawn, the page knows them. What the page has
// learnt meanwhile is newer than this news, and its line to the server has begun anew from there.
async function hear(told) {
  const before = believed();
  do await new Promise((resume) => setTimeout(resume, PATIENCE));
  while (isActing());
  if (believed() === told || believed() !== before) return;
  // A page that still shows a reply on its way has to learn what became of it.
  if (isWriting() && !isPerforming()) note.replaceChildren(document.getElementById("words-elsewhere").content.cloneNode(true));
  else look();
}

document.addEventListener("moved", (event) => hear(event.detail.data));
document.addEventListener("redraw", () => look());

note.addEventListener("click", (event) => {
  if (!event.target.closest("[data-act=look]")) return;
  event.preventDefault();
  note.replaceChildren();
  look();
});

// A new attempt takes away what was said about the last one. Where what asked has gone meanwhile, the document is told.
document.addEventListener("htmx:before:request", ({ target, detail: { ctx } }) => {
  if (target.matches?.("form") && ctx.request.method !== "GET") note.replaceChildren();
});

// The last block of a reply never settles, so nobody reads it out: that is done as the reply takes its place.
document.addEventListener("htmx:before:swap", ({ detail: { tasks } }) => {
  if (!tasks?.some(({ target }) => target?.matches?.(".performing"))) return;
  document.getElementById("spoken").textContent = document.getElementById("tail").innerText;
});

// The line could not be opened at all, so nothing reopens it: try again in a while.
document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
  if (ctx?.sourceElement?.id === "news") setTimeout(() => htmx.process(ctx.sourceElement, true), 3000);
});
