// Shortcuts, guidelines, a report, and the choice between two versions of an answer.

import { by, loginLink, make, messages, placeUrl, request, say, settings } from "./api.js";
import { letter } from "./labelbox.js";
import { quote } from "./offsets.js";

export const anyOpen = () => document.querySelector("dialog[open]") !== null;

export function toggle(id) {
  const dialog = by(id);
  if (dialog.open) dialog.close();
  else if (!anyOpen()) dialog.showModal();
}

// Keys of every page with a viewer, while nobody types.
export const commandsOf = (viewer) => ({
  g: () => toggle("guidelines"),
  "?": () => toggle("shortcuts"),
  "+": () => viewer.zoom(1.4),
  "=": () => viewer.zoom(1.4),
  "-": () => viewer.zoom(1 / 1.4),
  0: () => viewer.fit(),
});

export const typing = (element) => element.matches("textarea, input:not([type=checkbox], [type=radio]), select, [contenteditable]");

export function wire() {
  for (const button of document.querySelectorAll("[data-opens]")) {
    button.addEventListener("click", () => toggle(button.dataset.opens));
  }
  for (const button of document.querySelectorAll("[data-closes]")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }
  for (const dialog of document.querySelectorAll("dialog:not(#conflict)")) {
    // A click on the ground around a dialog closes it.
    let ground = false;
    dialog.addEventListener("pointerdown", ({ target, clientX: x, clientY: y }) => {
      const box = dialog.getBoundingClientRect();
      ground = target === dialog && (x < box.left || x > box.right || y < box.top || y > box.bottom);
    });
    dialog.addEventListener("click", (event) => ground && event.target === dialog && dialog.close());
  }
  by("conflict").addEventListener("cancel", (event) => event.preventDefault());
}

// Ask for a reason and report the place; resolves to true when it is reported.
export function report(id) {
  const dialog = by("report");
  const fault = (text) => (by("report-fault").textContent = text);
  fault("");
  dialog.showModal();
  return new Promise((resolve) => {
    let [done, sending] = [false, false];
    by("report-form").onsubmit = async (event) => {
      event.preventDefault();
      const reason = by("report-reason").value.trim();
      if (!reason) return fault(say("report_why"));
      if (sending) return undefined;
      sending = true;
      const reply = await request("POST", `${placeUrl(id)}report/`, { reason });
      sending = false;
      if (reply.status === 401) return by("report-fault").replaceChildren(say("login"), " ", loginLink());
      done = reply.status === 200;
      if (!done) return fault(messages(reply.body).map((one) => one.message).join(" ") || say("report_failed"));
      by("report-reason").value = "";
      return dialog.close();
    };
    dialog.onclose = () => resolve(done);
  });
}

function version(answer, map) {
  const rows = answer.spans.map((span) => {
    const label = settings.labels.find((one) => one.code === span.label) || { code: span.label };
    return make("li", {}, letter(label), make("bdi", { textContent: quote(map, span) }));
  });
  if (answer.no_hallucination) rows.push(make("li", { textContent: say("none") }));
  if (!rows.length) rows.push(make("li", { className: "quiet", textContent: say("no_spans") }));
  if (answer.comment) rows.push(make("li", { className: "said", dir: "auto", textContent: answer.comment }));
  return make("ul", {}, ...rows);
}

export const conflict = (mine, theirs, map) => versions([version(mine, map)], [version(theirs, map)]);

// Both versions side by side; resolves to true for the person's own. There is no third way out.
export function versions(mine, theirs) {
  by("conflict-mine").replaceChildren(...mine);
  by("conflict-theirs").replaceChildren(...theirs);
  for (const open of document.querySelectorAll("dialog[open]")) open.close();
  by("conflict").showModal();
  return new Promise((resolve) => {
    // A second Escape closes it whatever is said of the first.
    by("conflict").onclose = () => by("conflict").showModal();
    const choose = (own) => () => {
      by("conflict").onclose = null;
      by("conflict").close();
      resolve(own);
    };
    by("take-mine").onclick = choose(true);
    by("take-theirs").onclick = choose(false);
  });
}
