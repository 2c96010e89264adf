// The labelling page: opens places, and joins the answer on screen to its saving.
import { browserStorage, Disk, Store } from "./store.js";
import {
  announce, askLogin, by, complain, first, messages, pageUrl, placeUrl, quiet, request, say, settings, standing, view,
} from "./api.js";
import { Clock } from "./clock.js";
import { conflict, report, wire } from "./dialogs.js";
import { listen } from "./keys.js";
import { claim, Prefetch, progress, SLOW } from "./prefetch.js";
import { textMap } from "./offsets.js";
import { fromServer, same } from "./spans.js";
import { among, Sync } from "./sync.js";
import { Unsent } from "./unsent.js";
import { Viewer } from "./viewer.js";
import { Workbench } from "./workbench.js";

const store = new Store(settings.person, browserStorage(), new Disk());
const clock = new Clock(settings.idle_seconds);
const prefetch = new Prefetch();
const viewer = new Viewer();
const sync = new Sync(store, clock, (event, details) => heard[event](details));
const unsent = new Unsent(store, progress);
const bench = new Workbench((answer) => sync.change(answer));
const away = () => place.state === "reported" || place.resting || place.gone; // the coordinator's turn
let place = null;
let moving = false;
let turn = 0; // of several pages asked for one after the other only the last is shown

const heard = {
  state({ name, busy }) {
    const word = name === "saved" && place && place.annotation.draft ? "state_correction" : `state_${name}`;
    standing(name, busy ? "state_busy" : word);
  },

  saved({ annotation, submit }) {
    place.annotation = annotation;
    if (annotation.state === "submitted") place.state = "submitted";
    face();
    heard.state({ name: "saved" });
    unsent.send();
    if (!submit) return;
    announce(say("submitted"));
    bench.frozen = true;
    next();
  },

  async conflict({ mine, theirs }) {
    const own = await conflict(mine, fromServer(theirs), textMap(place.item.response, place.item.language));
    place.annotation = theirs;
    if (own) return sync.settle(theirs, mine);
    sync.settle(theirs, null);
    bench.replace(fromServer(theirs));
    return face();
  },

  // What the person types meanwhile must not go to the next item.
  late() {
    Object.assign(place, { state: "lost", gone: true });
    bench.frozen = true;
    face();
    complain(say("late"), null, true);
  },

  refused({ errors, submit }) {
    complain(errors.map((one) => one.message).join(" ") || say("refused"), null, true);
    if (submit && errors.some((one) => one.where === "comment")) by("comment").focus();
  },
};

// The words that depend on where the place stands.
function face() {
  const submitted = place.annotation.state === "submitted";
  const over = away() || (submitted && !place.annotation.draft);
  by("submit").textContent = say(over ? "go_on" : submitted ? "submit_again" : "submit");
  by("report-open").hidden = submitted || away();
  by("standing").textContent =
    { lost: say("place_lost"), reported: say("place_reported") }[place.state] || (place.resting ? say("place_resting") : submitted ? say("place_submitted") : "");
}

// What the browser kept of this place goes on top of what the server has.
function resume(annotation) {
  const kept = store.get(place.id);
  const held = fromServer(annotation);
  sync.open(place.id, annotation.version, place.item.question || place.item.key);
  if (!kept) return held;
  const done = same(kept.answer, held) && (!kept.submit || (annotation.state === "submitted" && !annotation.draft));
  if (done) {
    store.drop(place.id);
    return held;
  }
  sync.knows(kept);
  if (kept.version === annotation.version || among(kept.sent, held, same) || same(kept.answer, held)) {
    sync.change(kept.answer, kept.submit);
  } else {
    sync.doc.wanted = kept.answer;
    heard.conflict({ mine: kept.answer, theirs: annotation });
  }
  return kept.answer;
}

function show(assignment, push) {
  place = assignment;
  const { item, annotation } = place;
  history[push ? "pushState" : "replaceState"]({}, "", pageUrl(place.id));
  view("work");
  quiet();
  by("question").textContent = item.question;
  by("question").hidden = !item.question;
  by("question").lang = item.language;
  viewer.open(item);
  heard.state({ name: "" });
  const answer = resume(annotation);
  bench.open(item.response, item.language, answer);
  clock.restart();
  face();
  window.scrollTo(0, 0);
  document.documentElement.dataset.ready = "1";
  if (place.state === "claimed") prefetch.ahead(place.id);
  unsent.open(place.id);
  progress();
}

function received(reply, push) {
  if (reply.status === 200 && reply.body.item) return show(reply.body, push);
  document.documentElement.dataset.ready = "1";
  if (reply.status === 204) {
    if (place && push) history.pushState({}, "", settings.urls.label); // Back leads to the last item
    place = null;
    return progress().then(() => {
      view("done");
      by("done-title").focus();
    });
  }
  bench.frozen = false;
  if (place && reply.status === 401) return askLogin();
  if (place) return complain(say({ 403: "no_more", 404: "no_more" }[reply.status] || "no_next"), null, true);
  const said = messages(reply.body).map((one) => one.message).join(" ");
  by("trouble-words").textContent = reply.status === 0 || !said ? say("no_line") : said;
  return view("trouble");
}

async function next() {
  if (moving) return;
  const mine = ++turn;
  moving = true;
  const slow = setTimeout(() => complain(say("coming"), null, true), SLOW);
  const reply = await (place ? prefetch.next(place.id) : claim());
  clearTimeout(slow);
  moving = false;
  if (mine !== turn) return;
  received(reply, true);
  if (reply.status === 200) bench.root.focus({ preventScroll: true });
}

// twice: the second click of a double click, which the next item may get.
function submit(twice = false) {
  const answer = bench.answer;
  const { state, draft } = place.annotation;
  if (away() || (state === "submitted" && !draft && !sync.unsent)) return void next();
  if (twice) return undefined;
  if (!answer.spans.length && !answer.no_hallucination) return void complain(say("nothing_marked"));
  const label = settings.labels.find((one) => one.comment_required && answer.spans.some((span) => span.label === one.code));
  if (label && !answer.comment.trim()) {
    by("comment").focus();
    return void complain(say("comment_needed", { label: label.name }));
  }
  return sync.change(answer, true);
}

async function reopen() {
  const mine = ++turn;
  const found = location.pathname.match(/(\d+)\/$/);
  if (found && place && found[1] === String(place.id)) return; // a link within the page
  await sync.idle();
  const reply = await (found ? request("GET", placeUrl(found[1])) : claim());
  if (mine === turn) received(reply, false);
}

async function start() {
  wire();
  clock.watch(document);
  for (const one of [sync, unsent]) one.watch(window);
  listen(bench, viewer, { submit: () => submit(), ready: () => place !== null && !by("work").hidden });
  by("submit").addEventListener("click", (event) => submit(event.detail > 1));
  for (const id of ["undo", "redo"]) by(id).addEventListener("click", () => bench.turn(id === "undo"));
  by("again").addEventListener("click", () => location.reload());
  by("report-open").addEventListener("click", async () => {
    await sync.idle();
    if (await report(place.id)) next();
  });
  addEventListener("popstate", reopen);
  await store.load(window.early?.rows); // read while the modules came
  const ours = (one) => [undefined, settings.urls.label].includes(store.get(one).page);
  const id = settings.assignment || store.ids().find(ours); // what was not sent goes first
  let reply = await (id ? first("GET", placeUrl(id)) : first("POST", settings.urls.claim));
  if (reply.status === 404) reply = await claim();
  received(reply, false);
}

start();
