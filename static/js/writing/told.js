// What the site says about the sample: advice beside the text, refusals at the field that they are
// about, and after each save the circles of intended labels and which labels are full.

import { announce, by, complain, make, say, settings } from "../label/api.js";
import { LATER } from "../shared/advice.js";

const PLACES = ["label", "text", "spans", "declared"];
let known = [];

const placeOf = (where) => {
  if (PLACES.includes(where)) return where;
  if (where === "correct" || LATER.includes(where)) return "text";
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

// The balance. The page comes with the circles and their tables drawn.

const GAP = 0.7;
const nameOf = (code) => settings.labels.find((one) => one.code === code)?.name ?? code;

function pie(figure, rows, total) {
  let at = 0;
  for (const row of rows) {
    const size = total ? (100 * row.count) / total : 0;
    const slice = figure.querySelector(`.slice[data-label="${CSS.escape(row.label)}"]`);
    slice.setAttribute("stroke-dasharray", `${size > GAP && size < 100 ? size - GAP : size} 100`);
    slice.setAttribute("stroke-dashoffset", `${-at}`);
    at += size;
  }
  const counts = rows.map((row) => say("label_count", { label: nameOf(row.label), count: row.count }));
  figure.querySelector("svg.pie").setAttribute("aria-label", counts.join(", "));
}

function table(figure, rows, total) {
  for (const row of rows) {
    const line = figure.querySelector(`tr[data-label="${CSS.escape(row.label)}"]`);
    const share = total ? Math.round((100 * row.count) / total) : 0;
    line.querySelector(".count").textContent = row.count;
    line.querySelector(".percent").textContent = `${share} %`;
    line.querySelector(".target").textContent = row.target;
    figure.querySelector(`.tally[data-label="${CSS.escape(row.label)}"]`).textContent = row.count;
  }
  for (const cell of figure.querySelectorAll(".total")) cell.textContent = total;
}

// One's own sample counts already: its label is full for the next one, not for this one.
const others = (row, own) => row.count - (row.label === own ? 1 : 0);
const fullFor = (row, own) => row.target > 0 && others(row, own) >= row.target;

// Escape closes a table of the balance, which floats over the form.
by("balance").addEventListener("keydown", (event) => {
  const table = event.key === "Escape" && event.target.closest("details[open]");
  if (!table) return;
  table.open = false;
  table.querySelector("summary").focus();
});

export function drawBalance(balance, own, chosen) {
  for (const name of ["all", "own"]) {
    const figure = document.querySelector(`[data-figure="${name}"]`);
    const rows = balance[name];
    const total = rows.reduce((sum, row) => sum + row.count, 0);
    pie(figure, rows, total);
    table(figure, rows, total);
  }
  const row = balance.all.find((one) => one.label === balance.suggestion);
  by("suggestion").textContent = row
    ? say("suggestion", { label: nameOf(row.label), count: row.count, target: row.target })
    : say("no_suggestion");
  markFull(balance, own, chosen);
}

// Which labels are full, and a sentence where one of them is chosen.
export function markFull(balance, own, chosen) {
  let warned = "";
  for (const row of balance.all) {
    const full = fullFor(row, own);
    by(`full-${row.label}`).hidden = !full;
    if (full && row.label === chosen && balance.policy !== "suggest") {
      warned = say(`full_${balance.policy}`, { label: nameOf(row.label), count: others(row, own), target: row.target });
    }
  }
  if (by("full-said").textContent !== warned) by("full-said").textContent = warned;
}
