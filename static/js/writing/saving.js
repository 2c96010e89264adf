// Saving a sample: as the labelling page saves an answer, but at a pause in the typing, with the
// counts of characters, and under keys of its own in the browser's store.

import { request, settings } from "../label/api.js";
import { Store } from "../label/store.js";
import { Sync } from "../label/sync.js";
import { fromServer, same } from "./document.js";

const PAUSE = 1000; // after the last key
const LONGEST = 5000; // while somebody types on
const SOON = 150; // what was not typed

export const store = (storage, disk) => new Store(`writing:${settings.person}`, storage, disk);

// What is never sent: the way to write that is not on screen, until the sample is sent or deleted.
export const besideStore = (storage, disk) => new Store(`writing-beside:${settings.person}`, storage, disk);

export class Saving extends Sync {
  read = fromServer;
  same = same;

  constructor(kept, clock, counts, tell) {
    super(kept, clock, tell);
    this.counts = counts;
    this.due = 0;
  }

  change(answer, submit = false, typed = false) {
    super.change(answer, submit);
    if (submit) return;
    if (!this.due) this.due = Date.now() + LONGEST;
    this.later(typed ? Math.max(0, Math.min(PAUSE, this.due - Date.now())) : SOON);
  }

  keep(doc) {
    const { id, version, name, wanted, submit, lost } = doc;
    this.store.keep(id, { version, name, answer: wanted, submit, sent: lost, counts: this.counts.held() });
  }

  async send(doc, answer, submit, leaving) {
    this.due = 0;
    const active_ms = this.clock.take();
    const counted = this.counts.take();
    const body = { ...answer, ...counted, version: doc.version, active_ms, submit };
    const { status, body: found } = await request("PUT", settings.urls.sample, body, leaving);
    if (status === 200) return { status, body: { ...found, version: found.sample.version } };
    this.clock.giveBack(active_ms);
    this.counts.add(counted);
    return { status, body: status === 409 ? { annotation: found.sample } : found };
  }
}
