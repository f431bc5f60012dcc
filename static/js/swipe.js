// A swipe on the last reply turns it like a card: it goes with the finger, shows what is beside it, and snaps.

import { look } from "./acts.js";
import { control, lastSpeech } from "./messages.js";

const story = document.getElementById("story");
const SNAP = 0.28; // of the width
const FLICK = 0.5; // pixels per millisecond
const GAP = 32;
const TURN = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 170;

// News may come while a finger is down: the card is not drawn anew under it, but afterwards.
const HELD = "hx-morph-skip";
let drawn = 0;
document.addEventListener("htmx:after:swap", () => drawn++);

/** The card being turned: its prose, what is beside it, and the button that does the same. */
class Card {
  constructor(speech, x, time) {
    this.speech = speech;
    this.drawn = drawn;
    speech.setAttribute(HELD, "");
    this.prose = speech.querySelector(".prose");
    this.width = this.prose.offsetWidth + GAP;
    this.beside = { 1: control(speech, "previous"), "-1": control(speech, "next", "another") };
    this.from = this.last = x;
    this.time = time;
    this.speed = 0;
  }

  follow(x, time) {
    this.speed = (x - this.last) / Math.max(1, time - this.time);
    [this.last, this.time] = [x, time];
    const way = Math.sign(x - this.from);
    this.peek(way);
    // Where there is nothing beside it, the card gives way only a little.
    this.move(this.beside[way] ? x - this.from : (x - this.from) / 6);
  }

  move(by, time = 0) {
    this.by = by;
    for (const [element, home] of [[this.prose, 0], [this.peeked, -this.way * this.width]]) {
      if (!element) continue;
      element.style.transition = time ? `translate ${time}ms ease-out` : "none";
      element.style.translate = `${home + by}px 0`;
    }
  }

  peek(way) {
    if (way === this.way) return;
    this.peeked?.remove();
    this.peeked = null;
    this.way = way;
    const button = this.beside[way];
    if (!button) return;
    this.peeked = document.createElement("div");
    this.peeked.className = "peek";
    this.peeked.style.top = `${this.prose.offsetTop}px`;
    this.speech.append(this.peeked);
    fill(this.peeked, button);
  }

  end() {
    const button = this.beside[this.way];
    const isFar = Math.abs(this.by) > this.width * SNAP;
    const isQuick = Math.abs(this.speed) > FLICK && Math.sign(this.speed) === this.way;
    if (!button || !(isFar || isQuick)) return this.goBack();
    this.move(this.way * this.width, TURN);
    setTimeout(() => {
      this.speech.removeAttribute(HELD);
      button.click();
    }, TURN);
    // The answer draws the place anew; if there is none, the card comes back.
    document.getElementById("acts").addEventListener("htmx:finally:request", () => this.goBack(), { once: true });
  }

  goBack() {
    if (!this.prose.isConnected || !this.prose.style.translate) return;
    this.move(0, TURN);
    setTimeout(() => {
      this.peeked?.remove();
      this.prose.removeAttribute("style");
      if (!this.speech.hasAttribute(HELD)) return;
      this.speech.removeAttribute(HELD);
      if (drawn > this.drawn) look();
    }, TURN);
  }
}

async function fill(place, button) {
  if (button.dataset.act === "another") {
    place.append(document.getElementById("words-retelling").content.cloneNode(true));
    return;
  }
  const answer = await fetch(button.formAction.replace(/choose$/, "glance"), { headers: { "HX-Request": "true" } });
  if (answer.ok) place.innerHTML = await answer.text();
}

let card = null;
let start = null;

function begin(event) {
  const speech = event.target.closest(".speech[data-entry]:not(.reader, .editing)");
  const isCard = event.pointerType === "touch" && event.isPrimary && speech && speech === lastSpeech();
  start = isCard ? { x: event.clientX, y: event.clientY, speech } : null;
}

function move(event) {
  if (!start || !event.isPrimary) return;
  const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
  if (!card) {
    if (Math.abs(dy) > 12) start = null;
    if (!start || Math.abs(dx) < 10 || Math.abs(dx) < Math.abs(dy) * 1.5) return;
    card = new Card(start.speech, event.clientX, event.timeStamp);
  }
  card.follow(event.clientX, event.timeStamp);
}

function end(event) {
  if (!event.isPrimary) return;
  if (event.type === "pointercancel") card?.goBack();
  else card?.end();
  card = start = null;
}

if (story.dataset.gestures === "on") {
  story.addEventListener("pointerdown", begin);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
}
