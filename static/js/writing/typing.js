// A text field: what changed in it, and how many characters were typed and how many pasted. Texts are
// the field's own: line ends are LF, also of what was pasted with CRLF.

import { replaced } from "./changes.js";

const PASTES = /^insertFrom(Paste|Drop|Yank)/;
const points = (text) => Array.from(text).length;

// Since the last acknowledged save.
export class Counts {
  constructor() {
    this.typed = 0;
    this.pasted = 0;
    this.own = ""; // what was last cut or copied here: moving one's own words is no paste
  }

  add({ typed = 0, pasted = 0 }) {
    this.typed += typed;
    this.pasted += pasted;
  }

  held() {
    return { typed: this.typed, pasted: this.pasted };
  }

  take() {
    const taken = this.held();
    this.typed = this.pasted = 0;
    return taken;
  }

  hear(event, put, cut) {
    const length = points(put);
    if (PASTES.test(event.inputType || "")) {
      if (put !== this.own) this.add({ pasted: length });
    } else if ((event.inputType || "insertText").startsWith("insert")) {
      // A composition comes again with every key.
      const again = event.inputType === "insertCompositionText" ? points(cut) : 0;
      this.add({ typed: Math.max(0, length - again) });
    }
  }
}

export class Field {
  // changed(old, now, caret) is called after each change by the person.
  constructor(field, counts, changed = () => {}) {
    Object.assign(this, { field, value: field.value });
    field.addEventListener("input", (event) => {
      const [old, now] = [this.value, field.value];
      this.value = now;
      const { from, to, put } = replaced(old, now, field.selectionEnd);
      counts.hear(event, put, old.slice(from, to));
      changed(old, now, field.selectionEnd);
    });
    for (const name of ["cut", "copy"]) {
      field.addEventListener(name, () => {
        counts.own = field.value.slice(field.selectionStart, field.selectionEnd);
      });
    }
  }

  set(text) {
    this.field.value = text;
    this.value = this.field.value;
  }
}
