// Which item comes next; it and its picture are fetched ahead.

const FRESH_MS = 120000; // the lease of a place fetched earlier is asked for again

export class Queue {
  constructor(api) {
    this.api = api;
    this.ahead = null;
  }

  /** Fetch what follows the place on screen; failures are of no matter, next() asks again. */
  async prefetch(id) {
    const asked = { after: id, at: Date.now() };
    this.ahead = asked;
    const reply = await this.api.claim(id);
    if (this.ahead !== asked || reply.status !== 200) return;
    asked.assignment = reply.body;
    const { image_url: url } = reply.body.item;
    if (!url) return;
    asked.image = new Image(); // kept, so that the picture stays in memory
    asked.image.src = url;
  }

  /** {status, body} of the place after the one with that id (null: the first). */
  async next(id) {
    const ahead = this.ahead;
    this.ahead = null;
    if (ahead?.assignment && ahead.after === id && Date.now() - ahead.at < FRESH_MS) {
      return { status: 200, body: ahead.assignment };
    }
    return this.api.claim(id);
  }
}
