// What typing changed, in code points of the stored text. Pure: knows no page.
// A text field shows LF for every line end; what is not touched keeps its own.

import { textMap } from "../label/offsets.js";
import { replaced } from "../shared/typing.js";

// The one stretch that differs between the map's shown text and `now`: {start, end, words, cut}, places
// in code points of the raw text; null where nothing does.
export function changeTo(map, now, caret = now.length) {
  const { shown, pointAt } = map;
  if (shown === now) return null;
  let { from, to } = replaced(shown, now, caret);
  while (pointAt[from] === -1) from--;
  while (pointAt[to] === -1) to++;
  const words = now.slice(from, now.length - (shown.length - to));
  return { start: pointAt[from], end: pointAt[to], words, cut: shown.slice(from, to) };
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
