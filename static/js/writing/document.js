// A sample as the writer works on it. Pure: {label, edit_mode, text, spans, correct, edits}, never
// changed in place; offsets are code points. Free writing has text and spans, edit mode has correct
// and edits, and text and spans follow from them.

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

// The two ways to write, and what stays of the one that is not on screen.
// beside = {write, edit, older, shown}: {text, spans} and {correct, edits} as the person left them,
// or null; `older` is an own text that another one took the place of; `shown` is the text that the
// changes gave when they were last looked at as a text.

export const nothing = { write: null, edit: null, older: null, shown: null };

export const written = (text, spans = []) => ({ edit_mode: false, text, spans, correct: "", edits: [] });
export const corrected = (correct, edits = []) => ({ edit_mode: true, text: "", spans: [], correct, edits });

// What is on screen, put beside. A text that only shows what the changes gave was written by nobody.
export function left({ edit_mode, text, spans, correct, edits }, beside) {
  if (edit_mode) return { ...beside, edit: correct.trim() ? { correct, edits } : null };
  if (text === beside.shown || !text.trim()) return beside;
  const { write, shown, older } = beside;
  const another = shown !== null && write && write.text !== text;
  return { ...beside, write: { text, spans }, older: another ? write : older };
}

// What the other way can go on with: {name: answer}. More than one: the person is asked.
export const choices = (answer, beside, given) =>
  answer.edit_mode ? toText(answer, beside, given) : toChanges(answer, beside, given);

function toChanges({ text }, { edit }, given) {
  const own = text.trim() ? { own: corrected(text) } : {};
  const brief = given.trim() && given !== text ? { brief: corrected(given) } : {};
  const known = !edit || (!edit.edits.length && [text, given].includes(edit.correct));
  if (known) return own.own || brief.brief ? { ...own, ...brief } : { own: corrected("") };
  const before = { before: corrected(edit.correct, edit.edits) };
  if (!text.trim() || apply(edit.correct, edit.edits).text === text) return before;
  return { ...own, ...(given === edit.correct ? {} : brief), ...before };
}

function toText({ correct, edits }, { write, older }, given) {
  const found = apply(correct, edits);
  const changed = { changed: written(found.text, found.spans) };
  if (!write || (edits.length && [correct, found.text].includes(write.text))) return changed;
  const own = { own: written(write.text, write.spans), ...(older ? { older: written(older.text, older.spans) } : {}) };
  const untouched = !edits.length && ["", given, write.text].includes(correct.trim() ? correct : "");
  return untouched ? own : { ...own, ...changed };
}

// Beside, once `answer` came on screen under that name.
export function entered(name, answer, beside) {
  const shown = name === "changed" ? answer.text : null;
  return name === "older" ? { ...beside, write: beside.older, older: beside.write, shown } : { ...beside, shown };
}

// Edits of a correct answer: the text and the exact places that follow from them. Python has the same
// rules in writing/edits.py, which decides; this one shows at once what will be sent.

// White space as Python knows it.
const SPACE = /^[\t-\r\x1c-\x1f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/u;

// A deletion has no words of its own: its place reaches over the gap to the visible signs beside it.
function visible([start, end], letters) {
  if (start < end) return [start, end];
  let from = start;
  while (from > 0 && SPACE.test(letters[from - 1])) from--;
  let to = end;
  while (to < letters.length && SPACE.test(letters[to])) to++;
  return [Math.max(0, from - 1), Math.min(letters.length, to + 1)];
}

function joined(spans) {
  const found = [];
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = found[found.length - 1];
    if (last && start < last.end) last.end = Math.max(end, last.end);
    else if (start < end) found.push({ start, end });
  }
  return found;
}

// {text, spans} of the correct answer with every edit in it; edits are in order.
export function apply(correct, edits) {
  const clean = Array.from(correct);
  const letters = [];
  const spans = [];
  let at = 0;
  for (const { start, end, hallucinated } of edits) {
    letters.push(...clean.slice(at, start));
    const from = letters.length;
    letters.push(...Array.from(hallucinated));
    spans.push([from, letters.length]);
    at = end;
  }
  letters.push(...clean.slice(at));
  return { text: letters.join(""), spans: joined(spans.map((span) => visible(span, letters))) };
}

export const original = (correct, { start, end }) => Array.from(correct).slice(start, end).join("");

// A word that is left out takes one of the two blanks around it along.
export function withBlank(correct, { start, end }) {
  const letters = Array.from(correct);
  const blanks = (start === 0 || letters[start - 1] === " ") && letters[end] === " ";
  return { start, end: end + Number(blanks) };
}
