// Every change the person can make to the answer on screen.

import { announce, by, complain, quiet, say, settings } from "./api.js";
import { Desk } from "./desk.js";
import { select } from "./dom.js";
import { moveEdge, quote, snap, stored } from "./offsets.js";
import * as spans from "./spans.js";

export class Workbench extends Desk {
  // The label of what is chosen, or else of the active span.
  label(code) {
    if (this.frozen) return complain(say("closed"));
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
    this.grips = false;
    this.hideBox();
    this.push(next);
    return announce(say("marked", { label: this.nameOf(code), quote: quote(this.map, span) }));
  }

  relabel(at, code) {
    if (this.frozen) return complain(say("closed"));
    const span = { ...this.answer.spans[at], label: code };
    this.active = at;
    this.grips = false;
    this.push(spans.change(this.answer, at, { label: code, sublabel: undefined }));
    this.hideBox();
    this.draw();
    return announce(say("relabelled", { number: at + 1, label: this.nameOf(span.label) }));
  }

  edge(which, step) {
    if (!this.held) return complain(say("no_active"));
    const found = moveEdge(this.map, this.held, which, step);
    return found ? this.stretch(found) : complain(say("edge_ends"));
  }

  // Give the choice or the active span the units `found`.
  stretch(found) {
    if (this.frozen) return complain(say("closed"));
    if (this.chosen) {
      const withBox = this.box.open;
      this.selection.chosen = this.chosen = found;
      select(this.root, ...found);
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

  // A handle was drawn to a range, or let go without one.
  pulled(range) {
    const found = range && snap(this.map, ...range);
    this.draw();
    return found ? this.stretch(found) : null;
  }

  remove(at) {
    if (this.frozen) return complain(say("closed"));
    if (at < 0) return complain(say("no_active"));
    this.active = -1;
    this.grips = false;
    this.hideBox();
    this.push(spans.remove(this.answer, at));
    return announce(say("deleted", { number: at + 1 }));
  }

  setNone(on) {
    if (this.frozen) {
      by("none").checked = this.answer.no_hallucination;
      return complain(say("closed"));
    }
    if (on && this.answer.spans.length) {
      by("none").checked = false;
      return complain(say("none_with_spans"));
    }
    this.push({ ...this.answer, no_hallucination: on });
    return announce(say(on ? "none_on" : "none_off"));
  }

  turn(back) {
    if (this.frozen || !(back ? this.history.undo() : this.history.redo())) return announce(say("nothing_left"));
    this.changed(this.answer);
    this.clear();
    quiet();
    return announce(say(back ? "undone" : "redone"));
  }
}

