// Answers of other places than the one on screen that never reached the site: they are sent behind
// it, one at a time, the oldest first. What the site does not take stays in this browser, and a line
// names the items that need a look.

import { by, make, pageUrl, placeUrl, request, say, settings } from "./api.js";
import { forServer, fromServer, isStored, same } from "./spans.js";
import { among } from "./sync.js";

const QUIET = 60000; // without locks: a tab that still works on an answer keeps it younger than this
const lockOf = (id) => `sheepfold:${settings.person}:${id}`;

export class Unsent {
  // sent() is called when an answer has arrived.
  constructor(store, sent) {
    Object.assign(this, { store, sent, here: null, busy: false, refused: new Map(), letGo: () => {} });
  }

  watch(page) {
    for (const sign of ["online", "focus"]) page.addEventListener(sign, () => this.send());
  }

  // The place on screen, which the page sends by itself: the lock tells other tabs so.
  open(id) {
    this.letGo();
    this.here = String(id);
    this.refused.delete(this.here);
    const left = new Promise((done) => (this.letGo = done));
    if (navigator.locks) navigator.locks.request(lockOf(id), { mode: "shared" }, () => left);
    this.draw();
    this.send();
  }

  async send() {
    if (this.busy || this.here === null) return;
    this.busy = true;
    try {
      await this.store.load();
      for (const id of this.store.ids()) {
        if (this.waits(id) && !(await this.alone(id))) break;
      }
    } finally {
      this.busy = false;
    }
    this.draw();
  }

  waits(id) {
    const [record, known] = [this.store.get(id), this.refused.get(id)];
    return record !== null && id !== this.here && !(known && known.at === record.at);
  }

  // Sends the answer unless another tab has its place on screen.
  alone(id) {
    if (navigator.locks) {
      return navigator.locks.request(lockOf(id), { ifAvailable: true }, (lock) => !lock || this.one(id));
    }
    return Date.now() - this.store.get(id).at < QUIET || this.one(id);
  }

  // True where the next one may follow; false where the line or the login is gone.
  async one(id) {
    const record = this.store.get(id);
    if (!record) return true;
    let reply = await this.put(id, record, record.version);
    if (reply.status === 409 && this.isOurs(record, reply.body.annotation)) {
      reply = await this.put(id, record, reply.body.annotation.version);
    }
    const status = reply.status === 200 && !isStored(reply.body) ? 502 : reply.status;
    if (status === 200 || status === 410) {
      const now = this.store.get(id);
      if (now && now.at === record.at) this.store.drop(id);
      this.sent();
      return true;
    }
    if (status <= 0 || status === 401 || status === 429 || status >= 500) return false;
    this.refused.set(id, record);
    return true;
  }

  put(id, { answer, submit }, version) {
    return request("PUT", placeUrl(id), { ...forServer(answer), version, active_ms: 0, submit });
  }

  // What the site has came from here: the reply was lost.
  isOurs({ answer, sent }, annotation) {
    const theirs = fromServer(annotation);
    return same(theirs, answer) || among(sent, theirs, same);
  }

  draw() {
    const links = [...this.refused]
      .filter(([id]) => id !== this.here && this.store.get(id))
      .flatMap(([id, { name, page }]) => {
        const href = page ? `${page}${id}/` : pageUrl(id);
        return [" ", make("a", { href, textContent: name || `#${id}` })];
      });
    const line = make("span", {}, ...(links.length ? [say("unsent"), ...links] : []));
    if (by("unsent").textContent !== line.textContent) by("unsent").replaceChildren(...line.childNodes);
  }
}
