// Stations: pointing at one or reaching it by the keyboard shows it, a click asks whether to go back there.

import { map } from "./pan.js";

const WAIT = 140;
const look = document.getElementById("look");
const address = location.pathname;
let waiting = null;

function mark(id) {
  for (const one of document.querySelectorAll("[data-seen]")) one.removeAttribute("data-seen");
  for (const one of document.querySelectorAll(`[data-halt="${CSS.escape(id)}"]`)) one.setAttribute("data-seen", "");
}

/** Shows a save beside the picture. */
function see(id) {
  if (look.querySelector("[data-save]")?.dataset.save === id) return;
  mark(id);
  htmx.ajax("GET", `${address}?save=${id}`, { source: "#look", target: "#look", swap: "innerHTML" });
}

function seeSoon(halt) {
  clearTimeout(waiting);
  if (halt && halt.dataset.halt !== "here") waiting = setTimeout(() => see(halt.dataset.halt), WAIT);
}

const haltAt = (event) => event.target.closest?.("[data-halt]");

document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && seeSoon(haltAt(event)));
document.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && seeSoon(haltAt(event)));

document.addEventListener("click", (event) => {
  const halt = haltAt(event);
  if (!halt || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  clearTimeout(waiting);
  if (halt.dataset.halt === "here") return document.getElementById("save-name").focus();
  // A finger looks first: what it touched is shown, and from there one goes.
  const isLookedAt = look.querySelector("[data-save]")?.dataset.save === halt.dataset.halt;
  see(halt.dataset.halt);
  if (event.pointerType !== "touch" || isLookedAt) ask(halt);
});

function ask(halt) {
  if (!halt.closest("svg") || halt.getAttribute("aria-current")) return;
  const to = `${address.replace(/\/lines$/, "")}/leave?to=${halt.dataset.halt}`;
  htmx.ajax("GET", to, { source: "#look", target: "#leave", swap: "innerHTML" });
}

// --- arrows walk from station to station; the map is one stop for the Tab key ---

const halts = () => [...document.querySelectorAll(".metro .halt")];
const STEPS = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };

/** The nearest station that way; stations straight ahead count as nearer. */
function beside(halt, [down, right]) {
  const from = place(halt);
  const ahead = halts()
    .map((other) => ({ other, rows: place(other).row - from.row, lanes: place(other).lane - from.lane }))
    .filter(({ rows, lanes }) => (down ? rows * down > 0 : lanes * right > 0));
  const far = ({ rows, lanes }) => (down ? Math.abs(rows) + 3 * Math.abs(lanes) : Math.abs(lanes) + 3 * Math.abs(rows));
  return ahead.sort((one, other) => far(one) - far(other))[0]?.other;
}

const place = (halt) => ({ row: Number(halt.dataset.row), lane: Number(halt.dataset.lane) });

document.addEventListener("keydown", (event) => {
  const halt = event.target.closest?.(".metro .halt");
  const step = STEPS[event.key];
  if (!halt || !step || event.altKey || event.ctrlKey) return;
  event.preventDefault();
  const next = beside(halt, step);
  if (!next) return;
  rove(next);
  next.focus({ preventScroll: true });
  map.show(next);
});

function rove(to) {
  for (const halt of halts()) halt.setAttribute("tabindex", halt === to ? "0" : "-1");
}

const start = () => document.querySelector(".metro [data-seen]") ?? document.querySelector(".metro .here");
rove(start() ?? halts()[0]);
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => ctx.target?.id === "map" && rove(start() ?? halts()[0]));

// What is looked at changes with a save, too.
document.addEventListener("saves-changed", () => {
  const id = look.querySelector("[data-save]")?.dataset.save;
  if (id) htmx.ajax("GET", `${address}?save=${id}`, { source: "#look", target: "#look", swap: "innerHTML" });
});
