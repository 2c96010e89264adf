// What is said: to screen readers in the live region, and refusals on screen too, over the page.

import { by } from "./api.js";

let waiting = 0;
let fading = 0;

export function announce(text, delay = 0) {
  clearTimeout(waiting);
  const speak = () => {
    by("live").textContent = by("live").textContent === text ? `${text}\u00a0` : text;
  };
  if (delay) waiting = setTimeout(speak, delay);
  else speak();
  return true;
}

// A sentence that stays until the next change, or for some seconds; with a link where one helps.
export function complain(text, link = null, lasting = false) {
  clearTimeout(fading);
  const notice = by("notice");
  notice.replaceChildren(text, ...(link ? [" ", link] : []));
  notice.hidden = false;
  if (!lasting) fading = setTimeout(quiet, 8000);
  announce(text);
  return false;
}

export function quiet() {
  clearTimeout(fading);
  by("notice").hidden = true;
}
