// The next place is claimed, and its picture fetched, while the person works on this one.

import { request, settings } from "./api.js";

const FRESH = 5 * 60 * 1000; // an older one is asked for again: its lease may have run out

export const claim = (after) => request("POST", settings.urls.claim, after ? { after } : {});

export class Prefetch {
  constructor() {
    this.forget();
  }

  forget() {
    this.after = null;
    this.reply = null;
  }

  ahead(after) {
    this.after = after;
    this.at = Date.now();
    this.reply = claim(after).then((reply) => {
      const url = reply.body && reply.body.item && reply.body.item.image_url;
      if (url) new Image().src = url;
      return reply;
    });
  }

  // The reply of the claim after that place: {status, body}.
  async next(after) {
    const ready = this.after === after && Date.now() - this.at < FRESH ? await this.reply : null;
    this.forget();
    return ready && ready.status === 200 ? ready : claim(after);
  }
}
