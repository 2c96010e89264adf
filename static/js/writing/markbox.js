// The box beside what is chosen: "this is the error" in free writing, the new words in edit mode, and
// the edges in both. It floats: nothing moves for it.

import { announce, by, say } from "../label/api.js";
import { edges, LabelBox } from "../label/labelbox.js";
import { stored, units } from "../label/offsets.js";
import { Field } from "../shared/typing.js";
import { original } from "./document.js";

export class MarkBox {
  place = LabelBox.prototype.place;
  sheet = LabelBox.prototype.sheet;

  // act: take(words or null), typed(words), edge(which, step), remove(), close()
  constructor(host, counts, act) {
    Object.assign(this, { host, act, box: by("labelbox"), words: new Field(by("instead"), counts, (_old, now) => act.typed(now)) });
    by("mark-it").addEventListener("click", () => this.take());
    by("leave-out").addEventListener("click", () => act.take(""));
    by("instead").addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey || event.isComposing) return;
      event.preventDefault();
      this.take();
    });
    this.box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      act.close();
    });
    this.remove = edges(act);
  }

  get open() {
    return !this.box.hidden;
  }

  take() {
    this.act.take(by("instead-part").hidden ? null : this.words.field.value);
  }

  // rects: where the words stand; words: what stands there instead (null in free writing);
  // quote: what is chosen; old: whether it is marked already.
  show(rects, { words, quote, old, fresh }) {
    const edits = words !== null;
    by("instead-part").hidden = by("leave-out").hidden = !edits;
    by("leave-out").hidden ||= !quote;
    by("mark-it").hidden = old && !edits;
    by("mark-it").textContent = say(edits ? (quote ? "replace" : "put_in") : "mark_it");
    by("labelbox-title").textContent = say(edits ? (quote ? "instead_of" : "put_in_here") : old ? "change_mark" : "error_is", { quote: short(quote) });
    if (edits && (fresh || !this.open)) this.words.set(words);
    this.remove.hidden = !old;
    this.box.classList.toggle("rtl", getComputedStyle(by("response")).direction === "rtl");
    this.box.hidden = false;
    if (rects.length) this.place(rects);
  }

  focus() {
    const first = by("instead-part").hidden ? (by("mark-it").hidden ? this.remove : by("mark-it")) : this.words.field;
    first.focus();
    if (first.select) first.select(); // the old words are there to be changed, or typed over
  }

  // Answers whether the focus was inside.
  hide() {
    const inside = this.box.contains(document.activeElement);
    this.box.hidden = true;
    return inside;
  }
}

const short = (words) => (words.length > 60 ? `${words.slice(0, 58)}…` : words);

// Words that stand in the box of the edit mode and are not put in yet: they outlive the page, and
// whoever goes on elsewhere has put them in. Escape lets them go.
export class Waiting {
  // keep({at, start, end, words, correct} or null) after each change.
  constructor(marker, keep) {
    Object.assign(this, { marker, keep, held: null });
  }

  set(held) {
    if (held === this.held) return;
    this.held = held;
    this.keep(held);
  }

  note(words) {
    const { chosen, active, places, map } = this.marker;
    const { start, end } = chosen ? stored(map, chosen) : places[active];
    this.set({ at: chosen ? -1 : active, start, end, words, correct: map.raw });
  }

  // An edge of what is chosen was moved.
  moved() {
    if (this.held) this.note(this.held.words);
  }

  // Puts them in; false where they clash with another change: then the box stays open.
  settle() {
    const { held, marker } = this;
    if (!held) return true;
    const { at, start, end, words } = held;
    const quote = original(marker.map.raw, held);
    const old = at < 0 ? quote : marker.places[at].hallucinated;
    if (words && words !== old && words !== quote) {
      if (!marker.free({ start, end }, at)) return false;
      marker.act.put(at, { start, end }, words);
      announce(say("replaced", { quote, words }));
    }
    this.set(null);
    marker.reset();
    return true;
  }

  // Puts them in before the place of that number is at hand: answers its number then, -1 where not.
  before(number) {
    const { start, end } = this.marker.places[number];
    return this.settle() ? this.marker.places.findIndex((one) => one.start === start && one.end === end) : -1;
  }

  // What a page before this one left in the box.
  resume(held) {
    const { marker } = this;
    const known = marker.places[held.at];
    const same = known && known.start === held.start && known.end === held.end;
    this.held = same ? held : { ...held, at: -1 };
    Object.assign(marker, same ? { active: held.at } : { chosen: units(marker.map, held) });
    marker.draw();
    marker.showBox();
    marker.box.words.set(held.words);
  }
}
