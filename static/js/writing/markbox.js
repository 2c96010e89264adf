// The box beside what is chosen: "this is the error" in free writing, the new words in edit mode, and
// the edges in both. It floats: nothing moves for it.

import { by, say } from "../label/api.js";
import { edges, LabelBox } from "../label/labelbox.js";
import { Field } from "../shared/typing.js";

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
