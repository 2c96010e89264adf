// The post-editing page: joins the fields, the marked error and their saving.

import { announce, by, complain, make, placeUrl, quiet, say, settings, standing } from "../label/api.js";
import { Clock } from "../label/clock.js";
import { versions, wire } from "../label/dialogs.js";
import { quote, textMap } from "../label/offsets.js";
import { browserStorage, Disk, Store } from "../label/store.js";
import { among } from "../label/sync.js";
import { Viewer } from "../label/viewer.js";
import { Advice } from "../shared/advice.js";
import { Counts } from "../shared/typing.js";
import { shifted } from "./changes.js";
import { MarkDesk } from "./desk.js";
import { Differences, Field } from "./editor.js";
import { listen } from "./keys.js";
import { fromSample, same, SampleSync } from "./saving.js";

const { sample, machine, brief } = settings;
const open = sample.state === "draft" || sample.state === "returned";
const disk = new Disk();
const store = new Store(`translation:${settings.person}`, browserStorage(), disk);
// What is not sent as long as its box is not ticked: why it cannot be translated.
const beside = new Store(`translation-beside:${settings.person}`, browserStorage(), disk);
const clock = new Clock(settings.idle_seconds);
const counter = new Counts();
const viewer = new Viewer();
const sync = new SampleSync(store, clock, counter, (event, details) => heard[event](details));
const told = new Advice(placeUrl(sample.id), sync, advise);
const desk = new MarkDesk(() => changed());
const differences = new Differences(machine, sample.language);
const text = new Field(by("text"), sample.language, typed);
const question = new Field(by("own-question"), sample.language, (change, event) => {
  counter.hear(event, change.words, change.cut);
  changed();
});

// What is on screen, as it is saved.
function answer() {
  return {
    text: text.raw,
    spans: desk.spans.map(({ start, end }) => ({ start, end })),
    question: question.raw,
    untranslatable: by("impossible").checked ? by("reason").value : "",
    declared: by("confirm").checked,
    typed: counter.typed,
    pasted: counter.pasted,
  };
}

function changed() {
  quiet();
  sync.change(answer());
}

function typed(change, event) {
  counter.hear(event, change.words, change.cut);
  const before = desk.spans.length;
  const spans = shifted(desk.spans, change);
  desk.open(text.map, spans);
  differences.draw(text.map.shown);
  changed();
  if (spans.length < before) announce(say("moved"), 300);
}

function show(held) {
  text.open(held.text);
  question.open(held.question);
  by("impossible").checked = Boolean(held.untranslatable);
  by("reason").value = held.untranslatable || beside.get(sample.id)?.reason || "";
  face();
  desk.open(text.map, held.spans);
  differences.draw(text.map.shown);
}

function face() {
  const impossible = by("impossible").checked;
  by("why").hidden = !impossible;
  by("confirming").hidden = impossible;
}

function advise(list) {
  const rows = list.map((one) => make("li", { textContent: one.message }));
  if (by("advice").textContent !== rows.map((row) => row.textContent).join("")) by("advice").replaceChildren(...rows);
}

const heard = {
  state({ name, busy }) {
    standing(name, busy ? "state_busy" : `state_${name}`);
  },

  saved({ submit }) {
    if (!submit) return;
    beside.drop(sample.id);
    by("give-back").hidden = true;
    by("work").hidden = true;
    by("done").hidden = false;
    by("done-title").focus();
  },

  advice({ sample, advice, submit }) {
    told.saved(sample, advice, submit);
  },

  async conflict({ mine, theirs }) {
    const own = await versions(version(mine), version(fromSample(theirs)));
    if (own) return sync.settle(theirs, mine);
    sync.settle(theirs, null);
    return show(fromSample(theirs));
  },

  late() {},

  refused({ errors }) {
    complain(errors.map((one) => one.message).join(" ") || say("refused"), null, true);
  },
};

function version(held) {
  const map = textMap(held.text, sample.language);
  const part = (words, className = "") => make("p", { className, dir: "auto", lang: sample.language, textContent: words });
  const marks = held.spans.map((span) => make("li", {}, make("bdi", { textContent: quote(map, span) })));
  const why = held.untranslatable ? [part(say("impossible", { reason: held.untranslatable }), "quiet")] : [];
  return [part(held.question, "quiet"), part(map.shown || say("no_text"), "said"), make("ul", {}, ...marks), ...why];
}

function missing(held) {
  const need = (word, id) => {
    by(id).focus();
    return complain(say(word));
  };
  if (by("impossible").checked) return held.untranslatable.trim() || need("need_reason", "reason");
  if (brief.question.trim() && !held.question.trim()) return need("need_question", "own-question");
  if (!held.text.trim()) return need("need_text", "text");
  if (!held.spans.length) return need("need_mark", "response");
  return held.declared || need("need_confirm", "confirm");
}

function send() {
  if (!open || by("work").hidden) return;
  const held = answer();
  if (missing(held)) sync.change(held, true);
}

// What the browser kept of this translation goes on top of what the server has.
function resume() {
  const kept = store.get(sample.id);
  const held = fromSample(sample);
  sync.open(sample.id, sample.version, brief.question);
  if (!kept) return show(held);
  if (!open || same(kept.answer, held)) {
    if (open) store.drop(sample.id);
    return show(held);
  }
  sync.knows(kept);
  Object.assign(counter, { typed: kept.answer.typed, pasted: kept.answer.pasted });
  show(kept.answer);
  if (kept.version === sample.version || among(kept.sent, held, same)) return sync.change(answer());
  sync.doc.wanted = kept.answer;
  return heard.conflict({ mine: kept.answer, theirs: sample });
}

async function start() {
  wire();
  clock.watch(document);
  sync.watch(window);
  addEventListener("beforeunload", () => (sync.leaving = true));
  viewer.open(brief);
  desk.locked = !open;
  listen(desk, viewer, send);
  by("send").addEventListener("click", send);
  const reasoned = () => {
    beside.keep(sample.id, { reason: by("reason").value });
    face();
    changed();
  };
  by("impossible").addEventListener("change", reasoned);
  by("reason").addEventListener("input", reasoned);
  const rows = window.early?.rows; // read while the modules came
  await Promise.all([store.load(rows), beside.load(rows)]);
  if (!open) beside.drop(sample.id);
  resume();
  document.documentElement.dataset.ready = "1";
  if (open && sample.text.trim()) told.look();
}

start();
