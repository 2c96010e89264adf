// Dragging an edge of the current span, or of what a tap has selected.

import { boundaryAt } from "./dom.js";

/** act: {range(): {from, to} or null, preview({from, to}), done({from, to} or null)} */
export function watch(root, handles, act) {
  for (const handle of handles) {
    handle.addEventListener("pointerdown", (event) => {
      const range = act.range();
      if (!range || event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      handle.setPointerCapture(event.pointerId);
      drag(handle, event, range);
    });
  }

  function drag(handle, first, range) {
    const from = handle.dataset.edge === "from";
    const fixed = from ? range.to : range.from;
    // The finger covers the line below the letters: aim where the handle's own line is.
    const box = handle.getBoundingClientRect();
    const lift = first.clientY - (box.top + handle.clientHeight / 2);
    let now = null;
    handle.parentElement.classList.add("dragging");
    const move = (event) => {
      const unit = boundaryAt(root, event.clientX, event.clientY - lift);
      const kept = from ? unit < fixed : unit > fixed;
      if (!kept) return;
      now = from ? { from: unit, to: fixed } : { from: fixed, to: unit };
      act.preview(now);
    };
    const stop = (event) => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", stop);
      handle.removeEventListener("pointercancel", stop);
      handle.parentElement.classList.remove("dragging");
      act.done(event.type === "pointerup" ? now : null);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", stop);
    handle.addEventListener("pointercancel", stop);
  }
}
