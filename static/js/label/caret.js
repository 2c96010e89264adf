// The keyboard in the response: a caret of our own, since browsers have none in a text that cannot
// be typed into, and Shift with the arrows to select.

import { selected, select, unitOf } from "./dom.js";

const MOVES = {
  ArrowRight: ["right", "character"],
  ArrowLeft: ["left", "character"],
  ArrowDown: ["forward", "line"],
  ArrowUp: ["backward", "line"],
  Home: ["backward", "lineboundary"],
  End: ["forward", "lineboundary"],
};

/** act: {pick(range, "keys"), caret(unit or null), cleared()} */
export function watch(root, act) {
  let selecting = false;

  root.addEventListener("focus", () => {
    const selection = getSelection();
    const inside = selection.rangeCount && root.contains(selection.anchorNode);
    if (!inside && root.firstChild) selection.collapse(root.firstChild, 0);
    caret();
  });
  root.addEventListener("blur", () => act.caret(null));
  document.addEventListener("selectionchange", caret);

  root.addEventListener("keydown", (event) => {
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key.toLowerCase() === "a") {
      event.preventDefault();
      select(root, 0, root.firstChild.length);
      return act.pick(selected(root), "keys");
    }
    const move = MOVES[event.key];
    if (!move || event.altKey || event.metaKey) return;
    event.preventDefault();
    const unit = event.ctrlKey && move[1] === "character" ? "word" : move[1];
    getSelection().modify(event.shiftKey ? "extend" : "move", move[0], unit);
    keepInside();
    if (event.shiftKey) selecting = true;
    else act.cleared();
  });

  root.addEventListener("keyup", (event) => {
    if (!selecting || (event.key !== "Shift" && event.shiftKey)) return;
    selecting = false;
    const range = selected(root);
    if (range) act.pick(range, "keys");
    else act.cleared();
  });

  /** A step past the last line must not carry the selection out of the response. */
  function keepInside() {
    const selection = getSelection();
    const { anchorNode, anchorOffset, focusNode } = selection;
    if (root.contains(focusNode) || !root.firstChild) return;
    const after = root.compareDocumentPosition(focusNode) & Node.DOCUMENT_POSITION_FOLLOWING;
    const edge = after ? root.firstChild.length : 0;
    const from = root.contains(anchorNode) ? unitOf(root, anchorNode, anchorOffset) : edge;
    selection.setBaseAndExtent(root.firstChild, from, root.firstChild, edge);
  }

  function caret() {
    const selection = getSelection();
    const here = document.activeElement === root && root.contains(selection.focusNode);
    act.caret(here ? unitOf(root, selection.focusNode, selection.focusOffset) : null);
  }
}
