// Choosing stretches of the shown text, with the selection, offsets and drawing of the labelling page:
// the error in what was written, or what is to be replaced in a correct answer.
import { announce, by, complain, quiet, say, settings } from "../label/api.js";
import { rectsOf, select } from "../label/dom.js";
import { moveEdge, quote, snap, stored, textMap, units } from "../label/offsets.js";
import { Paint, watchHandles } from "../label/paint.js";
import { selectionOf } from "../label/selection.js";
import { clash } from "../label/spans.js";
import { original, withBlank } from "./document.js";
import { MarkBox, Waiting } from "./markbox.js";

const UNKNOWN = { code: "?", colour: "#595959" };

export class Marker {
  frozen = false;

  // act: put(at, place, words): a place that is new (at -1) or changed; words are null in free
  // writing. remove(at). waiting(held): words in the box that are not put in, or null.
  constructor(counts, act) {
    Object.assign(this, { act, map: null, places: [], label: UNKNOWN.code, active: -1, chosen: null, grips: false });
    this.root = by("response");
    this.paint = new Paint(this.root, by("layer"), [...settings.labels, UNKNOWN]);
    this.box = new MarkBox(by("answer"), counts, {
      take: (words) => this.take(words),
      edge: (which, step) => this.edge(which, step),
      remove: () => this.remove(this.active),
      close: () => this.letGo(),
      typed: (words) => this.waiting.note(words),
    });
    this.waiting = new Waiting(this, (held) => act.waiting(held));
    this.selection = selectionOf(this);
    watchHandles(this.root, this.paint.handles, {
      range: () => this.held,
      preview: (range) => this.draw(range),
      done: (range) => this.pulled(range),
    });
  }

  // edits: whether places carry new words.
  show(text, language, places, label, edits) {
    if (!this.map || this.map.raw !== text) {
      this.map = textMap(text, language);
      this.root.textContent = this.map.shown;
      this.waiting.held = null;
      this.selection.open(text ? this.map : null);
      this.paint.showCaret(null);
      this.reset();
    }
    if (this.edits !== edits || this.active >= places.length) this.reset();
    Object.assign(this, { places, label: label || UNKNOWN.code, edits });
    this.root.lang = language;
    this.draw();
  }

  // Answers whether the focus was in the box.
  reset() {
    Object.assign(this, { chosen: null, active: -1, grips: false });
    return this.box.hide();
  }

  // The units of what is chosen, or of the active place; null without either.
  get held() {
    const place = this.places[this.active];
    return this.chosen || (place ? units(this.map, place) : null);
  }

  draw(preview = null) {
    if (!this.root.firstChild) return this.paint.draw(this.map, [], -1, null, false);
    // Nothing can be painted where something was put in.
    const real = this.places.filter((place) => place.end > place.start);
    const spans = real.map((place) => ({ ...place, label: this.label }));
    const chosen = this.chosen && this.chosen[0] === this.chosen[1] ? null : this.chosen;
    return this.paint.draw(this.map, spans, real.indexOf(this.places[this.active]), preview || chosen, this.grips || Boolean(preview));
  }

  choose(from, to, how) {
    if (this.frozen || !this.waiting.settle()) return;
    Object.assign(this, { chosen: [from, to], active: -1, grips: how === "tap" || how === "system" });
    quiet();
    this.draw();
    this.showBox();
    announce(say("selected", { quote: this.map.shown.slice(from, to) }), how === "keys" ? 400 : 0);
    if (how === "mouse" && this.edits) this.box.focus();
  }

  showBox(fresh = true) {
    if (!this.held || this.frozen) return;
    const place = this.chosen ? null : this.places[this.active];
    const rects = rectsOf(this.root, ...this.held);
    const spot = document.activeElement === this.root ? this.paint.caret : this.root;
    this.box.show(rects.length ? rects : [spot.getBoundingClientRect()], {
      words: this.edits ? (place ? place.hallucinated : this.map.shown.slice(...this.held)) : null,
      quote: this.map.shown.slice(...this.held),
      old: Boolean(place), fresh,
    });
  }

  clear() {
    if (!this.waiting.settle()) return;
    if (this.reset()) this.root.focus({ preventScroll: true });
    if (this.map) this.draw();
  }

  letGo() {
    this.waiting.set(null);
    this.selection.chosen = null;
    this.selection.finish();
    this.clear();
  }

  touch(unit) {
    if (!this.waiting.settle()) return true;
    const point = unit === null ? -1 : this.map.pointAt[unit];
    const at = this.places.findIndex((place) => place.start <= point && point < place.end);
    if (at >= 0) this.activate(at);
    else this.clear();
    return at >= 0;
  }

  activate(number) {
    const at = this.waiting.before(number);
    if (at < 0) return;
    this.selection.finish();
    Object.assign(this, { chosen: null, active: at, grips: true });
    this.draw();
    this.showBox();
    announce(say("mark_is", { number: at + 1, quote: quote(this.map, this.places[at]) }));
  }

  free(place, except = -1) {
    const other = clash(this.places, place, except);
    if (other >= 0) complain(say("overlaps", { number: other + 1 }));
    return other < 0;
  }

  take(words) {
    if (!this.held) return undefined;
    const at = this.chosen ? -1 : this.active;
    let place = at < 0 ? stored(this.map, this.chosen) : this.places[at];
    const wider = words === "" && at < 0 ? withBlank(this.map.raw, place) : place;
    if (clash(this.places, wider) < 0) place = wider;
    if (words !== null && words === original(this.map.raw, place)) return complain(say("no_change"));
    if (!this.free(place, at)) return undefined;
    const said = quote(this.map, place);
    this.waiting.set(null);
    this.selection.finish();
    this.clear();
    this.act.put(at, { start: place.start, end: place.end }, words);
    return announce(say(words === null ? "marked" : "replaced", { quote: said, words: words || "" }));
  }

  remove(number) {
    if (this.waiting.held?.at === number) this.waiting.set(null);
    const at = this.waiting.before(number);
    if (at < 0) return;
    this.clear();
    this.act.remove(at);
    announce(say("deleted", { number: at + 1 }));
  }

  edge(which, step) {
    if (!this.held) return undefined;
    const found = moveEdge(this.map, this.held, which, step);
    return found ? this.stretch(found) : complain(say("edge_ends"));
  }

  // A handle was drawn to a range, or let go without one.
  pulled(range) {
    const found = range && snap(this.map, ...range);
    this.draw();
    if (found) this.stretch(found);
  }

  // Give what is chosen, or the active place, the units `found`.
  stretch(found) {
    if (this.chosen) {
      this.selection.chosen = this.chosen = found;
      select(this.root, ...found);
      this.draw();
      this.showBox(false);
      this.waiting.moved();
      return announce(say("selected", { quote: this.map.shown.slice(...found) }));
    }
    const place = stored(this.map, found);
    const old = this.places[this.active];
    if (!this.free(place, this.active)) return undefined;
    this.act.put(this.active, place, this.edits ? old.hallucinated : null);
    this.active = this.places.findIndex((one) => one.start === place.start && one.end === place.end);
    this.waiting.moved();
    this.draw();
    this.showBox(false);
    return announce(say("edge_moved", { quote: quote(this.map, place) }));
  }
}
