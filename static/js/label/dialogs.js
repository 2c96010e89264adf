// The dialogs: shortcuts, guidelines, labels, report, and the choice between two versions.

import { reading } from "./spans.js";
import { $, make, t } from "./words.js";

export const anyOpen = () => Boolean(document.querySelector("dialog[open]"));

export function open(id) {
  if (anyOpen()) return;
  $(id).showModal();
}

export function wire() {
  for (const button of document.querySelectorAll("[data-opens]")) {
    button.addEventListener("click", () => open(button.dataset.opens));
  }
  for (const button of document.querySelectorAll("dialog [data-closes]")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }
  for (const dialog of document.querySelectorAll("dialog:not(#conflict)")) {
    // A click on the ground around a dialog closes it.
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  }
  $("conflict").addEventListener("cancel", (event) => event.preventDefault());
}

/** Ask why the item cannot be judged; send(reason) answers an error text or null. */
export function wireReport(send) {
  const form = $("report-form");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const reason = $("reason").value;
    const error = reason.trim() ? await send(reason) : t("reason_empty");
    $("reason-error").textContent = error ?? "";
    if (error) return $("reason").focus();
    $("report").close();
    $("reason").value = "";
  });
}

function version(answer, text, labels) {
  const index = (code) => Math.max(0, labels.findIndex((label) => label.code === code));
  const rows = reading(answer.spans).map((i) => {
    const span = answer.spans[i];
    const { from, to } = text.shown(span);
    const chip = make("span", { class: `chip label-${index(span.label)}`, text: span.label });
    return make("li", {}, chip, make("bdi", { text: text.text.slice(from, to) }));
  });
  const nothing = answer.no_hallucination ? t("no_hallucination") : t("nothing_marked");
  const parts = rows.length ? [make("ol", {}, ...rows)] : [make("p", { text: nothing })];
  if (answer.comment) parts.push(make("p", { class: "quiet", text: answer.comment }));
  return parts;
}

/** Both versions side by side; answers true for the person's own. */
export function chooseVersion(mine, stored, text, labels) {
  $("mine").replaceChildren(...version(mine, text, labels));
  $("stored").replaceChildren(...version(stored, text, labels));
  document.querySelector("dialog[open]:not(#conflict)")?.close();
  if (!$("conflict").open) $("conflict").showModal();
  return new Promise((resolve) => {
    const settle = (own) => () => {
      $("conflict").close();
      resolve(own);
    };
    $("keep-mine").onclick = settle(true);
    $("keep-stored").onclick = settle(false);
  });
}
