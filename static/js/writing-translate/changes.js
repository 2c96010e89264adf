// What typing changed, in code points of the stored text. Pure: knows no page.
// A text field shows LF for every line end; what is not touched keeps its own.

import { textMap } from "../label/offsets.js";

const common = (a, b, most) => {
  let n = 0;
  while (n < most && a[n] === b[n]) n++;
  return n;
};

function commonEnd(a, b, most) {
  let n = 0;
  while (n < most && a[a.length - 1 - n] === b[b.length - 1 - n]) n++;
  return n;
}

// The one stretch that differs between the map's shown text and `now`: {start, end, words}, places in
// code points of the raw text; null where nothing does. `caret` (units of `now`, behind what was
// typed) decides among equal letters.
export function changeTo(map, now, caret = now.length) {
  const { shown, pointAt } = map;
  if (shown === now) return null;
  const shorter = Math.min(shown.length, now.length);
  const limit = Math.max(0, caret - Math.max(0, now.length - shown.length));
  let before = common(shown, now, Math.min(shorter, limit));
  let behind = commonEnd(shown, now, shorter - before);
  if (before + behind < shorter) {
    before = common(shown, now, shorter);
    behind = commonEnd(shown, now, shorter - before);
  }
  while (pointAt[before] === -1) before--;
  while (pointAt[shown.length - behind] === -1) behind--;
  const [start, end] = [pointAt[before], pointAt[shown.length - behind]];
  return { start, end, words: now.slice(before, now.length - behind) };
}

export function applied(map, { start, end, words }) {
  const points = [...map.raw];
  const raw = points.slice(0, start).join("") + words + points.slice(end).join("");
  return textMap(raw, map.language);
}

// Spans after a change: they go with their words; what was typed over wholly is gone.
export function shifted(spans, { start, end, words }) {
  const length = [...words].length;
  const delta = length - (end - start);
  return spans.flatMap((span) => {
    if (span.end <= start) return [span];
    if (span.start >= end) return [{ start: span.start + delta, end: span.end + delta }];
    if (start <= span.start && span.end <= end) return [];
    const from = span.start < start ? span.start : start + length;
    const to = span.end > end ? span.end + delta : span.start < start ? start : start + length;
    return from < to ? [{ start: from, end: to }] : [];
  });
}
