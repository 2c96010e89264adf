// The item on screen: its answer, what is selected, and every change of it. It knows no keys, no
// mouse and no network; `view` draws it and `sync` saves it.

import * as spans from "./spans.js";
import { announce, say, short, t } from "./words.js";

export class Work {
  /** act: {draw(), changed(answer)} */
  constructor(assignment, text, settings, act) {
    Object.assign(this, { assignment, text, settings, act });
    this.id = assignment.id;
    this.answer = spans.plain(assignment.annotation.draft ?? assignment.annotation);
    this.history = new spans.History();
    this.current = -1; // index of the current span
    this.pending = null; // the range that waits for a label
    this.frozen = false; // while a submission is under way
  }

  get ranges() {
    return this.answer.spans.map((span) => ({ ...this.text.shown(span), label: span.label }));
  }

  quote({ from, to }) {
    return this.text.text.slice(from, to);
  }

  replace(answer) {
    this.answer = spans.plain(answer);
    this.history = new spans.History();
    this.clear();
  }

  /** A range of units was selected: it waits for its label, or is refused with the reason. */
  pick(range, { touch = false } = {}) {
    if (this.frozen) return false;
    const picked = range && this.text.pick(range.from, range.to);
    this.pending = null;
    this.current = -1;
    if (!picked) return this.#refuse(t("only_space"));
    const { start, end } = picked;
    const other = this.settings.overlap_allowed ? -1 : spans.overlapped(this.answer.spans, start, end);
    if (other >= 0) return this.#refuseOverlap(other);
    this.pending = { ...picked, touch };
    this.act.draw();
    announce(t("selected", { quote: short(this.quote(picked)), keys: this.#keys() }));
    return true;
  }

  clear() {
    this.pending = null;
    this.current = -1;
    this.act.draw();
  }

  choose(index) {
    this.pending = null;
    this.current = index;
    this.act.draw();
    announce(t("current", this.#values(index)));
  }

  /** Index of the last marked span over a unit, or -1. */
  spanAt(unit) {
    return unit < 0 ? -1 : this.ranges.findLastIndex(({ from, to }) => from <= unit && unit < to);
  }

  neighbour(direction) {
    const order = spans.reading(this.answer.spans);
    if (!order.length) return say(t("no_spans"));
    const at = order.indexOf(this.current);
    const next = at < 0 ? (direction > 0 ? 0 : order.length - 1) : at + direction;
    this.choose(order[(next + order.length) % order.length]);
  }

  /** The label goes to the pending range, else to the current span; false where there is neither. */
  label(code) {
    if (this.pending) {
      const { start, end } = this.pending;
      if (!this.#apply(spans.add(this.answer, { start, end, label: code }, this.settings.overlap_allowed))) return true;
      this.pending = null;
      this.current = this.answer.spans.length - 1;
      this.act.draw();
      announce(t("marked", this.#values(this.current)));
      return true;
    }
    if (this.current < 0) return false;
    this.relabel(this.current, code);
    return true;
  }

  relabel(index, code) {
    if (this.answer.spans[index].label === code) return this.choose(index);
    if (!this.#apply(spans.relabel(this.answer, index, code))) return;
    this.choose(index);
  }

  move(index, edge, direction) {
    const moved = this.text.move(this.text.shown(this.answer.spans[index]), edge, direction);
    if (!moved) return announce(t("no_further"));
    this.resize(index, moved);
  }

  resize(index, picked) {
    if (!this.#apply(spans.resize(this.answer, index, picked, this.settings.overlap_allowed))) return;
    this.choose(index);
  }

  remove(index) {
    const values = this.#values(index);
    if (!this.#apply(spans.remove(this.answer, index))) return;
    this.clear();
    announce(t("deleted", values));
  }

  setNone(none) {
    if (this.#apply(spans.setNone(this.answer, none))) {
      this.clear();
      announce(t(none ? "none_set" : "none_unset"));
    }
  }

  comment(text) {
    if (this.frozen) return;
    this.answer = { ...this.answer, comment: text };
    this.act.changed(this.answer);
  }

  undo() {
    this.#travel(this.history.undo(this.answer), "undone", "nothing_undo");
  }

  redo() {
    this.#travel(this.history.redo(this.answer), "redone", "nothing_redo");
  }

  #travel(answer, done, nothing) {
    if (this.frozen) return;
    if (!answer) return announce(t(nothing));
    this.answer = answer;
    this.clear();
    this.act.changed(answer);
    announce(t(done, { count: answer.spans.length }));
  }

  #apply(changed) {
    if (this.frozen) return false;
    if (changed.refused === "overlap") return this.#refuseOverlap(changed.index);
    if (changed.refused) return this.#refuse(t("spans_there"));
    this.history.push(this.answer);
    this.answer = changed;
    this.act.changed(changed);
    return true;
  }

  #refuseOverlap(index) {
    return this.#refuse(t("overlap", { number: this.#number(index) }));
  }

  #refuse(message) {
    this.act.draw();
    say(message, "bad");
    return false;
  }

  #number(index) {
    return spans.reading(this.answer.spans).indexOf(index) + 1;
  }

  #values(index) {
    const span = this.answer.spans[index];
    const name = this.settings.labels.find((label) => label.code === span.label)?.name ?? "";
    const quote = short(this.quote(this.text.shown(span)));
    return { number: this.#number(index), label: span.label, name, quote };
  }

  #keys() {
    return this.settings.labels.map(({ key, name }) => (key ? `${key} ${name}` : name)).join(", ");
  }
}
