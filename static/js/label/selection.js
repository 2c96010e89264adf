// What the person points at: mouse, taps and keys become a range of units of the shown text.
// `hear` gets choose(from, to, how) with whole characters, refuse(), touch(unit), clear().

import { complain, say } from "./api.js";
import { watchCaret } from "./caret.js";
import { boundaryAt, characterAt, select, selected } from "./dom.js";
import { snap, wordAt } from "./offsets.js";
import { wholeOf } from "./whole.js";

const KEEP = "button, a, input, textarea, select, dialog, summary, label, #labelbox, #stage, .handle";
const MOVED = 4;
const SYSTEM_WAIT = 350;

// Whoever scrolls the material looks something up, and lets nothing go.
function onScrollbar({ target, offsetX, offsetY }) {
  return target.clientWidth > 0 && (offsetX > target.clientWidth || offsetY > target.clientHeight);
}

export class Selection {
  constructor(root, whole, hear) {
    Object.assign(this, { root, whole, hear, map: null, pressed: null, touching: false, chosen: null });
    document.addEventListener("pointerdown", (event) => this.press(event), true);
    document.addEventListener("mouseup", (event) => {
      // The browser's selection is final only after this event.
      const from = this.pressed;
      this.pressed = null;
      if (from && !this.touching) this.late = () => this.release(event, from);
      setTimeout(() => this.settle());
    });
    document.addEventListener("selectionchange", () => this.system());
    document.addEventListener("click", (event) => this.tap(event));
  }

  // What waits for the end of a mouse-up; a key that comes before is for what was chosen by it.
  settle() {
    const late = this.late;
    this.late = null;
    if (late) late();
  }

  // The text of `map`, or none, stands in root now.
  open(map) {
    this.whole.open(map ? map.shown : "");
    this.map = map;
    this.chosen = null;
  }

  press(event) {
    this.touching = event.pointerType === "touch";
    const free = event.button === 0 && this.map && !event.target.closest(KEEP) && !onScrollbar(event);
    this.pressed = free ? { x: event.clientX, y: event.clientY } : null;
  }

  release(event, from) {
    const { clientX: x, clientY: y, detail } = event;
    const moved = Math.hypot(x - from.x, y - from.y) > MOVED;
    const here = this.root.contains(event.target);
    if (detail === 2 && !moved && here) {
      const word = wordAt(this.map, characterAt(this.root, this.map, x, y) ?? -1);
      return word ? this.take(...word, "mouse") : this.refuse();
    }
    const ends = selected(this.root) || (moved ? this.dragged(from, { x, y }) : null);
    if (ends && (moved || detail > 2 || event.shiftKey)) return this.take(...ends, "mouse");
    if (moved) return this.drop();
    return here ? this.hear.touch(characterAt(this.root, this.map, x, y)) : this.drop();
  }

  // From the geometry, where a drag that crossed the text left no selection in it.
  dragged(a, b) {
    const box = this.root.getBoundingClientRect();
    const beside = Math.max(a.y, b.y) < box.top || Math.min(a.y, b.y) > box.bottom;
    if (beside || Math.max(a.x, b.x) < box.left) return null;
    const ends = [boundaryAt(this.root, a.x, a.y), boundaryAt(this.root, b.x, b.y)].sort((p, q) => p - q);
    return ends[0] < ends[1] ? ends : null;
  }

  take(from, to, how) {
    if (!this.whole.intact) return undefined;
    const found = snap(this.map, from, to);
    if (!found) return this.refuse();
    if (how !== "keys") select(this.root, ...found);
    this.chosen = found;
    return this.hear.choose(found[0], found[1], how);
  }

  refuse() {
    this.chosen = null;
    this.hear.clear();
    return this.hear.refuse();
  }

  drop() {
    this.chosen = null;
    this.hear.clear();
  }

  // Forget the choice; the caret stays where it ended.
  finish() {
    const end = this.chosen ? this.chosen[1] : null;
    this.chosen = null;
    if (end !== null && document.activeElement.closest("#response, #labelbox")) select(this.root, end, end);
    else if (selected(this.root)) getSelection().removeAllRanges();
  }

  // A tap takes the word, the next one extends to there.
  tap(event) {
    if (!this.touching || !this.map || event.target.closest(KEEP)) return undefined;
    const here = this.root.contains(event.target);
    const at = here ? characterAt(this.root, this.map, event.clientX, event.clientY) : null;
    if (at === null) return this.drop();
    const word = wordAt(this.map, at);
    if (this.chosen && word) {
      return this.take(Math.min(word[0], this.chosen[0]), Math.max(word[1], this.chosen[1]), "tap");
    }
    if (this.hear.touch(at)) return undefined;
    return word ? this.take(...word, "tap") : this.refuse();
  }

  // The system's own selection by a long press.
  system() {
    if (!this.touching) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      const ends = selected(this.root);
      const same = ends && this.chosen && ends[0] === this.chosen[0] && ends[1] === this.chosen[1];
      if (ends && !same) this.take(...ends, "system");
    }, SYSTEM_WAIT);
  }
}

// The selection of a desk, which has `root`, `paint`, choose(), touch() and clear(), with its caret.
export function selectionOf(desk) {
  const selection = new Selection(desk.root, wholeOf(desk), {
    choose: (from, to, how) => desk.choose(from, to, how),
    refuse: () => complain(say("only_space")),
    touch: (unit) => desk.touch(unit),
    clear: () => desk.clear(),
  });
  watchCaret(desk.root, selection, (unit, keys) => {
    desk.paint.showCaret(unit);
    if (keys) desk.paint.caret.scrollIntoView({ block: "nearest" });
  });
  // A window of another shape has another place for the box.
  let width = innerWidth;
  addEventListener("resize", () => {
    const turned = innerWidth !== width; // and not the browser's own lines that come and go
    width = innerWidth;
    if (turned && desk.box && desk.box.open) desk.showBox();
  });
  return selection;
}
