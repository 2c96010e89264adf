// Places in a text: what the page shows (UTF-16 units, LF only) and what is stored (code points of
// the text as imported). Python has the same rules in annotation/offsets.py; tests/data/offsets.json
// holds the cases that both run. Pure: knows no page.

// Unicode White_Space, by list: trim() takes U+FEFF and leaves U+0085.
const SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/u;
const WORD = /[\p{L}\p{N}\p{M}]/u;
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

// The map of a text: `shown`, `pointAt[unit]` (-1 inside a surrogate pair), `unitAt[point]`, and
// `edges`, the units where a visible character begins, with the text's length as the last.
export function textMap(raw, language) {
  let shown = "";
  let point = 0;
  const pointAt = [];
  const unitAt = [];
  for (let i = 0; i < raw.length; point++) {
    const letter = String.fromCodePoint(raw.codePointAt(i));
    i += letter.length;
    unitAt[point] = shown.length;
    pointAt.push(point);
    if (letter === "\r") {
      shown += "\n";
      if (raw[i] === "\n") {
        unitAt[++point] = shown.length - 1;
        i++;
      }
    } else {
      shown += letter;
      if (letter.length === 2) pointAt.push(-1);
    }
  }
  pointAt.push(point);
  unitAt.push(shown.length);
  const edges = Array.from(GRAPHEMES.segment(shown), (part) => part.index);
  edges.push(shown.length);
  return { raw, shown, pointAt, unitAt, edges, language };
}

// Index of the last edge at or before a unit.
function edgeBefore(edges, unit) {
  let low = 0;
  let high = edges.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (edges[middle] <= unit) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The edge next to a unit: step -1 or 1; at the text's ends the end itself.
export function edgeBeside(map, unit, step) {
  const at = edgeBefore(map.edges, unit);
  if (step < 0) return map.edges[at] < unit ? map.edges[at] : map.edges[Math.max(0, at - 1)];
  return map.edges[Math.min(map.edges.length - 1, at + 1)];
}

// Units [from, to] as a selection to be stored: in order, inside the text, whole visible characters,
// no white space at the edges. Null when nothing is left.
export function snap(map, from, to) {
  const last = map.shown.length;
  const low = Math.max(0, Math.min(from, to));
  const high = Math.min(last, Math.max(from, to));
  if (low >= high) return null;
  let first = edgeBefore(map.edges, low);
  let end = edgeBefore(map.edges, high);
  if (map.edges[end] < high) end++;
  const blank = (i) => SPACE.test(map.shown.slice(map.edges[i], map.edges[i + 1]));
  while (first < end && blank(first)) first++;
  while (first < end && blank(end - 1)) end--;
  return first < end ? [map.edges[first], map.edges[end]] : null;
}

// The range with one edge ("start" or "end") moved by a visible character, past blanks; null where it
// cannot be moved.
export function moveEdge(map, [from, to], which, step) {
  let unit = which === "start" ? from : to;
  for (;;) {
    const next = edgeBeside(map, unit, step);
    const pair = which === "start" ? [next, to] : [from, next];
    if (next === unit || pair[0] >= pair[1]) return null;
    unit = next;
    const found = snap(map, ...pair);
    if (found && (found[0] !== from || found[1] !== to)) return found;
  }
}

// A range of units as stored places: {start, end}.
export const stored = (map, [from, to]) => ({ start: map.pointAt[from], end: map.pointAt[to] });

// A stored span as a range of units.
export const units = (map, span) => [map.unitAt[span.start], map.unitAt[span.end]];

export const quote = (map, span) => map.shown.slice(...units(map, span));

// The word that holds a unit, without the punctuation around it; a sign that is no word by itself
// (an emoji, a comma) alone; null on white space.
export function wordAt(map, unit) {
  if (unit < 0 || unit >= map.shown.length) return null;
  const words = new Intl.Segmenter(map.language, { granularity: "word" });
  const part = words.segment(map.shown).containing(unit);
  let from = part.index;
  let to = from + part.segment.length;
  if (!WORD.test(part.segment)) {
    const at = edgeBefore(map.edges, unit);
    return snap(map, map.edges[at], map.edges[at + 1]);
  }
  while (from < to && !WORD.test(letterAt(map.shown, from))) from += letterAt(map.shown, from).length;
  while (from < to && !WORD.test(letterBefore(map.shown, to))) to -= letterBefore(map.shown, to).length;
  return snap(map, from, to);
}

const letterAt = (text, unit) => String.fromCodePoint(text.codePointAt(unit));

function letterBefore(text, unit) {
  const pair = text.slice(unit - 2, unit);
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : text[unit - 1];
}
