// The keyboard in the text: a caret of our own, since browsers show none where nothing can be typed,
// and Shift with the arrows to select.

import { select, selected, unitOf } from "./dom.js";
import { snap } from "./offsets.js";

const MOVES = {
  ArrowRight: ["right", "character"], ArrowLeft: ["left", "character"],
  ArrowDown: ["forward", "line"], ArrowUp: ["backward", "line"],
  Home: ["backward", "lineboundary"], End: ["forward", "lineboundary"],
};

// caret(unit, keys) is told where the caret is (null: nowhere), and whether a key has moved it.
export function watchCaret(root, selection, caret) {
  let moved = false;
  const tell = () => {
    const held = getSelection();
    const here = document.activeElement === root && root.contains(held.focusNode);
    caret(here ? unitOf(root, held.focusNode, held.focusOffset) : null, moved);
    moved = false;
  };

  // A step past the last line must not carry the selection out of the text.
  function keepInside() {
    const held = getSelection();
    if (root.contains(held.focusNode)) return;
    const after = root.compareDocumentPosition(held.focusNode) & Node.DOCUMENT_POSITION_FOLLOWING;
    const edge = after ? root.firstChild.length : 0;
    const from = root.contains(held.anchorNode) ? unitOf(root, held.anchorNode, held.anchorOffset) : edge;
    select(root, from, edge);
  }

  // To the first or last character of the text; Firefox has no such step.
  function toEnd(edge, extended) {
    const held = getSelection();
    select(root, extended && root.contains(held.anchorNode) ? unitOf(root, held.anchorNode, held.anchorOffset) : edge, edge);
    return taken(extended);
  }

  function taken(extended) {
    const ends = selected(root);
    // A blank on the way to the next word is no fault yet.
    if (ends && snap(selection.map, ...ends)) return selection.take(...ends, "keys");
    return selection.chosen || !extended ? selection.drop() : undefined;
  }

  root.addEventListener("focus", () => {
    if (!selection.pressed && root.firstChild && !root.contains(getSelection().anchorNode)) select(root, 0, 0);
    tell();
  });
  root.addEventListener("blur", () => caret(null, false));
  document.addEventListener("selectionchange", tell);

  root.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a") {
      event.preventDefault();
      select(root, 0, root.firstChild.length);
      return selection.take(0, root.firstChild.length, "keys");
    }
    if (event.ctrlKey && ["Home", "End"].includes(event.key)) {
      event.preventDefault();
      moved = true;
      return toEnd(event.key === "Home" ? 0 : root.firstChild.length, event.shiftKey);
    }
    const move = MOVES[event.key];
    if (!move || event.altKey || event.metaKey) return undefined;
    event.preventDefault();
    moved = true;
    const size = event.ctrlKey && move[1] === "character" ? "word" : move[1];
    if (!root.contains(getSelection().focusNode)) select(root, 0, 0); // taken away
    getSelection().modify(event.shiftKey ? "extend" : "move", move[0], size);
    keepInside();
    return taken(event.shiftKey);
  });
}
