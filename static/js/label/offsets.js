// Between what is stored (code points of the raw response) and what is shown (UTF-16 units of the
// text on the page, where every line end is one LF). Pure: no page needed. annotation/offsets.py
// follows the same rules; both run tests/data/offsets.json.

// Unicode White_Space, listed: trim() takes U+FEFF and not U+0085, Python's strip() the reverse.
const WHITE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/u;

function map(raw) {
  let text = "";
  const points = []; // by unit: code points of raw before it; inside a pair: as before the pair
  const units = []; // by code point: unit of text
  for (let i = 0, point = 0; i < raw.length; point++) {
    const character = String.fromCodePoint(raw.codePointAt(i));
    i += character.length;
    units.push(text.length);
    points.push(point);
    if (character === "\r") {
      text += "\n";
      if (raw[i] === "\n") {
        i++;
        point++;
        units.push(text.length - 1);
      }
    } else {
      text += character;
      if (character.length === 2) points.push(point);
    }
  }
  points.push(units.length);
  units.push(text.length);
  return { text, points, units };
}

export class ShownText {
  constructor(raw, language) {
    Object.assign(this, map(raw));
    this.words = new Intl.Segmenter(language || undefined, { granularity: "word" });
    const clusters = new Intl.Segmenter(undefined, { granularity: "grapheme" });
    this.bounds = [...clusters.segment(this.text)].map((cluster) => cluster.index);
    this.bounds.push(this.text.length);
  }

  /** The last bound at or before the unit, as an index of `bounds`. */
  boundBefore(unit) {
    let low = 0;
    let high = this.bounds.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.bounds[middle] <= unit) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The next (1) or previous (-1) bound of a visible character. */
  step(unit, direction) {
    const at = this.boundBefore(unit);
    if (direction < 0) return this.bounds[this.bounds[at] < unit ? at : Math.max(0, at - 1)];
    return this.bounds[Math.min(at + 1, this.bounds.length - 1)];
  }

  /** Outward to whole visible characters, without white space at the edges; null: nothing is left. */
  pick(from, to) {
    let first = this.boundBefore(Math.max(0, Math.min(from, to)));
    const end = Math.min(this.text.length, Math.max(from, to));
    let last = this.boundBefore(end);
    if (this.bounds[last] < end) last++;
    const white = (i) => WHITE.test(this.text.slice(this.bounds[i], this.bounds[i + 1]));
    while (first < last && white(first)) first++;
    while (first < last && white(last - 1)) last--;
    return first < last ? this.range(this.bounds[first], this.bounds[last]) : null;
  }

  range(from, to) {
    return { from, to, start: this.points[from], end: this.points[to] };
  }

  /** The word at a unit, without the punctuation around it; null on white space. */
  word(unit) {
    if (unit < 0 || unit >= this.text.length) return null;
    const found = this.words.segment(this.text).containing(unit);
    if (found.isWordLike) return this.pick(found.index, found.index + found.segment.length);
    return this.pick(unit, unit + 1);
  }

  /** A range whose one edge ("from" or "to") moved by one visible character; null where it cannot. */
  move({ from, to }, edge, direction) {
    let unit = edge === "from" ? from : to;
    for (;;) {
      const next = this.step(unit, direction);
      if (next === unit) return null;
      unit = next;
      const [a, b] = edge === "from" ? [unit, to] : [from, unit];
      const moved = a < b && this.pick(a, b);
      if (!moved) return null;
      if (moved.from !== from || moved.to !== to) return moved;
    }
  }

  /** The shown range of stored offsets. */
  shown({ start, end }) {
    const last = this.units.length - 1;
    return { from: this.units[Math.min(start, last)], to: this.units[Math.min(end, last)], start, end };
  }
}
