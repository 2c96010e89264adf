// A sample as the writer works on it. Pure: {label, edit_mode, text, spans, correct, edits}, never
// changed in place; offsets are code points. Free writing has text and spans, edit mode has correct
// and edits, and text and spans follow from them.

import { apply } from "./edits.js";

const place = ({ start, end }) => ({ start, end });
const edit = ({ start, end, hallucinated }) => ({ start, end, hallucinated });

export const ordered = (places) => [...places].sort((a, b) => a.start - b.start || a.end - b.end);

export function fromServer(sample) {
  const { label, edit_mode, text, spans, correct, edits } = sample;
  return edit_mode
    ? { label, edit_mode, text: "", spans: [], correct, edits: edits.map(edit) }
    : { label, edit_mode, text, spans: ordered(spans.map(place)), correct: "", edits: [] };
}

const key = ({ label, edit_mode, text, spans, correct, edits }) =>
  JSON.stringify([label, edit_mode, edit_mode ? [correct, edits.map(edit)] : [text, spans.map(place)]]);

export const same = (one, other) => key(one) === key(other);

// What is sent in the end: {text, spans}.
export const outcome = (answer) => (answer.edit_mode ? apply(answer.correct, answer.edits) : answer);

// The text that is shown for marking, and the places in it.
export const base = ({ edit_mode, text, spans, correct, edits }) =>
  edit_mode ? { text: correct, places: edits } : { text, places: spans };

// Other text, or places, or both, in the part that the mode works on.
export function changed(answer, { text, places }) {
  const names = answer.edit_mode ? ["correct", "edits"] : ["text", "spans"];
  const next = { ...answer };
  if (text !== undefined) next[names[0]] = text;
  if (places !== undefined) next[names[1]] = ordered(places);
  return next;
}

export const written = (text, spans = []) => ({ edit_mode: false, text, spans, correct: "", edits: [] });
export const corrected = (correct) => ({ edit_mode: true, text: "", spans: [], correct, edits: [] });
