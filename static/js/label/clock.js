// Active time: the page is visible, and the person did something within the idle limit.

export class Clock {
  constructor(idleMs, now = () => performance.now()) {
    this.idleMs = idleMs;
    this.now = now;
    this.counted = 0;
    this.from = 0; // counted up to here
    this.until = null; // the idle limit ends here; null: not running
  }

  /** The person did something. */
  touch() {
    this.#count();
    this.from = this.now();
    this.until = this.from + this.idleMs;
  }

  /** The page is hidden, or another of the person's pages took over. */
  pause() {
    this.#count();
    this.until = null;
  }

  /** Milliseconds since the last acknowledged save. */
  read() {
    this.#count();
    return Math.round(this.counted);
  }

  /** The server has taken that many of them. */
  spend(ms) {
    this.counted = Math.max(0, this.counted - ms);
  }

  /** Another item is on screen. */
  reset() {
    this.#count();
    this.counted = 0;
  }

  #count() {
    if (this.until === null) return;
    const end = Math.min(this.now(), this.until);
    this.counted += Math.max(0, end - this.from);
    this.from = end;
    if (end === this.until) this.until = null;
  }
}

/** Runs the clock from what happens on the page; only one of the person's pages counts at a time. */
export function run(clock, user, storage = window.localStorage) {
  const key = `sheepfold-active:${user}`;
  let told = 0;
  const active = () => {
    if (document.visibilityState !== "visible") return;
    clock.touch();
    if (clock.now() - told < 1000) return;
    told = clock.now();
    try {
      storage.setItem(key, String(Date.now()) + Math.random());
    } catch {
      // Without storage two pages may both count; the server still caps by its own clock.
    }
  };
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "scroll"]) {
    document.addEventListener(kind, active, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", () => (document.hidden ? clock.pause() : active()));
  window.addEventListener("storage", (event) => {
    if (event.key === key) clock.pause();
    told = event.key === key ? 0 : told;
  });
  active();
}
