// The box with the labels beside a selection or beside the current span. It takes no focus: the
// label's key works at once, and Enter or Tab leads into it.

import { $, make, t } from "./words.js";

const GAP = 8;

export class LabelBox {
  /** act: {choose(code), remove(), close()} */
  constructor(box, labels, act) {
    Object.assign(this, { box, act });
    this.buttons = labels.map((label, i) =>
      make(
        "button",
        { type: "button", class: `choice label-${i}`, "data-code": label.code, on: { click: () => act.choose(label.code) } },
        make("span", { class: "chip", text: label.code }),
        make("span", { class: "name", text: label.name }),
        ...(label.key ? [make("kbd", { text: label.key })] : []),
      ),
    );
    this.removal = make(
      "button",
      { type: "button", class: "choice quiet", on: { click: () => act.remove() } },
      make("span", { class: "chip blank", text: "×" }),
      make("span", { class: "name", text: t("delete_span") }),
      make("kbd", { text: t("key_delete") }),
    );
    box.append(...this.buttons, this.removal);
    box.addEventListener("keydown", (event) => this.#arrows(event));
  }

  get open() {
    return this.box.matches(":popover-open");
  }

  /** rects: of the selection on screen; label: the current span's, or null for a new one. */
  show(rects, label) {
    this.removal.hidden = label === null;
    for (const button of this.buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.code === label));
    }
    if (!this.open) this.box.showPopover();
    this.#place(rects);
  }

  hide() {
    if (!this.open) return;
    const inside = this.box.contains(document.activeElement);
    this.box.hidePopover();
    if (inside) $("response").focus({ preventScroll: true });
  }

  enter() {
    (this.buttons.find((b) => b.getAttribute("aria-pressed") === "true") ?? this.buttons[0])?.focus();
  }

  #place(rects) {
    const { style } = this.box;
    if (window.innerWidth < 900 || !rects.length) {
      style.left = style.top = "";
      return;
    }
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const first = rects[0];
    const last = rects[rects.length - 1];
    const footer = $("footer").getBoundingClientRect().top;
    const below = last.bottom + GAP + height < Math.max(footer, height) ? last.bottom + GAP : null;
    const top = below ?? (first.top - GAP - height > 0 ? first.top - GAP - height : null);
    if (top === null) {
      // No room above or below: beside, at the edge of the window.
      style.left = `${window.innerWidth - width - GAP}px`;
      style.top = `${Math.max(GAP, window.innerHeight - height - GAP)}px`;
      return;
    }
    style.left = `${Math.max(GAP, Math.min(last.right - width / 2, window.innerWidth - width - GAP))}px`;
    style.top = `${top}px`;
  }

  #arrows(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...this.buttons, this.removal].filter((button) => !button.hidden);
    const at = all.indexOf(document.activeElement);
    all[(at + step + all.length) % all.length].focus();
  }
}
