// Names on a picture seen from far away. They keep a size to be read, so there is not room for all of them: each stands
// only where it covers no station and no other name: first where one is, then the lines of one’s way, then the rest.

/** Pixels of the window: the height of a name, its distance from its station, half of a station, half of a rail. */
const HIGH = 15;
const GAP = 11;
const STATION = 6;
const RAIL = 3;
/** So far a name may reach beyond the picture, which has paper around it. */
const EDGE = 12;
/** Around a station, in the order in which a name takes them: which side, and how far down in heights of a name. */
const PLACES = [
  ["start", 0],
  ["start", -0.75],
  ["start", 0.75],
  ["end", 0.75],
  ["end", 0],
  ["middle", 1.3],
  ["middle", -1.3],
];
/** How much of a name's width lies left of its station. */
const LEFT_OF = { start: 0, middle: 0.5, end: 1 };

const widths = new WeakMap();

/** Shows the names that have room at this size. Called once the picture is marked as far. */
export function makeRoom(picture, scale) {
  const names = inOrder(picture);
  for (const name of names) name.setAttribute("data-room", "");
  const measured = names.map((name) => [name, widthOf(name, scale)]);
  const rails = [...picture.querySelectorAll(".rail:not(.on-way)")].flatMap((rail) => pieces(rail, RAIL / scale));
  const way = [...picture.querySelectorAll(".rail.on-way")].flatMap((rail) => pieces(rail, RAIL / scale));
  const taken = [...stations(picture, STATION / scale), ...way];
  for (const [name, width] of measured) {
    const found = place(name, width, scale, taken, rails);
    if (found) taken.push(found.box);
    put(name, found, scale);
  }
}

/** Puts all names back where the server drew them. */
export function takeNoRoom(picture) {
  for (const name of picture.querySelectorAll("[data-room]")) put(name, null);
}

/** The names that may be seen from afar, the most important one first. The server draws lines from the top down. */
function inOrder(picture) {
  const lines = [...picture.querySelectorAll(".line-name")].reverse();
  const isOnWay = (name) => name.matches(".on-way");
  return [
    ...picture.querySelectorAll(".here .halt-name"),
    ...lines.filter(isOnWay),
    ...lines.filter((name) => !isOnWay(name)),
  ];
}

const isHere = (name) => name.matches(".halt-name");

/** In pixels of the window a name is as wide as ever, at whatever size the picture is. */
function widthOf(name, scale) {
  const known = widths.get(name);
  if (known?.text === name.textContent) return known.pixels;
  const pixels = name.getComputedTextLength() * scale;
  widths.set(name, { text: name.textContent, pixels });
  return pixels;
}

/** The first place around its station that is free; where none is, names that matter may cross the rails of others. */
function place(name, width, scale, taken, rails) {
  const places = PLACES.map(([anchor, down]) => ({ anchor, down, box: boxAt(name, width, scale, anchor, down) }));
  const isFree = ({ box }) => isInside(name, box, EDGE / scale) && !taken.some((other) => meets(box, other));
  const free = places.filter(isFree);
  const clear = free.find(({ box }) => !rails.some((rail) => meets(box, rail)));
  if (clear || name.matches(".line-name:not(.on-way)")) return clear;
  return free[0] ?? (isHere(name) ? places[0] : null);
}

function boxAt(name, width, scale, anchor, down) {
  const [x, y] = stationOf(name);
  const [wide, high] = [width / scale, HIGH / scale];
  const apart = { start: GAP, middle: 0, end: -GAP }[anchor] / scale;
  const left = x + apart - wide * LEFT_OF[anchor];
  const top = y + (down - 0.5) * high;
  return { left, top, right: left + wide, bottom: top + high };
}

const stationOf = (drawn) => drawn.closest("[data-at]").dataset.at.split(" ").map(Number);

function isInside(name, box, edge) {
  const { width, height } = name.ownerSVGElement.viewBox.baseVal;
  return box.left >= -edge && box.right <= width + edge && box.top >= -edge && box.bottom <= height + edge;
}

/** Moves a name to its place, or takes it out of the picture. */
function put(name, found, scale) {
  name.toggleAttribute("data-room", Boolean(found));
  if (!found) {
    name.removeAttribute("transform");
    name.removeAttribute("text-anchor");
    return;
  }
  const x = found.box.left + (found.box.right - found.box.left) * LEFT_OF[found.anchor];
  const baseline = found.box.bottom - (HIGH * 0.27) / scale;
  const [dx, dy] = [x - name.getAttribute("x"), baseline - name.getAttribute("y")];
  name.setAttribute("transform", `translate(${dx.toFixed(1)} ${dy.toFixed(1)})`);
  name.setAttribute("text-anchor", found.anchor);
}

const meets = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

function around(x, y, endX, endY, half) {
  return {
    left: Math.min(x, endX) - half,
    right: Math.max(x, endX) + half,
    top: Math.min(y, endY) - half,
    bottom: Math.max(y, endY) + half,
  };
}

function stations(picture, half) {
  return [...picture.querySelectorAll(".halt")].map((halt) => {
    const [x, y] = stationOf(halt);
    return around(x, y, x, y, half);
  });
}

/** A rail goes straight down, or down, across and down again; its bends count as corners. */
function pieces(rail, half) {
  const points = rail.getAttribute("d").match(/-?\d+/g).map(Number);
  const [x, y] = points;
  if (points.length === 3) return [around(x, y, x, points[2], half)];
  const [level, endX, endY] = [points[4], points[8], points[12]];
  return [around(x, y, x, level, half), around(x, level, endX, level, half), around(endX, level, endX, endY, half)];
}
