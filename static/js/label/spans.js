// An answer {spans, comment, no_hallucination} and its changes. Pure: every change makes a new one.
// A refusal is {refused: reason, index}, judged from stored offsets and never from the screen.

export const EMPTY = { spans: [], comment: "", no_hallucination: false };

export function plain(value) {
  const spans = value.spans.map(({ start, end, label, sublabel }) =>
    sublabel ? { start, end, label, sublabel } : { start, end, label },
  );
  return { spans, comment: value.comment, no_hallucination: value.no_hallucination };
}

export const same = (a, b) => JSON.stringify(plain(a)) === JSON.stringify(plain(b));

/** Index of the first span that shares a character with [start, end), or -1. */
export function overlapped(spans, start, end, except = -1) {
  return spans.findIndex((span, i) => i !== except && span.start < end && start < span.end);
}

export function add(answer, span, overlapAllowed) {
  const twin = (other) => ["start", "end", "label"].every((key) => other[key] === span[key]);
  const index = overlapAllowed
    ? answer.spans.findIndex(twin)
    : overlapped(answer.spans, span.start, span.end);
  if (index >= 0) return { refused: "overlap", index };
  return { ...answer, spans: [...answer.spans, span], no_hallucination: false };
}

export function relabel(answer, index, label) {
  const spans = answer.spans.map((span, i) =>
    i === index && span.label !== label ? { start: span.start, end: span.end, label } : span,
  );
  return { ...answer, spans };
}

export function resize(answer, index, { start, end }, overlapAllowed) {
  const other = overlapAllowed ? -1 : overlapped(answer.spans, start, end, index);
  if (other >= 0) return { refused: "overlap", index: other };
  const spans = answer.spans.map((span, i) => (i === index ? { ...span, start, end } : span));
  return { ...answer, spans };
}

export function remove(answer, index) {
  return { ...answer, spans: answer.spans.filter((_, i) => i !== index) };
}

export function setNone(answer, none) {
  if (none && answer.spans.length) return { refused: "spans", index: 0 };
  return { ...answer, no_hallucination: none };
}

/** Why the answer cannot be submitted: "empty", "comment" with the label that asks; or null. */
export function missing(answer, labels) {
  if (!answer.spans.length && !answer.no_hallucination) return { why: "empty" };
  const asking = labels.find(
    (label) => label.comment_required && answer.spans.some((span) => span.label === label.code),
  );
  return asking && !answer.comment.trim() ? { why: "comment", label: asking } : null;
}

/** Spans in reading order: indexes into the marking order. */
export function reading(spans) {
  const order = spans.map((_, i) => i);
  return order.sort((a, b) => spans[a].start - spans[b].start || spans[a].end - spans[b].end || a - b);
}

/** Undo and redo of marks; the comment keeps the browser's own. */
export class History {
  constructor() {
    this.past = [];
    this.future = [];
  }

  push(before) {
    this.past.push(before);
    this.future = [];
  }

  undo(now) {
    return this.#swap(this.past, this.future, now);
  }

  redo(now) {
    return this.#swap(this.future, this.past, now);
  }

  #swap(source, target, now) {
    if (!source.length) return null;
    target.push(now);
    return { ...source.pop(), comment: now.comment };
  }
}
