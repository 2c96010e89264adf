// Keys of the whole page. A label's key goes before a command's while there is something to label.

import { by, settings } from "./api.js";
import { anyOpen, commandsOf, typing } from "./dialogs.js";
import { EDGES } from "./labelbox.js";

// The letter on the key: where the script is another one, the letter of a Latin keyboard.
function letterOf(event) {
  if (event.key.length === 1 && event.key > "~" && /^Key[A-Z]$/.test(event.code)) {
    return event.code.slice(3).toLowerCase();
  }
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

// What goes on while a key is held; the rest is done once, and never to the item that comes next.
const HELD = "uiop.,+=-zy";

export function listen(bench, viewer, act) {
  const edges = Object.fromEntries(EDGES.map(([which, step, , key]) => [key, () => bench.edge(which, step)]));
  const commands = {
    ...edges,
    ".": () => bench.step(1),
    ",": () => bench.step(-1),
    n: () => bench.setNone(!bench.answer.no_hallucination),
    ...commandsOf(viewer),
    "/": () => by("comment").focus(),
    Delete: () => bench.remove(bench.active),
    Backspace: () => bench.remove(bench.active),
  };
  const keyed = settings.labels.filter((one) => one.key);
  // The key as it was typed goes before the Latin letter on it: a label's key may be of any script.
  const labelOf = (typed, letter) =>
    keyed.find((one) => one.key === typed) ??
    keyed.find((one) => one.key.toLowerCase() === typed.toLowerCase()) ??
    keyed.find((one) => one.key.toLowerCase() === letter);

  function withControl(event, target) {
    const letter = letterOf(event);
    if (event.key === "Enter" && event.repeat) return true;
    if (event.key === "Enter") act.submit();
    else if (typing(target)) return false;
    else if (letter === "z") bench.turn(!event.shiftKey);
    else if (letter === "y") bench.turn(false);
    else return false;
    return true;
  }

  function alone(event, target) {
    if (event.key === "Escape") {
      bench.selection.finish();
      bench.clear();
      return true;
    }
    if (typing(target)) return false;
    if (event.key === "Enter" && target === bench.root) {
      openBox(bench);
      return true;
    }
    const letter = letterOf(event);
    if (event.repeat && !HELD.includes(letter)) return Boolean(commands[letter] || labelOf(event.key, letter));
    const chosen = bench.chosen || bench.active >= 0;
    const label = labelOf(event.key, letter);
    if (label && (chosen || !commands[letter])) bench.label(label.code);
    else if (commands[letter]) commands[letter]();
    else return false;
    return true;
  }

  document.addEventListener("keydown", (event) => {
    bench.selection.settle();
    const target = event.composedPath()[0]; // also within what an extension puts beside the page
    // A key that is held presses a button once; in a field it types on.
    if (event.repeat && event.key === "Enter" && !typing(target)) event.preventDefault();
    if (event.defaultPrevented || event.altKey || event.isComposing || !act.ready()) return;
    if (anyOpen()) {
      const shut = { g: "guidelines", "?": "shortcuts" }[letterOf(event)];
      if (shut && by(shut).open && !typing(target)) by(shut).close();
      return;
    }
    if (event.ctrlKey || event.metaKey ? withControl(event, target) : alone(event, target)) event.preventDefault();
  });
}

// Enter in the text: to the labels of what is chosen, or of the span at the caret.
function openBox(bench) {
  if (!bench.chosen && bench.active < 0) bench.touch(bench.paint.caretAt ?? null);
  if (!bench.chosen && bench.active < 0) return bench.label("");
  bench.showBox();
  return bench.box.focus();
}
