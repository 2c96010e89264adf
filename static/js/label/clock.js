// Active time: the page is visible and the person did something within the last idle seconds.

const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "scroll", "touchstart"];

export class Clock {
  constructor(idleSeconds, now = () => performance.now()) {
    this.idle = idleSeconds * 1000;
    this.now = now;
    this.total = 0;
    this.begun = null; // since when the stretch that is not counted yet runs
    this.sign = 0; // the last thing the person did
  }

  watch(page) {
    for (const sign of SIGNS) {
      page.addEventListener(sign, () => this.touch(), { passive: true, capture: true });
    }
    page.addEventListener("visibilitychange", () => (page.hidden ? this.stop() : this.touch()));
    if (!page.hidden) this.touch();
  }

  count() {
    if (this.begun === null) return;
    const end = Math.min(this.now(), this.sign + this.idle);
    this.total += Math.max(0, end - this.begun);
    this.begun = this.now() > this.sign + this.idle ? null : this.now();
  }

  touch() {
    this.count();
    this.sign = this.now();
    if (this.begun === null) this.begun = this.sign;
  }

  stop() {
    this.count();
    this.begun = null;
  }

  // Milliseconds since the last take; `giveBack` when a save was not acknowledged.
  take() {
    this.count();
    const whole = Math.floor(this.total);
    this.total -= whole;
    return whole;
  }

  giveBack(milliseconds) {
    this.total += milliseconds;
  }

  restart() {
    this.count();
    this.total = 0;
  }
}
