// Saving a sample: as the labelling page saves an answer, but at the latest a second after the first
// unsaved keystroke, with the counts of characters, and under keys of its own in the browser's store.

import { request, settings } from "../label/api.js";
import { Store } from "../label/store.js";
import { Sync } from "../label/sync.js";
import { fromServer, same } from "./document.js";

const LONGEST = 900;

export const store = (storage, disk) => new Store(`writing:${settings.person}`, storage, disk);

export class Saving extends Sync {
  read = fromServer;
  same = same;

  constructor(kept, clock, counts, tell) {
    super(kept, clock, tell);
    this.counts = counts;
    this.due = 0;
  }

  later(delay) {
    if (!this.due) this.due = Date.now() + LONGEST;
    super.later(Math.max(0, Math.min(delay, delay > LONGEST ? delay : this.due - Date.now())));
  }

  keep(doc) {
    const { id, version, name, wanted, submit, lost } = doc;
    this.store.keep(id, { version, name, answer: wanted, submit, sent: lost, counts: this.counts.held() });
  }

  async send({ version }, answer, submit, leaving) {
    this.due = 0;
    const active_ms = this.clock.take();
    const counted = this.counts.take();
    const body = { ...answer, ...counted, version, active_ms, submit };
    const { status, body: found } = await request("PUT", settings.urls.sample, body, leaving);
    if (status === 200) return { status, body: { ...found, version: found.sample.version } };
    this.clock.giveBack(active_ms);
    this.counts.add(counted);
    return { status, body: status === 409 ? { annotation: found.sample } : found };
  }
}
