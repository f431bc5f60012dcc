// A picture larger than its window: it scrolls by itself, and here it grows and shrinks by wheel, pinch, key and button.

import { makeRoom, takeNoRoom } from "./labels.js";

const LEAST = 0.03;
const MOST = 2.5;
const STEP = 1.3;
const MARGIN = 40;
const NEARLY = 0.75;
/** Below this size words are too small to be read: only names that have room are shown, at a size of their own. */
const FAR = 0.62;

/** One picture: an <svg> of a natural size inside an element that scrolls. */
class Map {
  constructor(view) {
    this.view = view;
    this.scale = 1;
    this.fingers = new window.Map();
  }

  get picture() {
    return this.view.querySelector("svg");
  }

  natural(name) {
    return this.picture.viewBox.baseVal[name];
  }

  /** Sets the size, so that the point at (x, y) of the window stays where it is. */
  zoom(scale, x = this.view.clientWidth / 2, y = this.view.clientHeight / 2) {
    const [left, top] = this.inset();
    const at = [(this.view.scrollLeft + x - left) / this.scale, (this.view.scrollTop + y - top) / this.scale];
    this.scale = Math.min(MOST, Math.max(LEAST, scale));
    this.draw();
    const [newLeft, newTop] = this.inset();
    this.view.scrollLeft = at[0] * this.scale + newLeft - x;
    this.view.scrollTop = at[1] * this.scale + newTop - y;
  }

  /** The room beside and above a picture that is smaller than its window. */
  inset() {
    return ["width", "height"].map((name, at) => {
      const room = [this.view.clientWidth, this.view.clientHeight][at] - this.natural(name) * this.scale;
      return at === 0 ? Math.max(0, room / 2) : 0;
    });
  }

  draw() {
    for (const name of ["width", "height"]) this.picture.style[name] = `${this.natural(name) * this.scale}px`;
    this.picture.style.setProperty("--far", 1 / this.scale);
    this.picture.toggleAttribute("data-far", this.scale < FAR);
    cancelAnimationFrame(this.naming);
    this.naming = requestAnimationFrame(() => this.name());
  }

  name() {
    if (this.scale < FAR) makeRoom(this.picture, this.scale);
    else takeNoRoom(this.picture);
  }

  fit() {
    const [width, height] = [this.view.clientWidth - MARGIN, this.view.clientHeight - MARGIN];
    this.zoom(Math.min(1, width / this.natural("width"), height / this.natural("height")));
  }

  /** Brings a station into sight. */
  show(halt) {
    halt?.scrollIntoView({ block: "center", inline: "nearest" });
  }

  /** A picture that is only a little too wide is drawn a little smaller. */
  begin() {
    const wide = (this.view.clientWidth - MARGIN) / this.natural("width");
    if (wide < 1 && wide > NEARLY) this.scale = wide;
    this.draw();
    this.show(this.picture.querySelector("[data-seen]") ?? this.picture.querySelector(".here"));
  }
}

const view = document.getElementById("map-view");
export const map = view ? new Map(view) : null;

function on(name, does, options) {
  view.addEventListener(name, does, options);
}

// --- wheel: with Ctrl it zooms, as a pinch on a touchpad does; without, the view scrolls by itself ---

function wheel(event) {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const box = view.getBoundingClientRect();
  map.zoom(map.scale * Math.exp(-event.deltaY / 300), event.clientX - box.x, event.clientY - box.y);
}

// --- two fingers zoom; one scrolls by itself; a mouse drags ---

let pinch = null;
let drag = null;
let dragged = false;

function down(event) {
  map.fingers.set(event.pointerId, event);
  dragged = false;
  if (event.pointerType === "mouse" && event.button === 0) {
    drag = { x: event.clientX, y: event.clientY, left: view.scrollLeft, top: view.scrollTop };
  }
  if (map.fingers.size === 2) pinch = { apart: apart(), scale: map.scale };
}

const apart = () => {
  const [one, other] = map.fingers.values();
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
};

function move(event) {
  if (!map.fingers.has(event.pointerId)) return;
  map.fingers.set(event.pointerId, event);
  if (pinch && map.fingers.size === 2) {
    const [one, other] = map.fingers.values();
    const box = view.getBoundingClientRect();
    const middle = [(one.clientX + other.clientX) / 2 - box.x, (one.clientY + other.clientY) / 2 - box.y];
    map.zoom((pinch.scale * apart()) / pinch.apart, ...middle);
  } else if (drag && event.buttons) {
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    dragged ||= Math.hypot(dx, dy) > 5;
    if (!dragged) return;
    view.classList.add("dragged");
    view.scrollTo(drag.left - dx, drag.top - dy);
  }
}

function up(event) {
  map.fingers.delete(event.pointerId);
  if (map.fingers.size < 2) pinch = null;
  drag = null;
  view.classList.remove("dragged");
}

// --- keys and buttons ---

const ACTS = {
  in: () => map.zoom(map.scale * STEP),
  out: () => map.zoom(map.scale / STEP),
  fit: () => map.fit(),
  here: () => {
    if (map.scale < FAR) map.zoom(1);
    map.show(view.querySelector(".here"));
  },
};
const KEYS = { "+": "in", "=": "in", "-": "out", 0: "fit", h: "here" };

function press(event) {
  const isTyping = event.target.matches("input, textarea, select") || document.querySelector("dialog[open]");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  ACTS[KEYS[event.key]]();
}

if (map) {
  on("wheel", wheel, { passive: false });
  on("pointerdown", down);
  on("dragstart", (event) => event.preventDefault());
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", up);
  // The end of a drag is no click on the station it began at.
  on("click", (event) => dragged && (event.preventDefault(), event.stopPropagation()), { capture: true });
  document.addEventListener("keydown", press);
  document.addEventListener("click", ({ target }) => ACTS[target.closest("[data-zoom]")?.dataset.zoom]?.());
  // Drawn anew after a change, the picture keeps its size and its place.
  document.addEventListener("htmx:after:swap", () => map.picture && map.draw());
  map.begin();
}
