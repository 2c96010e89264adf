// The marks, or the changes of a correct answer, as a list; and the text as it will be sent.

import { by, make, say, settings } from "../label/api.js";
import { dress } from "../label/paint.js";
import { original } from "./edits.js";

const short = (words) => (words.length > 160 ? `${words.slice(0, 150)}…` : words);

// act: activate(at), remove(at)
export function draw(answer, text, places, act, frozen) {
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
