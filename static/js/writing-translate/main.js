// The post-editing page: joins the fields, the marked error and their saving.

import { announce, by, complain, make, quiet, say, settings } from "../label/api.js";
import { Clock } from "../label/clock.js";
import { wire } from "../label/dialogs.js";
import { quote, textMap } from "../label/offsets.js";
import { browserStorage, Disk, Store } from "../label/store.js";
import { Viewer } from "../label/viewer.js";
import { shifted } from "./changes.js";
import { MarkDesk } from "./desk.js";
import { Counter, Differences, Field } from "./editor.js";
import { listen } from "./keys.js";
import { fromSample, same, SampleSync } from "./saving.js";

const { sample, machine, brief } = settings;
const open = sample.state === "draft" || sample.state === "returned";
const store = new Store(`translation:${settings.person}`, browserStorage(), new Disk());
const clock = new Clock(settings.idle_seconds);
const counter = new Counter();
const viewer = new Viewer();
const sync = new SampleSync(store, clock, counter, (event, details) => heard[event](details));
const desk = new MarkDesk(() => changed());
const differences = new Differences(machine, sample.language);
const text = new Field(by("text"), sample.language, typed);
const question = new Field(by("own-question"), sample.language, (change, event) => {
  counter.add(change, event);
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
  counter.add(change, event);
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
  by("reason").value = held.untranslatable;
  face();
  desk.open(text.map, held.spans);
  differences.draw(text.map.shown);
}

function face() {
  const impossible = by("impossible").checked;
  by("why").hidden = !impossible;
  by("confirming").hidden = impossible;
}

const heard = {
  state({ name }) {
    const line = by("state");
    const troubled = ["login", "stranger", "forbidden", "unsaved"].includes(line.dataset.state);
    line.dataset.state = name;
    line.textContent = say(`state_${name}`);
    const link = { href: settings.urls.login, target: "_blank", textContent: say("login_link") };
    if (name === "login") complain(say("login"), make("a", link), true);
    else if (name === "stranger" || name === "forbidden") complain(say(name), null, true);
    else if (name === "saved" && troubled) quiet();
    if (name === "offline" || name === "saved") announce(line.textContent, 300);
  },

  saved({ submit }) {
    if (!submit) return;
    by("work").hidden = true;
    by("done").hidden = false;
    by("done-title").focus();
  },

  advice({ advice }) {
    const told = advice.map((one) => make("li", { textContent: one.message }));
    if (by("advice").textContent !== told.map((row) => row.textContent).join("")) by("advice").replaceChildren(...told);
  },

  async conflict({ mine, theirs }) {
    const own = await choose(mine, fromSample(theirs));
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

// Both versions side by side; resolves to true for the person's own. There is no third way out.
function choose(mine, theirs) {
  by("conflict-mine").replaceChildren(...version(mine));
  by("conflict-theirs").replaceChildren(...version(theirs));
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  by("conflict").showModal();
  return new Promise((resolve) => {
    for (const [id, own] of [["take-mine", true], ["take-theirs", false]]) {
      by(id).onclick = () => {
        by("conflict").close();
        resolve(own);
      };
    }
  });
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
  Object.assign(counter, { typed: kept.answer.typed, pasted: kept.answer.pasted });
  show(kept.answer);
  if (kept.version === sample.version || (kept.sent && same(kept.sent, held))) return sync.change(answer());
  sync.doc.wanted = kept.answer;
  return heard.conflict({ mine: kept.answer, theirs: sample });
}

async function start() {
  wire();
  clock.watch(document);
  sync.watch(window);
  viewer.open(brief);
  desk.locked = !open;
  listen(desk, viewer, send);
  by("send").addEventListener("click", send);
  by("impossible").addEventListener("change", () => {
    face();
    changed();
  });
  by("reason").addEventListener("input", () => changed());
  await store.load();
  resume();
  document.documentElement.dataset.ready = "1";
}

start();
