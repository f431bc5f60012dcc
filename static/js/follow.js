// Keeps the reader's place: at the end for whoever is at the end, and where it was when something grows above it.

const NEAR = 96;
const page = document.scrollingElement;
const button = document.getElementById("to-end");
const distance = () => page.scrollHeight - innerHeight - page.scrollTop;
let follows = distance() < NEAR;
let last = page.scrollTop;

export function goToEnd() {
  follows = true;
  page.scrollTop = page.scrollHeight;
}

// Scrolling up by a little is enough to be left in peace; coming near the end is enough to be taken along again.
addEventListener("scroll", () => {
  follows = distance() < (page.scrollTop < last ? 4 : NEAR);
  last = page.scrollTop;
  offer();
}, { passive: true });

function offer() {
  button.hidden = distance() < innerHeight / 2;
}

function keep() {
  if (follows) goToEnd();
  offer();
}

// Before each paint in which the story or the composer has grown, and when a keyboard takes a part of the screen.
new ResizeObserver(keep).observe(document.querySelector(".stage"));
addEventListener("resize", keep);
button.addEventListener("click", goToEnd);

// Earlier messages come in above: what is below stays where it is on the screen.
let below = 0;
const isEarlier = ({ detail: { ctx } }) => ctx.target?.id === "earlier" || ctx.request?.action.includes("/earlier?");
document.addEventListener("htmx:before:swap", (event) => {
  if (isEarlier(event)) below = page.scrollHeight - page.scrollTop;
});
document.addEventListener("htmx:after:swap", (event) => {
  if (isEarlier(event)) page.scrollTop = page.scrollHeight - below;
});
