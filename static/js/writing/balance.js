// The circles of intended labels, their tables, what is needed most, and which labels are full. The
// page comes with all of them; after each save they are brought up to date.

import { by, say, settings } from "../label/api.js";

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
const fullFor = (row, own) => row.target > 0 && row.count - (row.label === own ? 1 : 0) >= row.target;

export function draw(balance, own, chosen) {
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
  marks(balance, own, chosen);
}

// Which labels are full, and a sentence where one of them is chosen.
export function marks(balance, own, chosen) {
  let warned = "";
  for (const row of balance.all) {
    const full = fullFor(row, own);
    by(`full-${row.label}`).hidden = !full;
    if (full && row.label === chosen && balance.policy !== "suggest") {
      warned = say(`full_${balance.policy}`, { label: nameOf(row.label), count: row.count, target: row.target });
    }
  }
  if (by("full-said").textContent !== warned) by("full-said").textContent = warned;
}
