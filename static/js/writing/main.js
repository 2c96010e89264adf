// The writing page: joins the sample on screen to its saving, sending and deleting.

import { announce, by, complain, make, messages, quiet, request, say, settings, standing } from "../label/api.js";
import { Clock } from "../label/clock.js";
import { anyOpen, versions, wire } from "../label/dialogs.js";
import { browserStorage, Disk } from "../label/store.js";
import { among } from "../label/sync.js";
import { Viewer } from "../label/viewer.js";
import { advise, refuse, settled } from "./advice.js";
import * as balance from "./balance.js";
import { fromServer, outcome, same } from "./document.js";
import { listen } from "./keys.js";
import { preview } from "./lists.js";
import { Page } from "./page.js";
import { besideStore, Saving, store as storeOn } from "./saving.js";
import { Counts } from "../shared/typing.js";

const OPEN = ["draft", "returned"];
const disk = new Disk();
const store = storeOn(browserStorage(), disk);
const beside = besideStore(browserStorage(), disk);
const clock = new Clock(settings.idle_seconds);
const counts = new Counts();
const viewer = new Viewer();
const sync = new Saving(store, clock, counts, (event, details) => heard[event](details));
const page = new Page(counts, {
  changed(answer, typed) {
    sync.change(answer, false, typed);
    balance.marks(numbers, sample.label, answer.label);
  },
  keep: (what) => beside.keep(sample.id, { what }),
});
let { sample, balance: numbers } = settings;
let sending = false;

// While a sample is on its way nothing of it may change.
function hold(on) {
  sending = on;
  page.freeze(on);
  by("submit").setAttribute("aria-disabled", String(on));
}

function pasted({ typed, pasted: put }) {
  const share = typed + put ? Math.round((100 * put) / (typed + put)) : 0;
  by("pasted").textContent = say("pasted", { share });
}

const heard = {
  state({ name, busy }) {
    standing(name, busy ? "state_busy" : `state_${name}`);
    if (sending && name !== "saving" && name !== "saved") hold(false);
  },

  saved({ annotation, submit }) {
    sample = annotation.sample;
    numbers = annotation.balance;
    advise(annotation.advice);
    pasted(sample);
    balance.draw(numbers, sample.label, page.answer.label);
    if (submit) finished();
  },

  async conflict({ mine, theirs }) {
    if (sending) hold(false);
    const open = OPEN.includes(theirs.state);
    const own = await choose(mine, fromServer(theirs), open);
    sync.settle(theirs, own ? mine : null);
    if (!own && !open) return location.reload();
    sample = theirs;
    return own ? undefined : page.open(fromServer(theirs));
  },

  refused({ errors, submit }) {
    if (sending) hold(false);
    refuse(errors, page.answer.edit_mode, submit);
  },

  late() {},
};

// Both versions side by side; one that was sent can only be taken.
function choose(mine, theirs, open) {
  const shown = (answer) => {
    const text = make("p", { className: "sent-text", dir: "auto" });
    preview(text, outcome(answer), answer.label);
    const label = settings.labels.find((one) => one.code === answer.label);
    return [make("p", { className: "quiet", textContent: label ? label.name : say("no_label") }), text];
  };
  by("take-mine").hidden = !open;
  by("conflict-sent").hidden = open;
  return versions(shown(mine), shown(theirs));
}

function finished() {
  beside.drop(sample.id);
  by("work").hidden = true;
  by("done").hidden = false;
  document.body.classList.add("alone");
  window.scrollTo(0, 0);
  by("done-title").focus();
  announce(say("sent"));
}

// What the browser kept of this sample goes on top of what the site has.
function resume() {
  const kept = store.get(sample.id);
  const held = fromServer(sample);
  sync.open(sample.id, sample.version, settings.brief.question);
  if (!kept) return held;
  if (!OPEN.includes(sample.state) || (same(kept.answer, held) && !kept.submit)) {
    if (same(kept.answer, held)) store.drop(sample.id);
    else setTimeout(() => heard.conflict({ mine: kept.answer, theirs: sample }));
    return held;
  }
  sync.knows(kept);
  if (kept.counts) counts.add(kept.counts);
  const ours = kept.version === sample.version || same(kept.answer, held) || among(kept.sent, held, same);
  if (ours) sync.change(kept.answer, kept.submit);
  else {
    sync.doc.wanted = kept.answer;
    heard.conflict({ mine: kept.answer, theirs: sample });
  }
  return kept.answer;
}

function submit() {
  if (sending || !OPEN.includes(sample.state)) return;
  settled("label", "text", "spans", "declared");
  quiet();
  if (!page.marker.waiting.settle()) return;
  page.marker.letGo();
  sync.change({ ...page.answer, declared: by("declared").checked }, true);
  hold(true);
}

async function remove() {
  const idle = await sync.idle();
  sync.doc = null;
  const reply = await request("DELETE", settings.urls.sample);
  if (reply.status === 204 || reply.status === 404) {
    store.drop(sample.id);
    beside.drop(sample.id);
    return location.assign(settings.urls.home);
  }
  by("delete").close();
  sync.open(sample.id, sample.version, settings.brief.question);
  if (!idle) sync.change(page.answer);
  return complain(messages(reply.body).map((one) => one.message).join(" ") || say("not_deleted"), null, true);
}

async function look() {
  const reply = await request("GET", settings.urls.sample);
  if (reply.status === 200 && !sync.unsent) advise(reply.body.advice);
}

async function start() {
  wire();
  viewer.open(settings.brief);
  clock.watch(document);
  await Promise.all([store.load(), beside.load()]);
  const open = OPEN.includes(sample.state);
  page.freeze(!open);
  if (!open) beside.drop(sample.id);
  page.open(resume(), beside.get(sample.id)?.what);
  pasted(sample);
  balance.marks(numbers, sample.label, page.answer.label);
  sync.watch(window);
  listen(page.marker, viewer, submit);
  by("submit")?.addEventListener("click", submit);
  by("declared").addEventListener("change", () => settled("declared"));
  by("delete-yes")?.addEventListener("click", remove);
  document.documentElement.dataset.ready = "1";
  if (open && sample.text.trim() && !anyOpen()) look();
}

start();
