// The panels beside the story: arrows walk along the tabs, and whatever is open follows the story wherever it goes.

const root = document.documentElement;
const panel = document.getElementById("panel");
const tabs = () => [...panel.querySelectorAll("[role=tab]")];
const body = () => document.getElementById("panel-body");
const helm = () => document.getElementById("helm");

// One stop for the Tab key, arrows within. Without a script every tab is a link of its own.
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

/** Draws the open panel anew. */
export function redraw() {
  htmx.ajax("GET", body().dataset.address, { source: "#panel-body", target: "#tabbed", swap: "innerMorph" });
}

// The story has moved: by an act of the reader, or because the ledger has grown. A folded panel waits until it is seen.
let asked = null;
function followUp() {
  rove();
  const leaf = helm().dataset.leaf;
  if (body().dataset.leaf === leaf) asked = null;
  else if (asked !== leaf && panel.checkVisibility()) {
    asked = leaf;
    redraw();
  }
}

document.addEventListener("htmx:after:swap", followUp);
new MutationObserver(followUp).observe(root, { attributeFilter: ["data-panel"] });
rove();
