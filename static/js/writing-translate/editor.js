// The fields that are typed in: their stored texts, and the differences from the machine's.

import { by, make, say } from "../label/api.js";
import { textMap } from "../label/offsets.js";
import { applied, changeTo } from "./changes.js";
import { changedWords, differences } from "./diff.js";

// A text field whose stored text keeps its own line ends. changed(change, event) after each change.
export class Field {
  constructor(area, language, changed) {
    Object.assign(this, { area, language, changed });
    area.addEventListener("input", (event) => this.take(event));
    addEventListener("resize", () => this.map && this.grow()); // the same text takes more lines
  }

  get raw() {
    return this.map.raw;
  }

  open(raw) {
    this.map = textMap(raw, this.language);
    if (this.area.value !== this.map.shown) this.area.value = this.map.shown;
    this.grow();
  }

  take(event) {
    const change = changeTo(this.map, this.area.value, this.area.selectionEnd);
    if (!change) return;
    this.map = applied(this.map, change);
    this.grow();
    this.changed(change, event);
  }

  // As high as its text, so that two columns stay side by side.
  grow() {
    this.area.style.height = "auto";
    this.area.style.height = `${this.area.scrollHeight + 2}px`;
  }
}

// The machine's text with what was taken out struck through and what was put in underlined.
export class Differences {
  constructor(machine, language) {
    this.machine = textMap(machine, language).shown;
    this.language = language;
    this.box = by("machine");
  }

  draw(now) {
    if (!this.box) return;
    cancelAnimationFrame(this.waiting);
    this.waiting = requestAnimationFrame(() => {
      const parts = differences(this.machine, now, this.language);
      this.box.replaceChildren(...parts.map(([kind, text]) => this.part(kind, text)));
      const count = changedWords(parts, this.language);
      const word = parts.every(([kind]) => kind === "=") ? "same_text" : count === 1 ? "differs_one" : "differs_many";
      by("machine-count").textContent = say(word, { n: count });
    });
  }

  part(kind, text) {
    if (kind === "=") return text;
    const said = make("span", { className: "visually-hidden", textContent: ` ${say(kind === "+" ? "put_in" : "taken_out")} ` });
    return make(kind === "+" ? "ins" : "del", {}, said, text);
  }
}
