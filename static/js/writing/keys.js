// Keys of the writing page. While somebody writes, letters are letters: what is at hand then has F1
// and keys with Ctrl.

import { complain, say } from "../label/api.js";
import { anyOpen, commandsOf, toggle, typing } from "../label/dialogs.js";
import { unitOf } from "../label/dom.js";

// Enter in the text: to the box; in edit mode also where nothing is chosen, to put something in.
function enter(marker) {
  const { root } = marker;
  const { focusNode, focusOffset } = getSelection();
  const caret = root.contains(focusNode) ? unitOf(root, focusNode, focusOffset) : null;
  if (!marker.held) marker.touch(caret);
  if (!marker.held && marker.edits && caret !== null) marker.chosen = [caret, caret];
  if (!marker.held) return complain(say("choose_words"));
  if (marker.chosen && !marker.edits) return marker.take(null);
  marker.showBox();
  return marker.box.focus();
}

export function listen(marker, viewer, submit) {
  const commands = commandsOf(viewer);

  function handled(event) {
    if (event.key === "F1") return toggle("guidelines") ?? true;
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== "Enter") return false;
      submit();
      return true;
    }
    if (event.key === "Escape") {
      marker.letGo();
      return !typing(event.target);
    }
    if (event.key === "Enter" && event.target === marker.root) {
      enter(marker);
      return true;
    }
    const command = !typing(event.target) && commands[event.key.toLowerCase()];
    if (command) command();
    return Boolean(command);
  }

  document.addEventListener("keydown", (event) => {
    marker.selection.settle();
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    if (anyOpen()) {
      if (event.key !== "F1" && !(event.key === "g" && !typing(event.target))) return;
      event.preventDefault();
      toggle("guidelines");
      return;
    }
    if (handled(event)) event.preventDefault();
  });
}
