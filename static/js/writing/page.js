// The sample on screen: its fields, its marks or changes, and what each change of the person does.

import { announce, by, complain, quiet, say, settings } from "../label/api.js";
import { settled } from "./advice.js";
import { follow, inField } from "./changes.js";
import { base, changed, corrected, outcome, same, written } from "./document.js";
import { original } from "./edits.js";
import { draw as drawList, preview } from "./lists.js";
import { Marker } from "./marker.js";
import { Field } from "./typing.js";

const radios = (name) => [...document.querySelectorAll(`input[name="${name}"]`)];

export class Page {
  // changed(answer) is called after every change by the person.
  constructor(counts, heard) {
    Object.assign(this, { heard, answer: null, frozen: false, fixing: false, aside: null });
    this.marker = new Marker(counts, {
      put: (at, place, words) => this.put(at, place, words),
      remove: (at) => this.remove(at),
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
  open(answer) {
    Object.assign(this, { answer, aside: null, fixing: answer.edit_mode && !answer.correct.trim() });
    this.fill();
    this.draw();
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
    return this.heard(answer);
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
    this.fixing = on;
    this.draw();
    (on ? by("correct") : by("response")).focus();
  }

  // To and from the change of a correct answer. Nothing that was written is thrown away: it becomes
  // the correct answer, or stays aside and comes back.
  async mode(edit) {
    const { label, text, spans, edits } = this.answer;
    if (edit === this.answer.edit_mode) return;
    const { aside } = this;
    if (edit && aside && aside.edits && aside.text === text) {
      this.switchTo({ ...corrected(aside.correct), edits: aside.edits, label }, null); // as it was left
      return;
    }
    if (edit) {
      let correct = text.trim() ? text : settings.brief.answer;
      if (text.trim() && settings.brief.answer && text !== settings.brief.answer) {
        const chosen = await this.ask();
        if (!chosen) return void this.draw();
        correct = chosen === "brief" ? settings.brief.answer : text;
      }
      this.switchTo({ ...corrected(correct), label }, { text, spans, correct });
      this.fixing = !correct.trim();
      this.draw();
      announce(say(this.fixing ? "how_correct" : "how_change"));
      return;
    }
    const untouched = aside && !edits.length && aside.correct === this.answer.correct;
    const found = untouched ? aside : outcome(this.answer);
    const left = edits.length ? { correct: this.answer.correct, edits, text: found.text } : null;
    this.switchTo({ ...written(found.text, found.spans), label }, left);
  }

  switchTo(answer, aside) {
    Object.assign(this, { answer, aside, fixing: false });
    this.fill();
    settled("text", "spans");
    this.draw();
    this.heard(answer);
  }

  // Which text the changes start from: "brief", "own", or "" for neither.
  ask() {
    const dialog = by("start-from");
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
