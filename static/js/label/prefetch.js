// The next place is claimed, and its picture fetched, while the person works on this one; and how
// far the person is: the thin line on top, and the words at the end.

import { by, request, say, settings } from "./api.js";

export const SLOW = 2000; // milliseconds until somebody who waits is told
const SOON = 3000; // what was asked ahead and has no answer by then is asked again
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
    const ready = this.after === after && Date.now() - this.at < FRESH
      ? await Promise.race([this.reply, new Promise((late) => setTimeout(late, SOON, null))]) : null;
    this.forget();
    return ready && ready.status === 200 ? ready : claim(after);
  }
}

export async function progress() {
  const reply = await request("GET", settings.urls.project);
  const mine = reply.body && reply.body.progress;
  if (!mine) return;
  const total = mine.submitted + mine.left;
  by("progress").value = total ? mine.submitted / total : 0;
  by("progress-words").textContent = say("progress", { done: mine.submitted, left: mine.left });
  ended(mine.submitted, reply.body.resting);
}

// What stands in place of the next item when there is none.
function ended(done, resting) {
  by("done-title").textContent = say(resting ? "done_for_now" : done ? "done_all" : "done_nothing");
  by("done-words").textContent = done || !resting ? say({ 0: "done_none", 1: "done_one" }[done] || "done_many", { done }) : "";
  by("done-resting").textContent = resting ? say(resting === 1 ? "resting_one" : "resting_many", { count: resting }) : "";
  by("done-answers").hidden = !done && !resting;
}
