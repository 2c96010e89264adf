// Saving: one request at a time, each resting on the version acknowledged last. What is under way
// stays in the store until the server has it. `tell(event, details)` carries the news:
//   state {name, busy}    saving | saved | offline | login | stranger | forbidden | unsaved
//   saved {annotation, submit}    conflict {mine, theirs}    late {}    refused {errors, submit}

import { messages, placeUrl, request, settings } from "./api.js";
import { forServer, fromServer, isStored, same } from "./spans.js";

const DELAY = 600;
const LONGEST = 30000;
const LOGIN_WAIT = 4000;
const REMEMBERED = 8;

// Whether what the server has is one of the answers that were sent without a reply.
export const among = (sent, theirs, same) => [].concat(sent || []).some((one) => same(theirs, one));

export class Sync {
  // What a document of another kind does in its own way, besides `send`.
  read = fromServer;
  same = same;
  // Set by a page that comes with its answer in it, once another is asked for: that one may have
  // been made before this save, and then finds the answer in the store alone.
  leaving = false;

  constructor(store, clock, tell) {
    Object.assign(this, { store, clock, tell, doc: null, busy: false, timer: 0, tries: 0 });
  }

  watch(page) {
    const again = () => {
      this.tries = 0;
      if (this.unsent) this.flush();
    };
    page.addEventListener("online", again);
    page.addEventListener("focus", again);
    page.addEventListener("offline", () => this.unsent && this.state("offline"));
    page.document.addEventListener("visibilitychange", () => {
      if (this.unsent && !this.halted) this.flush(page.document.hidden);
    });
    page.addEventListener("pagehide", () => this.unsent && !this.halted && this.flush(true));
  }

  get unsent() {
    return Boolean(this.doc && this.doc.wanted);
  }

  // The place on screen; `version` is the one its answer has at the server, `name` the item's.
  open(id, version, name) {
    clearTimeout(this.timer);
    this.doc = { id, version, name, wanted: null, submit: false, lost: [] };
    this.halted = false;
    this.tries = 0;
  }

  // What a page before this one kept: it may have sent that, and not have lived to hear of it.
  knows({ answer, sent }) {
    this.doc.lost = [answer].concat(sent || []);
  }

  state(name) {
    this.tell("state", { name });
  }

  change(answer, submit = false) {
    this.doc.wanted = answer;
    this.doc.submit = submit;
    this.leaving = false;
    this.halted = false;
    this.keep(this.doc);
    this.state("saving");
    this.later(submit ? 0 : DELAY);
  }

  keep({ id, version, name, wanted, submit, lost }) {
    this.store.keep(id, { version, name, page: settings.urls.label, answer: wanted, submit, sent: lost });
  }

  later(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), delay);
  }

  async flush(leaving = false) {
    const doc = this.doc;
    if (this.busy || !doc || !doc.wanted) return;
    clearTimeout(this.timer);
    this.busy = true;
    const { wanted: answer, submit } = doc;
    // Should the page die before the reply, the next one must know its own answer again.
    doc.lost = [answer, ...doc.lost.filter((one) => one !== answer)].slice(0, REMEMBERED);
    this.keep(doc);
    const reply = await this.send(doc, answer, submit, leaving);
    this.busy = false;
    this.answered(doc, answer, submit, reply);
    if (this.doc !== doc && this.unsent) this.later(0);
  }

  async send({ id, version }, answer, submit, leaving) {
    const active = this.clock.take();
    const body = { ...forServer(answer), version, active_ms: active, submit };
    const reply = await request("PUT", placeUrl(id), body, leaving);
    if (reply.status !== 200 && reply.status !== 410) this.clock.giveBack(active);
    return reply;
  }

  answered(doc, answer, submit, { status, body }) {
    if (status === 200) this.accepted(doc, answer, submit, body);
    else if (status === 409) this.differs(doc, answer, body.annotation);
    else if (status === 410) this.late(doc, answer, body.annotation);
    else if (status === 401) this.wait("login", LOGIN_WAIT);
    else if (status === -1) this.stop("stranger");
    else if (status === 403 || status === 404) this.stop("forbidden"); // asking again changes nothing
    else if (status === 400 || status === 413 || status === 422) {
      if (this.doc === doc) this.refused(doc, answer, submit, messages(body));
    } else this.again(status > 0); // it may be stored: the reply was lost, or the site died while it answered
  }

  // The place is another's; what was typed since is kept for the coordinator as well.
  late(doc, answer, { version }) {
    const here = this.doc === doc;
    doc.version = version;
    if (here && doc.wanted !== answer) return this.later(0);
    this.store.drop(doc.id);
    doc.wanted = null;
    return here && this.tell("late", {});
  }

  accepted(doc, answer, submit, annotation) {
    if (!isStored(annotation)) return this.again(true);
    doc.version = annotation.version;
    doc.lost = [];
    this.tries = 0;
    if (doc.wanted !== answer || doc.submit !== submit) {
      this.keep(doc);
      return this.doc === doc && this.later(0);
    }
    doc.wanted = null;
    if (!this.leaving) this.store.drop(doc.id);
    if (this.doc !== doc) return undefined;
    this.state("saved");
    return this.tell("saved", { annotation, submit });
  }

  // Another version at the server: our own request whose reply was lost, or another writer.
  differs(doc, answer, annotation) {
    const theirs = this.read(annotation);
    if (among([doc.wanted, ...doc.lost], theirs, this.same)) {
      doc.version = annotation.version;
      doc.lost = [];
      this.keep(doc);
      return this.doc === doc && this.later(0);
    }
    if (this.doc !== doc) return undefined;
    this.stop("unsaved");
    return this.tell("conflict", { mine: doc.wanted, theirs: annotation });
  }

  refused(doc, answer, submit, errors) {
    doc.submit = false;
    this.tell("refused", { errors, submit });
    if (submit && doc.wanted) return this.later(0); // what cannot be submitted is a draft all the same
    this.keep(doc);
    return this.stop("unsaved");
  }

  again(busy) {
    this.wait("offline", Math.min(LONGEST, 1000 * 2 ** this.tries++), busy);
  }

  wait(name, delay, busy = false) {
    this.tell("state", { name, busy });
    this.later(delay);
  }

  stop(name) {
    this.halted = true;
    clearTimeout(this.timer);
    this.state(name);
  }

  // The person chose: their own version goes on top of the stored one, or gives way to it.
  settle(annotation, mine) {
    this.doc.version = annotation.version;
    this.halted = false;
    if (mine) return this.change(mine);
    this.doc.wanted = null;
    this.store.drop(this.doc.id);
    return this.state("saved");
  }

  // Resolves when everything is acknowledged, or after `longest` ms.
  async idle(longest = 1500) {
    if (this.unsent) this.flush();
    for (let waited = 0; (this.unsent || this.busy) && waited < longest; waited += 50) {
      await new Promise((done) => setTimeout(done, 50));
    }
    return !this.unsent;
  }
}
