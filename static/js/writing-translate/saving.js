// Saving a translation: the labelling page's way of saving, for what a sample holds.
// An answer is {text, spans, question, untranslatable, declared, typed, pasted}.

import { among, Sync } from "../label/sync.js";

export function fromSample(sample) {
  const { text, spans, question, untranslatable } = sample;
  return { text, spans, question, untranslatable, declared: false, typed: 0, pasted: 0 };
}

const key = ({ text, spans, question, untranslatable }) =>
  JSON.stringify([text, spans.map(({ start, end }) => [start, end]), question, untranslatable]);

export const same = (one, other) => key(one) === key(other);

export class SampleSync extends Sync {
  // counter: what was typed and pasted; `tell` also hears advice {sample, advice, submit}.
  constructor(store, clock, counter, tell) {
    super(store, clock, tell);
    this.counter = counter;
  }

  answered(doc, answer, submit, { status, body }) {
    if (status === 409) return this.differs(doc, answer, body.sample);
    if (status !== 200) return super.answered(doc, answer, submit, { status, body });
    this.counter.acknowledge(answer);
    if (doc.wanted !== answer) {
      const { typed, pasted } = this.counter;
      doc.wanted = { ...doc.wanted, typed, pasted };
    }
    this.tell("advice", { sample: body.sample, advice: body.advice, submit });
    return this.accepted(doc, answer, submit, body.sample);
  }

  // Another version at the server: our own request whose reply was lost, or another tab.
  differs(doc, answer, sample) {
    const theirs = fromSample(sample);
    if (among([doc.wanted, ...doc.lost], theirs, same)) {
      doc.version = sample.version;
      doc.lost = [];
      this.keep(doc);
      return this.doc === doc && this.later(0);
    }
    this.stop("unsaved");
    return this.tell("conflict", { mine: doc.wanted, theirs: sample });
  }
}
