// The answer on screen: what is chosen, and which span is active. The changes are in workbench.js.

import { announce, by, complain, quiet, say, settings } from "./api.js";
import { rectsOf } from "./dom.js";
import { LabelBox } from "./labelbox.js";
import { quote, textMap, units } from "./offsets.js";
import { Paint, watchHandles } from "./paint.js";
import { selectionOf } from "./selection.js";
import { SpanList } from "./spanlist.js";
import * as spans from "./spans.js";

export class Desk {
  // Submitted, and the next item is coming: a change now would be one to the submitted answer.
  #frozen = false;

  get frozen() {
    return this.#frozen;
  }

  set frozen(on) {
    this.#frozen = on;
    by("comment").readOnly = on;
  }

  // changed(answer) is called after every change by the person.
  constructor(changed) {
    this.changed = changed;
    this.root = by("response");
    this.active = -1;
    this.chosen = null;
    this.grips = false; // whether the edges have handles: they would be in a mouse's way
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
    this.selection = selectionOf(this);
    watchHandles(this.root, this.paint.handles, {
      range: () => this.held,
      preview: (range) => this.paint.draw(this.map, this.answer.spans, this.active, range, true),
      done: (range) => this.pulled(range),
    });
    by("comment").addEventListener("input", (event) => this.push({ ...this.answer, comment: event.target.value }, "comment"));
    // A tap brings nothing into view, and the bar lies over what is at the window's end.
    by("comment").addEventListener("focus", (event) => event.target.scrollIntoView({ block: "nearest" }));
    by("none").addEventListener("change", (event) => this.setNone(event.target.checked));
  }

  get answer() {
    return this.history.now;
  }

  // The units of what is chosen, or of the active span; null without either.
  get held() {
    const span = this.active >= 0 && this.answer.spans[this.active];
    return this.chosen || (span ? units(this.map, span) : null);
  }

  open(response, language, answer) {
    this.frozen = false;
    this.paint.showCaret(null); // its place may be past the end of the new text
    this.map = textMap(response, language);
    this.root.textContent = this.map.shown;
    this.root.lang = language;
    this.selection.open(this.map);
    this.history = new spans.History(answer);
    this.clear();
    this.draw();
  }

  // Another version takes the place of what is on screen; it can be undone.
  replace(answer) {
    this.history.push(answer);
    this.clear();
    this.draw();
  }

  draw() {
    this.paint.draw(this.map, this.answer.spans, this.active, this.chosen, this.grips);
    this.list.draw(this.map, this.answer, this.active);
    if (by("comment").value !== this.answer.comment) by("comment").value = this.answer.comment;
    by("none").checked = this.answer.no_hallucination;
    const wanted = settings.labels.find((l) => l.comment_required && this.answer.spans.some((s) => s.label === l.code));
    by("comment-why").classList.toggle("quiet", !wanted);
    by("comment-why").textContent = wanted ? say("comment_for", { label: wanted.name }) : say("comment_free");
  }

  push(answer, kind = "") {
    if (this.frozen || !this.history.push(answer, kind)) {
      this.draw();
      return false;
    }
    this.changed(this.answer); // kept first: no fault in drawing may cost a change
    quiet();
    this.draw();
    return true;
  }

  choose(from, to, how) {
    this.chosen = [from, to];
    this.active = -1;
    this.grips = how === "tap" || how === "system";
    quiet();
    this.draw();
    this.showBox();
    announce(say("selected", { quote: this.map.shown.slice(from, to) }), how === "keys" ? 400 : 0);
  }

  showBox() {
    if (!this.held) return;
    this.box.show(rectsOf(this.root, ...this.held), this.chosen ? null : this.answer.spans[this.active].label);
  }

  hideBox() {
    if (this.box.hide()) this.root.focus({ preventScroll: true });
  }

  clear() {
    this.grips = false;
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
    this.grips = withBox;
    this.draw();
    const span = this.answer.spans[at];
    this.paint.chips[at]?.scrollIntoView({ block: "nearest" });
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
}
