// The sample on screen: its fields, its marks or changes, and what each change of the person does.

import { announce, by, complain, make, quiet, say, settings } from "../label/api.js";
import { dress } from "../label/paint.js";
import { base, changed, choices, entered, left, nothing, original, outcome, same } from "./document.js";
import { Marker } from "./marker.js";
import { settled } from "./told.js";
import { Field, follow, inField } from "../shared/typing.js";

const radios = (name) => [...document.querySelectorAll(`input[name="${name}"]`)];

export class Page {
  // act: changed(answer, typed) after every change by the person; keep(beside) where something is
  // kept beside the answer: the other way to write, and words that were not put in yet.
  constructor(counts, act) {
    Object.assign(this, { act, answer: null, frozen: false, fixing: false, beside: nothing });
    this.marker = new Marker(counts, {
      put: (at, place, words) => this.put(at, place, words),
      remove: (at) => this.remove(at),
      waiting: (words) => this.keep({ ...this.beside, words }),
    });
    this.text = new Field(by("text"), counts, (...change) => this.typed(...change));
    this.correct = new Field(by("correct"), counts, (...change) => this.typed(...change));
    for (const radio of radios("label")) {
      radio.addEventListener("change", () => this.push({ ...this.answer, label: radio.value }, "label"));
    }
    for (const radio of radios("mode")) radio.addEventListener("change", () => this.mode(radio.value === "edit"));
    by("fixed").addEventListener("click", () => this.fix(false));
    by("refix").addEventListener("click", () => this.fix(true));
  }

  // Another version takes the place of what is on screen.
  open(answer, beside = this.beside) {
    Object.assign(this, { answer, beside, fixing: answer.edit_mode && !answer.correct.trim() });
    this.fill();
    this.draw();
    const { words } = beside;
    if (!this.frozen && answer.edit_mode && words && words.correct === answer.correct) this.marker.waiting.resume(words);
  }

  keep(beside) {
    this.beside = beside;
    this.act.keep(beside);
  }

  fill() {
    this.text.set(this.answer.text);
    this.correct.set(this.answer.correct);
  }

  draw() {
    const { answer } = this;
    const { edit_mode } = answer;
    const { text, places } = base(answer);
    for (const radio of radios("label")) radio.checked = radio.value === answer.label;
    for (const radio of radios("mode")) radio.checked = (radio.value === "edit") === edit_mode;
    const marking = edit_mode ? Boolean(text.trim()) && !this.fixing : Boolean(text.trim());
    by("write-part").hidden = edit_mode || this.frozen;
    by("correct-part").hidden = !edit_mode || !this.fixing || this.frozen;
    by("refix").hidden = !edit_mode || this.fixing || this.frozen;
    by("fixed").disabled = !text.trim();
    by("answer").hidden = !marking;
    by("mark-title").textContent = say(edit_mode ? "title_changes" : "title_error");
    by("mark-how").textContent = say(this.frozen ? "how_frozen" : !marking ? (edit_mode ? "how_correct" : "how_write") : edit_mode ? "how_change" : "how_mark");
    this.marker.show(text, settings.sample.language, places, answer.label, edit_mode);
    const act = { activate: (at) => this.marker.activate(at), remove: (at) => this.marker.remove(at) };
    drawList(answer, text, places, act, this.frozen);
    by("preview-part").hidden = !edit_mode || !text.trim();
    if (edit_mode) preview(by("preview"), outcome(answer), answer.label);
  }

  push(answer, ...fields) {
    if (this.frozen || same(answer, this.answer)) return this.draw();
    this.answer = answer;
    settled(...fields);
    quiet();
    this.draw();
    return this.act.changed(answer, fields.includes("text"));
  }

  // The person typed in the answer, or in the correct answer: places behind it move along.
  typed(old, now, caret) {
    const held = base(this.answer);
    const { places } = inField(held.text, held.places);
    const found = follow(old, now, caret, places);
    this.push(changed(this.answer, { text: now, places: found.places }), "text", "spans");
    if (!found.lost.length) return;
    const quotes = found.lost.map((one) => `“${original(old, one)}”`).join(", ");
    complain(say(this.answer.edit_mode ? "lost_changes" : "lost_marks", { quotes }), null, true);
  }

  put(at, place, words) {
    const { places } = base(this.answer);
    const one = words === null ? place : { ...place, hallucinated: words };
    const next = at < 0 ? [...places, one] : places.map((old, i) => (i === at ? one : old));
    this.push(changed(this.answer, { places: next }), "spans");
  }

  remove(at) {
    this.push(changed(this.answer, { places: base(this.answer).places.filter((_, i) => i !== at) }), "spans");
  }

  fix(on) {
    if (!this.marker.waiting.settle()) return;
    this.fixing = on;
    this.draw();
    (on ? by("correct") : by("response")).focus();
  }

  // To and from the change of a correct answer. Nothing that was written is thrown away: it is what
  // the other way begins with, or it is kept beside and comes back.
  async mode(edit) {
    if (edit === this.answer.edit_mode) return;
    if (!this.marker.waiting.settle()) return void this.draw();
    const beside = left(this.answer, this.beside);
    const found = choices(this.answer, beside, settings.brief.answer);
    const names = Object.keys(found);
    const name = names.length > 1 ? await this.ask(found) : names[0];
    if (!name) return void this.draw();
    const answer = { ...found[name], label: this.answer.label };
    this.keep(entered(name, answer, beside));
    Object.assign(this, { answer, fixing: edit && !answer.correct.trim() });
    this.fill();
    settled("text", "spans");
    this.draw();
    this.act.changed(answer, false);
    if (edit) announce(say(this.fixing ? "how_correct" : "how_change"));
  }

  // What the other way goes on with: one of the names, or "" to stay here.
  ask(found) {
    const dialog = by("start-from");
    for (const button of dialog.querySelectorAll(".starts button")) {
      const answer = found[button.value];
      button.hidden = !answer;
      if (answer) button.querySelector("span").textContent = outcome(answer).text;
    }
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.onclose = () => resolve(dialog.returnValue);
    });
  }

  freeze(on) {
    this.frozen = this.marker.frozen = on;
    for (const id of ["text", "correct"]) by(id).readOnly = on;
    for (const radio of [...radios("label"), ...radios("mode")]) radio.disabled = on;
    by("declared").disabled = on;
    if (on) this.marker.letGo();
  }
}

// The marks, or the changes of a correct answer, as a list. act: activate(at), remove(at)
const short = (words) => (words.length > 160 ? `${words.slice(0, 150)}…` : words);

function drawList(answer, text, places, act, frozen) {
  const focus = document.activeElement?.closest("#spans > li");
  const was = focus ? [[...by("spans").children].indexOf(focus), document.activeElement.className] : null;
  by("spans").replaceChildren(...places.map((place, at) => row(text, place, at, act, frozen)));
  by("spans").hidden = !places.length;
  by("spans-count").textContent = places.length ? String(places.length) : "";
  if (!was) return;
  const next = by("spans").children[Math.min(was[0], places.length - 1)];
  (next?.querySelector(`.${was[1].split(" ")[0]}`) || by("response")).focus({ preventScroll: true });
}

function row(text, place, at, act, frozen) {
  const words = short(original(text, place)) || "…";
  const edited = place.hallucinated !== undefined;
  const shown = edited
    ? [make("del", { dir: "auto", textContent: words }), " → ", make("ins", { dir: "auto", textContent: short(place.hallucinated) || say("nothing") })]
    : [make("bdi", { textContent: words })];
  const values = { number: at + 1, quote: words, words: short(place.hallucinated || "") || say("nothing") };
  const go = make("button", { type: "button", className: "go", ariaLabel: say(edited ? "change_row" : "mark_is", values) }, make("span", { className: "shown" }, ...shown));
  go.addEventListener("click", () => act.activate(at));
  const gone = make("button", { type: "button", className: "gone", title: say("delete"), textContent: "×", ariaLabel: say(edited ? "delete_change" : "delete_mark", values) });
  gone.addEventListener("click", () => act.remove(at));
  go.disabled = gone.hidden = frozen;
  return make("li", {}, go, gone);
}

// The whole text with its errors marked, in `target`.
export function preview(target, { text, spans }, code) {
  const letters = Array.from(text);
  const label = settings.labels.find((one) => one.code === code) || {};
  const parts = [];
  let at = 0;
  for (const { start, end } of spans) {
    const mark = make("mark", { textContent: letters.slice(start, end).join("") });
    dress(mark, label);
    parts.push(letters.slice(at, start).join(""), mark);
    at = end;
  }
  target.replaceChildren(...parts, letters.slice(at).join(""));
}
