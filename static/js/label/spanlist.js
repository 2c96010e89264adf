// The spans as a list, for eyes and screen readers: what the highlights show, in words.

import { by, make, say, settings } from "./api.js";
import { letter } from "./labelbox.js";
import { quote } from "./offsets.js";

export class SpanList {
  // act: activate(at), relabel(at, code), remove(at)
  constructor(act) {
    this.act = act;
    this.list = by("spans");
    by("legend").replaceChildren(
      ...settings.labels.map((label) =>
        make("li", { title: label.description }, letter(label), make("span", { textContent: label.name })),
      ),
    );
  }

  draw(map, answer, active) {
    const focus = this.focusOf(document.activeElement);
    this.list.replaceChildren(...answer.spans.map((span, at) => this.row(map, span, at, active)));
    const count = answer.spans.length;
    by("spans-empty").hidden = count > 0 || answer.no_hallucination;
    by("spans-none").hidden = !answer.no_hallucination;
    by("spans-count").textContent = count ? String(count) : "";
    if (!focus) return;
    const row = this.list.children[Math.min(focus.at, count - 1)];
    (row ? row.querySelector(focus.part) : by("response")).focus({ preventScroll: true });
  }

  // The list is drawn anew at each change: the focus must find its part again.
  focusOf(element) {
    const row = element && element.closest("#spans > li");
    return row ? { at: [...this.list.children].indexOf(row), part: `.${element.className.split(" ")[0]}` } : null;
  }

  row(map, span, at, active) {
    const label = settings.labels.find((one) => one.code === span.label) || { code: span.label, name: span.label };
    const words = quote(map, span);
    const short = words.length > 160 ? `${words.slice(0, 150)}…` : words;
    const values = { number: at + 1, label: label.name, quote: short };
    const go = make("button", { type: "button", className: "go" }, letter(label), make("bdi", { textContent: short }));
    go.ariaLabel = say("span_is", values);
    if (at === active) go.ariaCurrent = "true";
    go.addEventListener("click", () => this.act.activate(at));
    const choice = make("select", { className: "relabel", ariaLabel: say("label_of", values) });
    for (const one of settings.labels) {
      choice.append(make("option", { value: one.code, textContent: `${one.code} ${one.name}`, selected: one.code === span.label }));
    }
    choice.addEventListener("change", () => this.act.relabel(at, choice.value));
    const gone = make("button", { type: "button", className: "gone", title: say("delete"), textContent: "×" });
    gone.ariaLabel = say("delete_span", values);
    gone.addEventListener("click", () => this.act.remove(at));
    return make("li", { className: at === active ? "on" : "" }, go, choice, gone);
  }
}
