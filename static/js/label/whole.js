// The text stays as it came, since offsets count its characters. Where the browser's translation or
// an extension has changed it, or put something into it, it is put back and the person is told.

import { complain, say } from "./api.js";

const MOST = 20; // times a second: with something that changes it at once again we would go on for ever

export class Whole {
  // mended() after the text was put back.
  constructor(root, mended) {
    Object.assign(this, { root, mended, text: "", times: 0, waiting: null });
    new MutationObserver(() => this.check()).observe(root, { childList: true, characterData: true, subtree: true });
  }

  // `text` stands in root now.
  open(text) {
    this.text = text;
  }

  get intact() {
    const [only, ...more] = this.root.childNodes;
    return only ? !more.length && only.nodeType === Node.TEXT_NODE && only.data === this.text : !this.text;
  }

  check() {
    if (this.intact || this.waiting) return;
    this.times += 1;
    setTimeout(() => (this.times -= 1), 1000);
    if (this.times > MOST) {
      this.waiting = setTimeout(() => {
        this.waiting = null;
        this.check();
      }, 1000);
      return;
    }
    this.root.textContent = this.text;
    this.mended();
  }
}

export const wholeOf = (desk) =>
  new Whole(desk.root, () => {
    desk.paint.showCaret(null);
    desk.clear();
    desk.draw(); // what was painted was the text before
    complain(say("mended"));
  });
