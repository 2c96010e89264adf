// Edits of a correct answer: the text and the exact places that follow from them. Python has the same
// rules in writing/edits.py, which decides; this one shows at once what will be sent. Pure.

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
