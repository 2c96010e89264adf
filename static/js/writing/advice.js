// What the site says about the sample: advice beside the text after each save, and refusals at the
// field that they are about.

import { announce, by, complain, make, say } from "../label/api.js";

const PLACES = ["label", "text", "spans", "declared"];
let known = [];

const placeOf = (where) => {
  if (PLACES.includes(where)) return where;
  if (where === "correct") return "text";
  if (/^(spans|edits)/.test(where)) return "spans";
  const check = known.find((one) => one.check === where);
  return check ? placeOf(check.where) : "";
};

export function advise(list) {
  const said = (one) => `${one.level} ${one.message}`;
  const fresh = list.filter((one) => !known.some((old) => said(old) === said(one)));
  known = list;
  by("advice").hidden = !list.length;
  by("advice-list").replaceChildren(
    ...list.map((one) => make("li", { className: one.level, textContent: one.level === "refuse" ? say("must", { advice: one.message }) : one.message })),
  );
  if (fresh.length) announce(fresh.map((one) => one.message).join(" "), 600);
}

function show(place, text) {
  const line = by(`fault-${place}`);
  if (line.textContent !== text) line.textContent = text;
  for (const field of document.querySelectorAll(`[data-field="${place}"]`)) {
    if (text) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

export const settled = (...places) => places.forEach((place) => show(place, ""));

// Errors of the API at their fields; `edit_mode` gives a better sentence where nothing is marked.
export function refuse(errors, edit_mode, focus) {
  const by_place = new Map(PLACES.map((place) => [place, []]));
  const rest = [];
  for (const { where, message } of errors) {
    const nothing = where === "spans" && edit_mode;
    (by_place.get(placeOf(where)) || rest).push(nothing ? say("change_something") : message);
  }
  for (const [place, said] of by_place) show(place, said.join(" "));
  const first = PLACES.find((place) => by_place.get(place).length);
  if (rest.length || !first) complain(rest.join(" ") || say("refused"), null, true);
  announce([...by_place.values()].flat().concat(rest).join(" "));
  if (!first || !focus) return;
  document.querySelector(`[data-field="${first}"]:not([hidden] *)`)?.focus();
  by(`fault-${first}`).scrollIntoView({ block: "nearest" });
}
