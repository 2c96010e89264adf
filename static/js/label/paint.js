// Drawing over the response without touching its text: colours and lines by the Custom Highlight
// API under names of our own, and small boxes for letters, caret and handles in a layer above.

import { edgeOf, rangeOf } from "./dom.js";
import { make } from "./words.js";

const KNOWN = {
  "#a84300": ["#f7dfcc", "#573d2a", "#ff9a4d"],
  "#005b8f": ["#cce3f0", "#2a4658", "#5cb8ee"],
  "#00704f": ["#ccece3", "#264c43", "#4fd0a6"],
  "#8a2f7b": ["#eedaeb", "#4f3a50", "#e08fd3"],
  "#595959": ["#e1e1e1", "#434548", "#b5b5b5"],
};
const LINES = ["solid", "dashed", "dotted", "double", "wavy"];
const COLOUR = /^#[0-9a-f]{6}$/i;

function colours(label) {
  const deep = COLOUR.test(label.colour) ? label.colour.toLowerCase() : "#595959";
  const mix = (share, ground) => `color-mix(in srgb, ${deep} ${share}%, ${ground})`;
  const [tint, dark, bright] = KNOWN[deep] ?? [mix(16, "#fff"), mix(38, "#16191d"), mix(45, "#fff")];
  return { deep, tint, dark, bright };
}

function rules(labels) {
  const light = [];
  const dark = [];
  labels.forEach((label, i) => {
    const { deep, tint, dark: low, bright } = colours(label);
    const round = Math.floor(i / LINES.length);
    const line = LINES[(i + round) % LINES.length];
    const paint = (to, ground, strong, colour) => {
      const under = `text-decoration: underline ${line} ${colour} 2px;`;
      to.push(`::highlight(sheepfold-${i}) { background-color: ${ground}; ${under} }`);
      to.push(`::highlight(sheepfold-now-${i}) { background-color: ${strong}; ${under} }`);
      to.push(`.label-${i} { --tint: ${ground}; --deep: ${colour}; --line-style: ${line}; }`);
    };
    paint(light, tint, `color-mix(in srgb, ${deep} 34%, #fff)`, deep);
    paint(dark, low, `color-mix(in srgb, ${bright} 44%, #16191d)`, bright);
  });
  light.push("::highlight(sheepfold-pending) { background-color: #fbe89a; color: #1b1f24; }");
  dark.push("::highlight(sheepfold-pending) { background-color: #6b5a12; color: #fff; }");
  return `${light.join("\n")}\n@media (prefers-color-scheme: dark) { ${dark.join("\n")} }`;
}

export class Painter {
  constructor(root, layer, labels) {
    Object.assign(this, { root, layer, labels });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules(labels));
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    this.highlights = new Map();
    const names = [...labels.flatMap((_, i) => [`${i}`, `now-${i}`]), "pending"];
    for (const name of names) {
      const highlight = new Highlight();
      highlight.priority = name === "pending" ? 2 : Number(name.startsWith("now"));
      CSS.highlights.set(`sheepfold-${name}`, highlight);
      this.highlights.set(name, highlight);
    }
    this.caret = make("div", { class: "caret", hidden: true });
    this.handles = ["from", "to"].map((edge) => make("div", { class: "handle", "data-edge": edge, hidden: true }));
    layer.append(this.caret, ...this.handles);
    this.chips = [];
  }

  /** Place of a label in the list, also of one that is no longer offered. */
  index(code) {
    return this.labels.findIndex((label) => label.code === code);
  }

  /** ranges: [{from, to, label}]; current: index or -1; pending: {from, to} or null. */
  draw(text, ranges, current, pending) {
    for (const highlight of this.highlights.values()) highlight.clear();
    ranges.forEach((range, i) => {
      const name = `${i === current ? "now-" : ""}${Math.max(0, this.index(range.label))}`;
      this.highlights.get(name)?.add(rangeOf(this.root, range.from, range.to));
    });
    if (pending) this.highlights.get("pending").add(rangeOf(this.root, pending.from, pending.to));
    this.#placeChips(text, ranges, current);
    this.#placeHandles(text, pending?.touch ? pending : ranges[current]);
  }

  drawCaret(text, unit) {
    const last = text.text.length;
    if (unit === null || !last) return (this.caret.hidden = true);
    const next = unit < last && text.text[unit] !== "\n";
    const range = next ? { from: unit, to: unit + 1 } : { from: unit - 1, to: unit };
    const edge = edgeOf(this.root, text, { from: Math.max(0, range.from), to: range.to }, !next);
    this.caret.hidden = !edge;
    if (edge) this.#put(this.caret, edge.x, edge.top, edge.bottom - edge.top);
  }

  #placeChips(text, ranges, current) {
    while (this.chips.length > ranges.length) this.chips.pop().remove();
    while (this.chips.length < ranges.length) {
      const chip = make("span", { class: "chip over" });
      this.layer.append(chip);
      this.chips.push(chip);
    }
    ranges.forEach((range, i) => {
      const chip = this.chips[i];
      const edge = edgeOf(this.root, text, range, false);
      chip.textContent = range.label.slice(0, 2);
      chip.className = `chip over label-${Math.max(0, this.index(range.label))}`;
      chip.classList.toggle("now", i === current);
      chip.classList.toggle("rtl", Boolean(edge?.rtl));
      if (edge) this.#put(chip, edge.x, edge.top);
    });
  }

  #placeHandles(text, range) {
    this.handles.forEach((handle) => {
      const end = handle.dataset.edge === "to";
      const edge = range && edgeOf(this.root, text, range, end);
      handle.hidden = !edge;
      handle.classList.toggle("left", Boolean(edge) && end === edge.rtl);
      if (edge) this.#put(handle, edge.x, edge.top, edge.bottom - edge.top);
    });
  }

  #put(element, x, top, height) {
    const box = this.layer.getBoundingClientRect();
    element.style.left = `${x - box.left}px`;
    element.style.top = `${top - box.top}px`;
    if (height) element.style.height = `${height}px`;
  }
}
