// The panels beside the story: arrows walk along the tabs, and whatever is open follows the story wherever it goes.

import { copyText } from "./messages.js";

const root = document.documentElement;
const panel = document.getElementById("panel");
const place = document.getElementById("tabbed");
const tabs = () => [...panel.querySelectorAll("[role=tab]")];
const body = () => document.getElementById("panel-body");
const leaf = () => document.getElementById("helm").dataset.leaf;

// --- the tabs: one stop for the Tab key, arrows within; without a script every tab is a link of its own ---

function rove() {
  for (const tab of tabs()) tab.tabIndex = tab.getAttribute("aria-selected") === "true" ? 0 : -1;
}

const STEPS = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
panel.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (step === undefined || !event.target.matches("[role=tab]")) return;
  event.preventDefault();
  const all = tabs();
  const at = all.indexOf(event.target) + step;
  const next = Number.isFinite(step) ? all.at(at % all.length) : all.at(step < 0 ? 0 : -1);
  next.focus();
  next.click();
});

// --- following the story: by the reader's own acts, and when the ledger has grown below it ---

function redraw() {
  htmx.ajax("GET", body().dataset.address, { source: "#panel-body", target: "#tabbed", swap: "innerMorph" });
}

// Who is writing in the panel is left in peace until the form is closed; a folded panel waits until it is seen.
const isBusy = () => place.querySelector("details[open] :is(input, textarea, select):focus") !== null;
let asked = null;
function followUp() {
  rove();
  if (body().dataset.leaf === leaf()) asked = null;
  else if (asked !== leaf() && panel.checkVisibility() && !isBusy()) {
    asked = leaf();
    redraw();
  }
}

document.addEventListener("htmx:after:swap", followUp);
place.addEventListener("focusout", () => setTimeout(followUp));
new MutationObserver(followUp).observe(root, { attributeFilter: ["data-panel"] });

// What is open stays open, and whoever has sent a form is back at the line it came from.
let opened = [];
let sentFrom = null;
document.addEventListener("htmx:before:swap", () => {
  opened = [...place.querySelectorAll("details[open]")].filter(({ id }) => id && id !== sentFrom).map(({ id }) => id);
});
document.addEventListener("htmx:after:swap", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
});
place.addEventListener("submit", ({ target }) => (sentFrom = target.closest("details")?.id));
document.addEventListener("htmx:after:swap", () => {
  if (!sentFrom || place.querySelector(".note.trouble")) return;
  const line = document.getElementById(sentFrom);
  if (line && !line.open) {
    line.querySelector("summary").focus({ preventScroll: true });
    sentFrom = null;
  }
});

// --- the prompt: it holds what is typed, and can be taken along ---

document.addEventListener("htmx:after:request", ({ target }) => {
  if (target.id === "words" && body().dataset.panelName === "prompt" && panel.checkVisibility()) redraw();
});
panel.addEventListener("click", ({ target }) => {
  if (target.closest("[data-copies-prompt]")) copyText(document.getElementById("prompt-whole").textContent);
});

rove();
