// The spans as a list beside the text: highlights are not exposed to screen readers, and each row
// offers what keys and handles offer.

import { reading } from "./spans.js";
import { make, short, t } from "./words.js";

const EDGES = [
  ["from", -1, "⇤", "start_out"],
  ["from", 1, "↦", "start_in"],
  ["to", -1, "↤", "end_in"],
  ["to", 1, "⇥", "end_out"],
];

export class SpanList {
  /** act: {choose(index), move(index, edge, direction), relabel(index, code), remove(index)} */
  constructor(list, labels, act) {
    Object.assign(this, { list, labels, act });
  }

  draw(spans, quotes, current) {
    const focused = this.#focused();
    this.list.replaceChildren(
      ...reading(spans).map((index, place) => this.#row(spans[index], quotes[index], index, place, index === current)),
    );
    if (focused) this.#refocus(focused);
  }

  #row(span, quote, index, place, now) {
    const at = Math.max(0, this.labels.findIndex((label) => label.code === span.label));
    const name = this.labels.find((label) => label.code === span.label)?.name ?? "";
    const values = { number: place + 1, label: span.label, name, quote: short(quote) };
    const main = make(
      "button",
      { type: "button", class: "span", "data-part": "span", "aria-pressed": String(now), on: { click: () => this.act.choose(index) } },
      make("span", { class: "visually-hidden", text: t("span_number", values) }),
      make("span", { class: `chip label-${at}`, text: span.label }),
      make("bdi", { class: "quote", text: short(quote, 90) }),
    );
    const edges = EDGES.map(([edge, direction, sign, key]) =>
      this.#small(sign, t(key, values), `${edge}${direction}`, () => this.act.move(index, edge, direction)),
    );
    const removal = this.#small("×", t("delete_number", values), "delete", () => this.act.remove(index));
    const tools = make("div", { class: "tools", role: "group", "aria-label": t("span_tools", values) });
    tools.append(this.#select(span, index, values), ...edges, removal);
    const row = make("li", { class: `row-${at}${now ? " now" : ""}`, "data-index": index, "data-start": span.start });
    row.append(main, tools);
    return row;
  }

  #select(span, index, values) {
    const select = make("select", { "aria-label": t("relabel_number", values), "data-part": "label" });
    for (const { code, name } of this.labels) {
      const option = make("option", { value: code, text: `${code} ${name}` });
      option.selected = code === span.label;
      select.append(option);
    }
    select.addEventListener("change", () => this.act.relabel(index, select.value));
    return select;
  }

  #small(sign, name, part, click) {
    return make("button", { type: "button", class: "small", "aria-label": name, title: name, "data-part": part, text: sign, on: { click } });
  }

  #focused() {
    const element = document.activeElement;
    if (!this.list.contains(element)) return null;
    return { index: element.closest("li")?.dataset.index, part: element.dataset.part };
  }

  #refocus({ index, part }) {
    const row = this.list.querySelector(`[data-index="${index}"]`) ?? this.list.lastElementChild;
    const target = row?.querySelector(`[data-part="${part}"]`) ?? row?.querySelector("button");
    (target ?? document.getElementById("response")).focus({ preventScroll: true });
  }
}
