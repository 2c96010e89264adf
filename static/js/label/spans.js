// An answer and its history. Pure: an answer is {spans, comment, no_hallucination}, never changed in
// place; spans are {start, end, label, turn} in code points, here in the order of the text. `turn`
// tells in which order they were marked: so the site keeps them.

const plain = ({ start, end, label, sublabel }) =>
  sublabel ? { start, end, label, sublabel } : { start, end, label };
const ordered = (spans) => [...spans].sort((a, b) => a.start - b.start || a.end - b.end);
const marked = (spans) => [...spans].sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0)).map(plain);

// The answer as it is sent: spans in the order of marking.
export const forServer = (answer) => ({ ...answer, spans: marked(answer.spans) });

// What is being worked on: the draft of a correction where there is one.
export function fromServer(annotation) {
  const held = annotation.draft || annotation;
  return {
    spans: ordered(held.spans.map((span, turn) => ({ ...plain(span), turn }))),
    comment: held.comment || "",
    no_hallucination: Boolean(held.no_hallucination),
  };
}

const key = ({ spans, comment, no_hallucination }) => JSON.stringify([marked(spans), comment, no_hallucination]);

export const same = (one, other) => key(one) === key(other);

// The number (from 0) of a span that shares a character with the range; -1 where none does.
export const clash = (spans, { start, end }, except = -1) =>
  spans.findIndex((span, i) => i !== except && start < span.end && span.start < end);

export function add(answer, span) {
  const turn = Math.max(-1, ...answer.spans.map((one) => one.turn ?? 0)) + 1;
  return { ...answer, spans: ordered([...answer.spans, { ...plain(span), turn }]), no_hallucination: false };
}

export function change(answer, at, values) {
  const changed = (span) => ({ ...plain({ ...span, ...values }), turn: span.turn });
  const spans = answer.spans.map((span, i) => (i === at ? changed(span) : span));
  return { ...answer, spans: ordered(spans) };
}

export const remove = (answer, at) => ({ ...answer, spans: answer.spans.filter((_, i) => i !== at) });

export const indexOf = (answer, { start, end, label }) =>
  answer.spans.findIndex((s) => s.start === start && s.end === end && s.label === label);

// The number of the span that holds a place; the shortest where several do.
export function spanAt(answer, point) {
  let found = -1;
  answer.spans.forEach((span, i) => {
    const size = span.end - span.start;
    const best = found < 0 ? Infinity : answer.spans[found].end - answer.spans[found].start;
    if (span.start <= point && point < span.end && size < best) found = i;
  });
  return found;
}

// Answers one after the other. Typing in the comment is one step as long as nothing else happens.
export class History {
  constructor(answer) {
    this.past = [];
    this.now = answer;
    this.future = [];
    this.kind = "";
  }

  push(answer, kind = "") {
    if (same(answer, this.now)) return false;
    if (!kind || kind !== this.kind) this.past.push(this.now);
    this.now = answer;
    this.future = [];
    this.kind = kind;
    return true;
  }

  undo() {
    if (!this.past.length) return false;
    this.future.push(this.now);
    this.now = this.past.pop();
    this.kind = "";
    return true;
  }

  redo() {
    if (!this.future.length) return false;
    this.past.push(this.now);
    this.now = this.future.pop();
    this.kind = "";
    return true;
  }
}

// What the site has stored has a version; whatever else says 200 is not the site.
export const isStored = (annotation) => Number.isInteger(annotation?.version);
