// Drawing over the text without touching it: highlights of the browser under names of our own, and
// small boxes for letters, caret and handles in a layer above.

import { make } from "./api.js";
import { boundaryAt, edgeOf, rangeOf } from "./dom.js";
import { units } from "./offsets.js";

const DEEP = ["#a84300", "#005b8f", "#00704f", "#8a2f7b", "#595959"];
const LINES = ["solid", "dashed", "dotted", "double", "wavy"];
const COLOUR = /^#[0-9a-f]{6}$/;

// The colours of a label: the page's own for its five, otherwise mixed from the label's.
export function colours(label) {
  const deep = COLOUR.test((label.colour || "").toLowerCase()) ? label.colour.toLowerCase() : DEEP[4];
  const known = DEEP.indexOf(deep) + 1;
  if (known) return { tint: `var(--label-${known}-tint)`, deep, bright: `var(--label-${known}-bright)` };
  const mix = (share, other) => `color-mix(in srgb, ${deep} ${share}%, var(${other}))`;
  return { tint: mix(20, "--ground"), deep, bright: mix(75, "--ink") };
}

export function dress(element, label) {
  for (const [name, value] of Object.entries(colours(label))) element.style.setProperty(`--${name}`, value);
}

function rules(labels) {
  const made = labels.flatMap((label, i) => {
    const { tint, bright } = colours(label);
    const line = LINES[(i + Math.floor(i / LINES.length)) % LINES.length];
    const under = `text-decoration: underline ${line} ${bright} 2px;`;
    const strong = `color-mix(in srgb, ${tint} 70%, ${bright})`;
    return [
      `::highlight(sheepfold-${i}) { background-color: ${tint}; ${under} }`,
      `::highlight(sheepfold-on-${i}) { background-color: ${strong}; ${under} }`,
    ];
  });
  made.push("::highlight(sheepfold-chosen) { background-color: var(--chosen); color: var(--ink); }");
  return made.join("\n");
}

export class Paint {
  constructor(root, layer, labels) {
    Object.assign(this, { root, layer, labels });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules(labels));
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    this.highlights = new Map();
    for (const name of [...labels.flatMap((_, i) => [`${i}`, `on-${i}`]), "chosen"]) {
      const highlight = new Highlight();
      highlight.priority = name === "chosen" ? 2 : Number(name.startsWith("on"));
      CSS.highlights.set(`sheepfold-${name}`, highlight);
      this.highlights.set(name, highlight);
    }
    this.caret = make("span", { className: "caret", hidden: true });
    this.handles = ["start", "end"].map((edge) => {
      const handle = make("span", { className: "handle", hidden: true });
      handle.dataset.edge = edge;
      return handle;
    });
    this.chips = [];
    this.layer.replaceChildren(this.caret, ...this.handles);
    this.caretAt = null;
    new ResizeObserver(() => this.boxes()).observe(root);
  }

  number(code) {
    return this.labels.findIndex((label) => label.code === code);
  }

  // spans of the answer, the number of the active one, the chosen units or null, handles or not.
  draw(map, spans, active, chosen, grips) {
    Object.assign(this, { map, spans, active, chosen, grips });
    for (const highlight of this.highlights.values()) highlight.clear();
    spans.forEach((span, i) => {
      const name = `${i === active ? "on-" : ""}${Math.max(0, this.number(span.label))}`;
      this.highlights.get(name)?.add(rangeOf(this.root, ...units(map, span)));
    });
    if (chosen) this.highlights.get("chosen").add(rangeOf(this.root, ...chosen));
    this.boxes();
  }

  boxes() {
    if (!this.map) return;
    // The handles stay where they are: one that leaves the document loses the finger that holds it.
    for (const chip of this.chips) chip.remove();
    this.chips = this.spans.map((span, i) => this.chip(span, i));
    this.layer.prepend(...this.chips);
    const held = this.chosen || (this.spans[this.active] && units(this.map, this.spans[this.active]));
    for (const handle of this.handles) {
      const end = handle.dataset.edge === "end";
      const spot = held && this.grips ? edgeOf(this.root, this.map, held, end) : null;
      handle.hidden = !spot;
      if (!spot) continue;
      handle.classList.toggle("left", end === spot.rtl);
      this.put(handle, spot.x, spot.top, spot.bottom - spot.top);
    }
    this.showCaret(this.caretAt);
  }

  chip(span, i) {
    const chip = make("span", { className: "chip", textContent: span.label.slice(0, 2) });
    dress(chip, this.labels[this.number(span.label)] || {});
    const spot = edgeOf(this.root, this.map, units(this.map, span), false);
    if (spot) this.put(chip, spot.x, spot.top);
    chip.classList.toggle("on", i === this.active);
    chip.classList.toggle("rtl", Boolean(spot && spot.rtl));
    return chip;
  }

  // A caret before the unit; null hides it.
  showCaret(unit) {
    this.caretAt = unit;
    this.caret.hidden = unit === null || !this.map || unit > this.map.shown.length;
    if (this.caret.hidden) return;
    const next = unit < this.map.shown.length && this.map.shown[unit] !== "\n";
    const pair = next ? [unit, unit + 1] : [Math.max(0, unit - 1), unit];
    const spot = pair[0] < pair[1] ? edgeOf(this.root, this.map, pair, !next) : null;
    this.caret.hidden = !spot;
    if (spot) this.put(this.caret, spot.x, spot.top, spot.bottom - spot.top);
  }

  put(element, x, top, height) {
    const home = this.layer.getBoundingClientRect();
    element.style.left = `${x - home.left}px`;
    element.style.top = `${top - home.top}px`;
    if (height) element.style.height = `${height}px`;
  }
}

// Dragging an edge of what is chosen, or of the active span.
// act: range() -> [from, to] or null, preview([from, to]), done([from, to] or null)
export function watchHandles(root, handles, act) {
  for (const handle of handles) {
    handle.addEventListener("pointerdown", (event) => {
      const range = act.range();
      if (!range || event.button !== 0) return;
      event.preventDefault();
      drag(handle, event, range);
    });
  }

  function drag(handle, first, range) {
    const start = handle.dataset.edge === "start";
    const fixed = start ? range[1] : range[0];
    // The finger is below the letters: aim where the handle's own line is.
    const box = handle.getBoundingClientRect();
    const lift = Math.max(0, first.clientY - (box.top + handle.clientHeight / 2));
    let now = null;
    const move = (event) => {
      const unit = boundaryAt(root, event.clientX, event.clientY - lift);
      if (start ? unit >= fixed : unit <= fixed) return;
      now = start ? [unit, fixed] : [fixed, unit];
      act.preview(now);
    };
    const stop = (event) => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", stop);
      document.removeEventListener("pointercancel", stop);
      act.done(event.type === "pointerup" ? now : null);
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", stop);
    document.addEventListener("pointercancel", stop);
  }
}
