// Keys of the post-editing page. While somebody types only Ctrl + Enter is ours.

import { by } from "../label/api.js";
import { anyOpen, commandsOf, typing } from "../label/dialogs.js";

export function listen(desk, viewer, send) {
  const commands = {
    ...commandsOf(viewer),
    Delete: () => desk.removeHere(),
    Backspace: () => desk.removeHere(),
  };

  document.addEventListener("keydown", (event) => {
    desk.selection.settle();
    if (event.defaultPrevented || event.altKey || event.isComposing || anyOpen()) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== "Enter") return;
      event.preventDefault();
      send();
      return;
    }
    if (event.key === "Escape" && !typing(event.target)) {
      desk.selection.chosen = null;
      desk.selection.finish();
      return void desk.clear();
    }
    if (typing(event.target)) return;
    const marks = event.key === "Enter" && event.target === by("response");
    const command = marks ? () => desk.mark() : commands[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!command) return;
    event.preventDefault();
    command();
  });
}
