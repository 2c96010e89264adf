// The writing page: joins the sample on screen to its saving, sending and deleting.

import { announce, by, complain, make, messages, quiet, request, say, settings, standing } from "../label/api.js";
import { Clock } from "../label/clock.js";
import { anyOpen, versions, wire } from "../label/dialogs.js";
import { browserStorage, Disk } from "../label/store.js";
import { among } from "../label/sync.js";
import { Viewer } from "../label/viewer.js";
import { fromServer, outcome, same } from "./document.js";
import { listen } from "./keys.js";
import { Page, preview } from "./page.js";
import { besideStore, Saving, store as storeOn } from "./saving.js";
import { advise, drawBalance, markFull, refuse, settled } from "./told.js";
import { Advice } from "../shared/advice.js";
import { Counts } from "../shared/typing.js";

const OPEN = ["draft", "returned"];
const disk = new Disk();
const store = storeOn(browserStorage(), disk);
const beside = besideStore(browserStorage(), disk);
const clock = new Clock(settings.idle_seconds);
const counts = new Counts();
const viewer = new Viewer();
const sync = new Saving(store, clock, counts, (event, details) => heard[event](details));
const advice = new Advice(settings.urls.sample, sync, advise);
const page = new Page(counts, {
  changed(answer, typed) {
    sync.change(answer, false, typed);
    markFull(numbers, sample.label, answer.label);
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
    advice.saved(sample, annotation.advice, submit);
    pasted(sample);
    drawBalance(numbers, sample.label, page.answer.label);
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

// Changed elsewhere while it stood here; what cannot be changed here any more is shown as it is now.
function elsewhere(theirs) {
  if (!OPEN.includes(sample.state)) return location.reload();
  sync.doc.wanted = page.answer;
  sync.stop("unsaved");
  return heard.conflict({ mine: page.answer, theirs });
}

async function remove() {
  const idle = await sync.idle();
  const { version } = sync.doc;
  sync.doc = null;
  const reply = await request("DELETE", `${settings.urls.sample}?version=${version}`);
  if (reply.status === 204 || reply.status === 404) {
    store.drop(sample.id);
    beside.drop(sample.id);
    return location.assign(settings.urls.home);
  }
  by("delete").close();
  sync.open(sample.id, version, settings.brief.question);
  if (reply.status === 409) return elsewhere(reply.body.sample);
  if (!idle) sync.change(page.answer);
  return complain(messages(reply.body).map((one) => one.message).join(" ") || say("not_deleted"), null, true);
}

async function start() {
  wire();
  viewer.open(settings.brief);
  clock.watch(document);
  const rows = window.early?.rows; // read while the modules came
  await Promise.all([store.load(rows), beside.load(rows)]);
  const open = OPEN.includes(sample.state);
  page.freeze(!open);
  if (!open) beside.drop(sample.id);
  page.open(resume(), beside.get(sample.id)?.what);
  pasted(sample);
  markFull(numbers, sample.label, page.answer.label);
  sync.watch(window);
  addEventListener("beforeunload", () => (sync.leaving = true));
  listen(page.marker, viewer, submit);
  by("submit")?.addEventListener("click", submit);
  by("declared").addEventListener("change", () => settled("declared"));
  by("delete-yes")?.addEventListener("click", remove);
  document.documentElement.dataset.ready = "1";
  if (open && sample.text.trim() && !anyOpen()) advice.look();
}

start();
