// A text field: what changed in it, where the places in its text are afterwards, and how many
// characters were typed and how many pasted. Texts are the field's own: line ends are LF, also of what
// was pasted with CRLF. Nothing is guessed from two versions of a text but the one stretch that an
// input event replaced.

import { textMap } from "../label/offsets.js";

const PASTES = /^insertFrom(Paste|Drop|Yank)/;
const points = (text) => Array.from(text).length;

// Since the last acknowledged save.
export class Counts {
  constructor() {
    this.typed = 0;
    this.pasted = 0;
    this.own = ""; // what was last cut or copied here: moving one's own words is no paste
  }

  add({ typed = 0, pasted = 0 }) {
    this.typed += typed;
    this.pasted += pasted;
  }

  held() {
    return { typed: this.typed, pasted: this.pasted };
  }

  // What a save has taken to the site.
  acknowledge({ typed, pasted }) {
    this.typed = Math.max(0, this.typed - typed);
    this.pasted = Math.max(0, this.pasted - pasted);
  }

  take() {
    const taken = this.held();
    this.typed = this.pasted = 0;
    return taken;
  }

  hear(event, put, cut) {
    const length = points(put);
    if (PASTES.test(event.inputType || "")) {
      if (put !== this.own) this.add({ pasted: length });
    } else if ((event.inputType || "insertText").startsWith("insert")) {
      // A composition comes again with every key.
      const again = event.inputType === "insertCompositionText" ? points(cut) : 0;
      this.add({ typed: Math.max(0, length - again) });
    }
  }
}

export class Field {
  // changed(old, now, caret) is called after each change by the person.
  constructor(field, counts, changed = () => {}) {
    Object.assign(this, { field, value: field.value });
    field.addEventListener("input", (event) => {
      const [old, now] = [this.value, field.value];
      this.value = now;
      const { from, to, put } = replaced(old, now, field.selectionEnd);
      counts.hear(event, put, old.slice(from, to));
      changed(old, now, field.selectionEnd);
    });
    for (const name of ["cut", "copy"]) {
      field.addEventListener(name, () => {
        counts.own = field.value.slice(field.selectionStart, field.selectionEnd);
      });
    }
  }

  set(text) {
    this.field.value = text;
    this.value = this.field.value;
  }
}

const HIGH = /[\ud800-\udbff]$/;
const LOW = /^[\udc00-\udfff]/;

// {from, to, put}: units [from, to) of `old` gave way to `put`. The caret stands behind what was put
// in, which tells "aa" typed into "aaa" apart; where it stands elsewhere (undo) the ends decide.
export function replaced(old, now, caret) {
  const most = Math.min(old.length, now.length);
  const alike = (tail) => old[old.length - 1 - tail] === now[now.length - 1 - tail];
  let tail = 0;
  while (tail < Math.min(most, now.length - caret) && alike(tail)) tail++;
  let head = 0;
  while (head < most - tail && old[head] === now[head]) head++;
  while (tail < most - head && alike(tail)) tail++;
  if (head && HIGH.test(now.slice(0, head))) head--;
  if (tail && LOW.test(now.slice(now.length - tail))) tail--;
  return { from: head, to: old.length - tail, put: now.slice(head, now.length - tail) };
}

// {places, lost}: what stands before the change stays, what stands behind it moves along, and what
// the change touched is lost.
export function follow(old, now, caret, places) {
  if (old === now) return { places, lost: [] };
  const { from, to, put } = replaced(old, now, caret);
  const first = points(old.slice(0, from));
  const last = first + points(old.slice(from, to));
  const step = points(put) - (last - first);
  const kept = [];
  const lost = [];
  for (const one of places) {
    if (one.end <= first) kept.push(one);
    else if (one.start >= last) kept.push({ ...one, start: one.start + step, end: one.end + step });
    else lost.push(one);
  }
  return { places: kept, lost };
}

// A text field holds LF alone. Where a stored text has CR, the first keystroke changes it, and the
// places with it: {text, places} as the field has them.
export function inField(text, places) {
  if (!text.includes("\r")) return { text, places };
  const map = textMap(text);
  const at = (point) => points(map.shown.slice(0, map.unitAt[point]));
  return { text: map.shown, places: places.map((one) => ({ ...one, start: at(one.start), end: at(one.end) })) };
}
