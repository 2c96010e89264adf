// Advice of the site about a sample. A save brings what is found at once; near-duplicates take longer
// to look for, and are asked for once the writer pauses, where the text is another one by then.

import { request } from "../label/api.js";

const PAUSE = 5000;
export const LATER = ["near_duplicate"];

export class Advice {
  // sync: what saves the sample; show(list) draws.
  constructor(url, sync, show) {
    Object.assign(this, { url, sync, show, known: [], text: null, timer: 0 });
  }

  // After a save: what it found, and what was known of the rest. `whole` where nothing is missing.
  saved({ text }, list, whole = false) {
    this.take(whole ? list : list.concat(this.known.filter((one) => LATER.includes(one.check))));
    clearTimeout(this.timer);
    if (whole) this.text = text;
    else if (text !== this.text) this.timer = setTimeout(() => this.look(), PAUSE);
  }

  take(list) {
    this.known = list;
    this.show(list);
  }

  async look() {
    if (this.sync.unsent) return; // the next save comes here again
    const { status, body } = await request("GET", this.url);
    if (status !== 200 || this.sync.unsent) return;
    this.text = body.sample.text;
    this.take(body.advice);
  }
}
