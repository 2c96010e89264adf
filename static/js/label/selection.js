// What the mouse and the finger select. A range is handed on as units of the shown text, before it
// snaps; `how` is "mouse", "touch" or "system" (the device's own selection).

import { boundaryAt, characterAt, selected } from "./dom.js";

const MOVED_PX = 4;
const SYSTEM_MS = 350;

/**
 * root: the response; area: what lies around it, where a drag may begin as well.
 * act: {pick(range, how), word(unit, how), click(unit), tap(unit)}; unit -1: no character there.
 */
export function watch(root, area, act) {
  let down = null;
  let touching = false;
  let timer = 0;

  document.addEventListener("pointerdown", (event) => {
    touching = event.pointerType === "touch";
    const free = !event.target.closest("button, a, input, textarea, dialog, [popover]");
    const inside = event.target === document.documentElement || area.contains(event.target);
    down = event.button === 0 && free && inside ? { x: event.clientX, y: event.clientY } : null;
  });

  document.addEventListener("mouseup", (event) => {
    const from = down;
    down = null;
    if (!from || touching || event.button !== 0) return;
    const moved = Math.hypot(event.clientX - from.x, event.clientY - from.y) > MOVED_PX;
    // The selection is final only after this event.
    setTimeout(() => released(event, from, moved));
  });

  function released(event, from, moved) {
    const { clientX: x, clientY: y, detail } = event;
    if (detail === 2 && !moved) return act.word(characterAt(root, x, y), "mouse");
    if (detail > 2 || moved) {
      const range = selected(root) ?? (moved ? dragged(from, { x, y }) : null);
      if (range) return act.pick(range, "mouse");
    }
    if (!moved) act.click(root.contains(event.target) ? characterAt(root, x, y) : -1);
  }

  /** From the geometry, where the browser has no selection (released outside the words). */
  function dragged(a, b) {
    const units = [boundaryAt(root, a.x, a.y), boundaryAt(root, b.x, b.y)];
    const range = { from: Math.min(...units), to: Math.max(...units) };
    return range.from < range.to ? range : null;
  }

  document.addEventListener("click", (event) => {
    if (!touching || event.target.closest("button, a, input, textarea, dialog, [popover]")) return;
    if (!area.contains(event.target) || selected(root)) return;
    act.tap(characterAt(root, event.clientX, event.clientY));
  });

  document.addEventListener("selectionchange", () => {
    if (!touching) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const range = selected(root);
      if (range && root.contains(getSelection().anchorNode)) act.pick(range, "system");
    }, SYSTEM_MS);
  });
}
