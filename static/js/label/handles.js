// Dragging an edge of what is chosen, or of the active span.

import { boundaryAt } from "./dom.js";

// act: range() -> [from, to] or null, preview([from, to]), done([from, to] or null)
export function watch(root, handles, act) {
  for (const handle of handles) {
    handle.addEventListener("pointerdown", (event) => {
      const range = act.range();
      if (!range || event.button !== 0) return;
      event.preventDefault();
      drag(handle, event, range);
    });
  }

  function drag(handle, first, range) {
    const start = handle.dataset.edge === "start";
    const fixed = start ? range[1] : range[0];
    // The finger is below the letters: aim where the handle's own line is.
    const box = handle.getBoundingClientRect();
    const lift = Math.max(0, first.clientY - (box.top + handle.clientHeight / 2));
    let now = null;
    const move = (event) => {
      const unit = boundaryAt(root, event.clientX, event.clientY - lift);
      if (start ? unit >= fixed : unit <= fixed) return;
      now = start ? [unit, fixed] : [fixed, unit];
      act.preview(now);
    };
    const stop = (event) => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", stop);
      document.removeEventListener("pointercancel", stop);
      act.done(event.type === "pointerup" ? now : null);
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", stop);
    document.addEventListener("pointercancel", stop);
  }
}
