// The answer on screen: what is chosen, which span is active, and every change to it.

import { by, say, settings } from "./api.js";
import { LabelBox } from "./labelbox.js";
import { announce, complain, quiet } from "./notice.js";
import { edgeBeside, quote, snap, stored, textMap, units } from "./offsets.js";
import { Paint } from "./paint.js";
import { Selection } from "./selection.js";
import { SpanList } from "./spanlist.js";
import * as spans from "./spans.js";

export class Workbench {
  // changed(answer) is called after every change by the person.
  constructor(changed) {
    this.changed = changed;
    this.root = by("response");
    this.active = -1;
    this.chosen = null;
    this.paint = new Paint(this.root, by("layer"), settings.labels);
    this.box = new LabelBox(by("answer"), {
      label: (code) => this.label(code),
      edge: (which, step) => this.edge(which, step),
      remove: () => this.remove(this.active),
    });
    this.list = new SpanList({
      activate: (at) => this.activate(at, true),
      relabel: (at, code) => this.relabel(at, code),
      remove: (at) => this.remove(at),
    });
    this.selection = new Selection(this.root, {
      choose: (from, to, how) => this.choose(from, to, how),
      refuse: () => complain(say("only_space")),
      touch: (unit) => this.touch(unit),
      caret: (unit) => this.paint.showCaret(unit),
      clear: () => this.clear(),
    });
    by("comment").addEventListener("input", (event) => this.push({ ...this.answer, comment: event.target.value }, "comment"));
    by("none").addEventListener("change", (event) => this.setNone(event.target.checked));
  }

  get answer() {
    return this.history.now;
  }

  open(response, language, answer) {
    this.map = textMap(response, language);
    this.root.textContent = this.map.shown;
    this.root.lang = language;
    this.selection.open(this.map);
    this.history = new spans.History(answer);
    this.clear();
    this.paint.showCaret(null);
    this.draw();
  }

  // Another version takes the place of what is on screen; it can be undone.
  replace(answer) {
    this.history.push(answer);
    this.clear();
    this.draw();
  }

  draw() {
    this.paint.draw(this.map, this.answer.spans, this.active, this.chosen);
    this.list.draw(this.map, this.answer, this.active);
    if (by("comment").value !== this.answer.comment) by("comment").value = this.answer.comment;
    by("none").checked = this.answer.no_hallucination;
    const wanted = settings.labels.find((l) => l.comment_required && this.answer.spans.some((s) => s.label === l.code));
    by("comment-why").textContent = wanted ? say("comment_for", { label: wanted.name }) : say("comment_free");
  }

  push(answer, kind = "") {
    if (!this.history.push(answer, kind)) return false;
    quiet();
    this.draw();
    this.changed(this.answer);
    return true;
  }

  choose(from, to, how) {
    this.chosen = [from, to];
    this.active = -1;
    quiet();
    this.draw();
    this.showBox();
    announce(say("selected", { quote: this.map.shown.slice(from, to) }), how === "keys" ? 400 : 0);
  }

  showBox() {
    const range = this.chosen || (this.active >= 0 && units(this.map, this.answer.spans[this.active]));
    if (!range) return;
    const rects = [...this.paint.range(...range).getClientRects()].filter((rect) => rect.width > 0);
    if (rects.length) this.box.show(rects, this.chosen ? null : this.answer.spans[this.active].label);
  }

  hideBox() {
    if (this.box.hide()) this.root.focus({ preventScroll: true });
  }

  clear() {
    this.chosen = null;
    this.active = -1;
    this.hideBox();
    this.draw();
  }

  // A click or tap without a selection: the span under it becomes the active one.
  touch(unit) {
    const at = unit === null ? -1 : spans.spanAt(this.answer, this.map.pointAt[unit]);
    if (at >= 0) this.activate(at, true);
    else this.clear();
    return at >= 0;
  }

  activate(at, withBox = false) {
    this.selection.finish();
    this.chosen = null;
    this.active = at;
    this.draw();
    const span = this.answer.spans[at];
    if (withBox) this.showBox();
    else this.hideBox();
    announce(say("span_is", { number: at + 1, label: this.nameOf(span.label), quote: quote(this.map, span) }));
  }

  step(direction) {
    const count = this.answer.spans.length;
    if (!count) return complain(say("no_spans"));
    const next = this.active < 0 ? (direction > 0 ? 0 : count - 1) : (this.active + direction + count) % count;
    return this.activate(next);
  }

  nameOf(code) {
    const found = settings.labels.find((label) => label.code === code);
    return found ? found.name : code;
  }

  // The label of what is chosen, or else of the active span.
  label(code) {
    if (this.chosen) return this.mark(code);
    if (this.active >= 0) return this.relabel(this.active, code);
    return complain(say("choose_words"));
  }

  free(span, except = -1) {
    const other = settings.overlap ? -1 : spans.clash(this.answer.spans, span, except);
    if (other >= 0) complain(say("overlaps", { number: other + 1 }));
    return other < 0;
  }

  mark(code) {
    const span = { ...stored(this.map, this.chosen), label: code };
    if (!this.free(span)) return false;
    this.selection.finish();
    this.chosen = null;
    const next = spans.add(this.answer, span);
    this.active = spans.indexOf(next, span);
    this.hideBox();
    this.push(next);
    return announce(say("marked", { label: this.nameOf(code), quote: quote(this.map, span) }));
  }

  relabel(at, code) {
    const span = { ...this.answer.spans[at], label: code };
    this.active = at;
    this.push(spans.change(this.answer, at, { label: code, sublabel: undefined }));
    this.hideBox();
    this.draw();
    return announce(say("relabelled", { number: at + 1, label: this.nameOf(span.label) }));
  }

  // The range with one edge moved by a visible character (past blanks); null where it cannot be.
  moved([from, to], which, step) {
    let unit = which === "start" ? from : to;
    for (;;) {
      const next = edgeBeside(this.map, unit, step);
      if (next === unit) return null;
      unit = next;
      const pair = which === "start" ? [unit, to] : [from, unit];
      if (pair[0] >= pair[1]) return null;
      const found = snap(this.map, ...pair);
      if (found && (found[0] !== from || found[1] !== to)) return found;
    }
  }

  edge(which, step) {
    const current = this.chosen || (this.active >= 0 && units(this.map, this.answer.spans[this.active]));
    if (!current) return complain(say("no_active"));
    const found = this.moved(current, which, step);
    return found ? this.stretch(found) : complain(say("edge_ends"));
  }

  // Give the choice or the active span the units `found`.
  stretch(found) {
    if (this.chosen) {
      const withBox = this.box.open;
      this.selection.chosen = this.chosen = found;
      this.selection.select(...found);
      this.draw();
      if (withBox) this.showBox();
      return announce(say("selected", { quote: this.map.shown.slice(...found) }));
    }
    const span = { ...this.answer.spans[this.active], ...stored(this.map, found) };
    if (!this.free(span, this.active)) return false;
    const next = spans.change(this.answer, this.active, span);
    this.active = spans.indexOf(next, span);
    this.push(next);
    if (this.box.open) this.showBox();
    return announce(say("edge_moved", { quote: quote(this.map, span) }));
  }

  remove(at) {
    if (at < 0) return complain(say("no_active"));
    this.active = -1;
    this.hideBox();
    this.push(spans.remove(this.answer, at));
    return announce(say("deleted", { number: at + 1 }));
  }

  setNone(on) {
    if (on && this.answer.spans.length) {
      by("none").checked = false;
      return complain(say("none_with_spans"));
    }
    this.push({ ...this.answer, no_hallucination: on });
    return announce(say(on ? "none_on" : "none_off"));
  }

  turn(back) {
    if (!(back ? this.history.undo() : this.history.redo())) return announce(say("nothing_left"));
    this.clear();
    quiet();
    this.changed(this.answer);
    return announce(say(back ? "undone" : "redone"));
  }
}

