// Keys of the writing page. While somebody writes, letters are letters: what is at hand then has F1
// and keys with Ctrl.

import { anyOpen, toggle } from "../label/dialogs.js";

const typing = (element) => element.matches("textarea, input:not([type=checkbox], [type=radio]), select");

// act: submit(), enter(), letGo()
export function listen(root, viewer, act) {
  const commands = {
    g: () => toggle("guidelines"),
    "?": () => toggle("shortcuts"),
    "+": () => viewer.zoom(1.4),
    "=": () => viewer.zoom(1.4),
    "-": () => viewer.zoom(1 / 1.4),
    0: () => viewer.fit(),
  };

  function handled(event) {
    if (event.key === "F1") return toggle("guidelines") ?? true;
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== "Enter") return false;
      act.submit();
      return true;
    }
    if (event.key === "Escape") {
      act.letGo();
      return !typing(event.target);
    }
    if (event.key === "Enter" && event.target === root) {
      act.enter();
      return true;
    }
    const command = !typing(event.target) && commands[event.key.toLowerCase()];
    if (command) command();
    return Boolean(command);
  }

  document.addEventListener("keydown", (event) => {
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
