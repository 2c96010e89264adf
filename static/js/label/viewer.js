// The material beside the answer: a picture that can be looked at closely, or a text.

import { by } from "./api.js";

const CLOSEST = 12;
const STEP = 1.4;

export class Viewer {
  constructor() {
    this.pane = by("material");
    this.stage = by("stage");
    this.picture = by("picture");
    this.fingers = new Map();
    this.fit();
    const acts = { in: () => this.zoom(STEP), out: () => this.zoom(1 / STEP), fit: () => this.fit(), grow: () => this.grow() };
    for (const [name, act] of Object.entries(acts)) by(`zoom-${name}`).addEventListener("click", act);
    const { stage } = this;
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, (event) => this.up(event));
    stage.addEventListener("dblclick", (event) => (this.scale > 1 ? this.fit() : this.zoom(2.5, ...this.middle(event))));
    stage.addEventListener("keydown", (event) => this.key(event));
    this.picture.addEventListener("error", () => this.missing(true));
  }

  // item of the API.
  open(item) {
    const { image_url: url, context } = item;
    this.pane.hidden = !url && !context;
    document.body.classList.toggle("alone", this.pane.hidden);
    this.pane.classList.remove("grown");
    by("shown").hidden = !url;
    this.missing(false);
    this.fit();
    // The picture before must not stand beside the next question.
    this.picture.removeAttribute("src");
    if (url) this.picture.src = url;
    by("context").hidden = !context;
    if (context) showContext(by("context"), item);
  }

  missing(gone) {
    this.picture.hidden = gone;
    by("missing").hidden = !gone;
  }

  place() {
    const room = [this.stage.clientWidth, this.stage.clientHeight].map((size) => (size * (this.scale - 1)) / 2);
    this.x = Math.max(-room[0], Math.min(room[0], this.x));
    this.y = Math.max(-room[1], Math.min(room[1], this.y));
    this.picture.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.stage.classList.toggle("zoomed", this.scale > 1);
  }

  fit() {
    [this.scale, this.x, this.y] = [1, 0, 0];
    this.place();
  }

  // Zoom by a factor; the point (from the stage's middle) stays where it is.
  zoom(factor, x = 0, y = 0) {
    const next = Math.max(1, Math.min(CLOSEST, this.scale * factor));
    const real = next / this.scale;
    this.scale = next;
    this.pan(x - (x - this.x) * real - this.x, y - (y - this.y) * real - this.y);
  }

  pan(right, down) {
    this.x += right;
    this.y += down;
    this.place();
  }

  middle({ clientX, clientY }) {
    const box = this.stage.getBoundingClientRect();
    return [clientX - box.left - box.width / 2, clientY - box.top - box.height / 2];
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), ...this.middle(event));
  }

  down(event) {
    if (event.button !== 0) return;
    this.stage.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, event);
    this.still = true;
  }

  move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    if (Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) > 3) this.still = false;
    const other = [...this.fingers.values()].find((one) => one.pointerId !== event.pointerId);
    if (other) {
      const far = (one) => Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
      const between = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
      this.zoom(far(event) / far(before), ...this.middle(between));
    } else this.pan(event.clientX - before.clientX, event.clientY - before.clientY);
    this.fingers.set(event.pointerId, event);
  }

  up(event) {
    const tapped = this.fingers.delete(event.pointerId) && this.still && event.pointerType === "touch";
    if (tapped && event.type === "pointerup" && this.scale === 1 && !this.fingers.size) this.grow();
  }

  grow() {
    by("zoom-grow").ariaPressed = String(this.pane.classList.toggle("grown"));
    this.fit();
  }

  key(event) {
    const way = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (!way || this.scale === 1) return;
    event.preventDefault();
    this.pan(...way);
  }
}

/** JSON with lines and indents; every number and string keeps its spelling, unlike JSON.parse. */
export function pretty(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  let made = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  tokens.forEach((token, i) => {
    if (token === "{" || token === "[") {
      depth++;
      made += token + (/[}\]]/.test(tokens[i + 1]) ? "" : line());
    } else if (token === "}" || token === "]") {
      depth--;
      made += (/[{[]/.test(tokens[i - 1]) ? "" : line()) + token;
    } else if (token === ",") made += token + line();
    else made += token === ":" ? ": " : token;
  });
  return made;
}

// A context in place of a picture: plain, Markdown (made into safe HTML by the server), JSON, code.
function showContext(target, item) {
  target.className = `context ${item.context_format ?? "plain"}`;
  target.lang = item.language;
  if (item.context_format === "markdown" && item.context_html !== undefined) {
    const parsed = new DOMParser().parseFromString(item.context_html, "text/html");
    target.replaceChildren(...parsed.body.childNodes);
    for (const link of target.querySelectorAll("a")) {
      link.target = "_blank";
      link.rel = "noopener noreferrer";
    }
    return;
  }
  target.textContent = item.context_format === "json" ? pretty(item.context) : item.context;
}
