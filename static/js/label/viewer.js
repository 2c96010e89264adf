// The picture: fit, zoom and pan by wheel, pinch, drag, buttons and keys.

const MOST = 12;
const STEP = 1.4;
const PAN_PX = 60;

export class Viewer {
  constructor(frame, image, buttons) {
    Object.assign(this, { frame, image });
    this.pointers = new Map();
    this.fit();
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    frame.addEventListener("pointerdown", (event) => this.#down(event));
    frame.addEventListener("pointermove", (event) => this.#move(event));
    for (const kind of ["pointerup", "pointercancel"]) frame.addEventListener(kind, (event) => this.#up(event));
    frame.addEventListener("dblclick", () => (this.scale > 1 ? this.fit() : this.zoom(STEP * STEP)));
    frame.addEventListener("keydown", (event) => this.key(event) && event.preventDefault());
    buttons.in.addEventListener("click", () => this.zoom(STEP));
    buttons.out.addEventListener("click", () => this.zoom(1 / STEP));
    buttons.fit.addEventListener("click", () => this.fit());
  }

  show(url, alt) {
    this.fit();
    if (this.image.getAttribute("src") === url) return;
    this.image.src = url;
    this.image.alt = alt;
  }

  fit() {
    this.scale = 1;
    this.x = this.y = 0;
    this.#draw();
  }

  /** Zoom by a factor around a point of the window (the middle without one). */
  zoom(factor, clientX, clientY) {
    const box = this.frame.getBoundingClientRect();
    const px = (clientX ?? box.left + box.width / 2) - box.left - box.width / 2;
    const py = (clientY ?? box.top + box.height / 2) - box.top - box.height / 2;
    const next = Math.min(MOST, Math.max(1, this.scale * factor));
    const ratio = next / this.scale;
    this.x = px - (px - this.x) * ratio;
    this.y = py - (py - this.y) * ratio;
    this.scale = next;
    this.#draw();
  }

  /** + - 0 and, with the focus on the picture, the arrows. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "+" || event.key === "=") this.zoom(STEP);
    else if (event.key === "-") this.zoom(1 / STEP);
    else if (event.key === "0") this.fit();
    else {
      const way = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!way || event.currentTarget !== this.frame || this.scale === 1) return false;
      this.#pan(way[0] * PAN_PX, way[1] * PAN_PX);
    }
    return true;
  }

  #wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX, event.clientY);
  }

  #down(event) {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, event);
    this.frame.setPointerCapture(event.pointerId);
    event.preventDefault();
    this.frame.focus({ preventScroll: true });
    this.moved = false;
  }

  #move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const other = [...this.pointers.values()].find((pointer) => pointer.pointerId !== event.pointerId);
    if (other) {
      const span = (a) => Math.max(1, Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY));
      const middle = [(event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2];
      this.zoom(span(event) / span(before), ...middle);
    } else {
      this.#pan(event.clientX - before.clientX, event.clientY - before.clientY);
    }
    this.moved = this.moved || Math.hypot(event.movementX, event.movementY) > 2;
    this.pointers.set(event.pointerId, event);
  }

  #up(event) {
    const tapped = this.pointers.delete(event.pointerId) && event.type === "pointerup" && !this.moved;
    if (tapped && event.pointerType === "touch" && !this.pointers.size) {
      this.frame.parentElement.classList.toggle("grown");
    }
  }

  #pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.#draw();
  }

  #draw() {
    // Never further than the picture's own edges.
    const roomX = (this.frame.clientWidth * (this.scale - 1)) / 2;
    const roomY = (this.frame.clientHeight * (this.scale - 1)) / 2;
    this.x = Math.min(roomX, Math.max(-roomX, this.x));
    this.y = Math.min(roomY, Math.max(-roomY, this.y));
    this.image.style.transform = `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.frame.classList.toggle("zoomed", this.scale > 1);
  }
}
