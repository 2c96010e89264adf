// Marking the error in the finished text, with the selection of the labelling page.

import { announce, by, complain, make, quiet, say, settings } from "../label/api.js";
import { unitOf } from "../label/dom.js";
import { quote, stored } from "../label/offsets.js";
import { Paint } from "../label/paint.js";
import { selectionOf } from "../label/selection.js";
import { clash } from "../label/spans.js";

const SHORT = 160;

export class MarkDesk {
  // changed() after the person marked or took a mark away.
  constructor(changed) {
    Object.assign(this, { changed, chosen: null, active: -1, spans: [], locked: false });
    this.root = by("response");
    this.label = settings.sample.label;
    this.paint = new Paint(this.root, by("layer"), settings.labels);
    this.selection = selectionOf(this);
    by("mark").addEventListener("click", () => this.mark());
    // A click on the button must not take the selection away that it is about.
    by("mark").addEventListener("pointerdown", (event) => event.preventDefault());
  }

  // Another text, or the same one after typing, with its spans {start, end}.
  open(map, spans) {
    this.map = map;
    this.spans = spans;
    this.chosen = null;
    this.active = -1;
    this.root.textContent = map.shown;
    this.root.lang = map.language;
    by("marking").hidden = !map.shown;
    this.selection.open(map);
    this.paint.showCaret(null);
    this.draw();
  }

  draw() {
    if (!this.map.shown) return;
    const spans = this.spans.map((span) => ({ ...span, label: this.label }));
    this.paint.draw(this.map, spans, this.active, this.chosen, false);
    by("mark").classList.toggle("ready", this.chosen !== null);
    by("marks").replaceChildren(...this.spans.map((span, at) => this.row(span, at)));
    by("marks-empty").hidden = this.spans.length > 0;
  }

  row(span, at) {
    const words = quote(this.map, span);
    const short = words.length > SHORT ? `${words.slice(0, SHORT - 10)}…` : words;
    const gone = make("button", { type: "button", className: "gone", title: say("delete"), textContent: "×" });
    gone.ariaLabel = say("delete_mark", { quote: short });
    gone.hidden = this.locked;
    gone.addEventListener("click", () => {
      this.remove(at);
      (by("marks").querySelector("button") || this.root).focus();
    });
    return make("li", {}, make("bdi", { textContent: short }), gone);
  }

  choose(from, to, how) {
    if (this.locked) return;
    this.chosen = [from, to];
    this.active = -1;
    quiet();
    this.draw();
    announce(say("selected", { quote: this.map.shown.slice(from, to) }), how === "keys" ? 400 : 0);
  }

  clear() {
    this.chosen = null;
    this.active = -1;
    this.draw();
  }

  // The mark at a unit becomes the active one.
  touch(unit) {
    const point = unit === null ? -1 : this.map.pointAt[unit];
    this.active = this.spans.findIndex((span) => span.start <= point && point < span.end);
    this.chosen = null;
    this.draw();
    return this.active >= 0;
  }

  mark() {
    if (!this.chosen) return complain(say("choose_words"));
    const span = stored(this.map, this.chosen);
    if (clash(this.spans, span) >= 0) return complain(say("overlaps"));
    this.selection.finish();
    this.chosen = null;
    this.spans = [...this.spans, span].sort((a, b) => a.start - b.start);
    this.draw();
    this.changed();
    return announce(say("marked", { quote: quote(this.map, span) }));
  }

  remove(at) {
    if (this.locked || at < 0) return;
    const words = quote(this.map, this.spans[at]);
    this.spans = this.spans.filter((_, i) => i !== at);
    this.active = -1;
    this.draw();
    this.changed();
    announce(say("unmarked", { quote: words }));
  }

  // Delete on the keyboard: the active mark, or the one at the caret.
  removeHere() {
    const { focusNode, focusOffset } = getSelection();
    const here = document.activeElement === this.root && this.root.contains(focusNode);
    if (this.active < 0 && here) this.touch(unitOf(this.root, focusNode, focusOffset));
    if (this.active < 0) return complain(say("no_mark"));
    return this.remove(this.active);
  }
}
