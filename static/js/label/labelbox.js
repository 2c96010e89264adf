// The box with the labels beside a selection or a span. It floats: nothing moves for it.

import { by, make, say, settings } from "./api.js";
import { dress } from "./paint.js";

const NARROW = 900;

export const EDGES = [
  ["start", -1, "start_back", "u"], ["start", 1, "start_on", "i"],
  ["end", -1, "end_back", "o"], ["end", 1, "end_on", "p"],
];

// The buttons that move the edges, and the one that deletes, which is answered.
export function edges(act) {
  const buttons = EDGES.map(([which, step, word]) => {
    const button = make("button", { type: "button", ariaLabel: say(word), title: say(word), className: step < 0 ? "earlier" : "later" });
    button.addEventListener("click", () => act.edge(which, step));
    return button;
  });
  const pair = (word, two) => make("span", { className: "pair" }, make("span", { textContent: say(word) }), ...two);
  const remove = make("button", { type: "button", className: "danger", textContent: say("delete") });
  remove.addEventListener("click", () => act.remove());
  by("edges").replaceChildren(pair("start", buttons.slice(0, 2)), pair("end", buttons.slice(2)), remove);
  return remove;
}

export function letter(label) {
  const chip = make("span", { className: "letter", textContent: label.code });
  dress(chip, label);
  return chip;
}

export class LabelBox {
  // act: label(code), edge(which, step), remove()
  constructor(host, act) {
    this.box = by("labelbox");
    this.host = host;
    this.buttons = settings.labels.map((label) => {
      const face = [letter(label), make("span", { className: "name", textContent: label.name })];
      if (label.key) face.push(make("kbd", { textContent: label.key }));
      const button = make("button", { type: "button", className: "choice", title: label.description }, ...face);
      button.dataset.code = label.code;
      button.addEventListener("click", () => act.label(label.code));
      return button;
    });
    by("choices").replaceChildren(...this.buttons);
    this.remove = edges(act);
    this.box.addEventListener("keydown", (event) => this.arrows(event));
  }

  get open() {
    return !this.box.hidden;
  }

  // rects: where the words stand; label: the code of the span that is edited, or null.
  show(rects, label) {
    this.remove.hidden = label === null;
    by("labelbox-title").textContent = label === null ? say("choose_label") : say("change_span");
    for (const button of this.buttons) button.ariaPressed = String(button.dataset.code === label);
    this.box.classList.toggle("rtl", getComputedStyle(by("response")).direction === "rtl");
    this.box.hidden = false;
    if (rects.length) this.place(rects);
  }

  place(rects) {
    if (window.innerWidth < NARROW) return this.sheet(rects[rects.length - 1]);
    const home = this.host.getBoundingClientRect();
    const size = this.box.getBoundingClientRect();
    const [first, last] = [rects[0], rects[rects.length - 1]];
    const below = last.bottom + 12;
    const above = first.top - size.height - 16;
    const top = below + size.height > by("bar").getBoundingClientRect().top && above > 56 ? above : below;
    const left = Math.max(0, Math.min(last.left - home.left, home.width - size.width));
    this.box.style.left = `${left}px`;
    this.box.style.top = `${top - home.top}px`;
    return undefined;
  }

  // On a small screen the box is a sheet at the bottom; the words must stay in sight above it.
  sheet(last) {
    this.box.style.left = this.box.style.top = "";
    const hidden = last.bottom + 32 - this.box.getBoundingClientRect().top;
    if (hidden > 0) window.scrollBy(0, hidden);
  }

  focus() {
    (this.buttons.find((button) => button.ariaPressed === "true") || this.buttons[0]).focus();
  }

  // Answers whether the focus was inside.
  hide() {
    const inside = this.box.contains(document.activeElement);
    this.box.hidden = true;
    return inside;
  }

  arrows(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = this.buttons.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    this.buttons[(at + step + this.buttons.length) % this.buttons.length].focus();
  }
}
