// What the page says: its sentences, the message line, the state line, and what screen readers hear.

const config = (id) => JSON.parse(document.getElementById(id).textContent);
const strings = config("strings");

export const settings = config("settings");
export const $ = (id) => document.getElementById(id);

/** A sentence, with {names} filled in. */
export function t(key, values = {}) {
  return strings[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

let flip = false;

/** Read aloud, not shown. */
export function announce(text) {
  flip = !flip; // the same words twice must be heard twice
  $("live").textContent = flip ? text : `${text}\u00a0`;
}

let timer = 0;

/** Shown in the message line and read aloud; kind "bad" stays longer. */
export function say(text, kind = "") {
  const line = $("message");
  line.textContent = text;
  line.className = kind;
  clearTimeout(timer);
  if (text) timer = setTimeout(() => say(""), kind === "bad" ? 12000 : 6000);
}

let heard = "saved";

/** The state line. What it says is read aloud when it changes, but for "saving". */
export function state(kind) {
  const line = $("state");
  line.dataset.kind = kind;
  line.textContent = t(`state_${kind}`);
  if (kind === "saving" || kind === heard) {
    if (kind === "saving" && heard === "saved") heard = "";
    return;
  }
  heard = kind;
  announce(line.textContent);
}

export function short(text, most = 60) {
  const characters = Array.from(text.replace(/\s+/g, " "));
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : characters.join("");
}

/** An element with text and attributes; children are nodes. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (name === "on") for (const [kind, act] of Object.entries(value)) element.addEventListener(kind, act);
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}
