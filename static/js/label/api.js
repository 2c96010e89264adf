// Requests to the site, and the small things every module needs: the page's settings and words.

const given = (id) => JSON.parse(document.getElementById(id).textContent);

export const settings = given("label-settings");
const words = given("label-words");

// A sentence in the person's language; {name} is filled from `values`.
export const say = (name, values = {}) =>
  words[name].replace(/\{(\w+)\}/g, (whole, key) => (key in values ? values[key] : whole));

export const by = (id) => document.getElementById(id);

export function make(tag, fields = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(fields)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function cookie() {
  const found = document.cookie.match(/(?:^|;\s*)csrftoken=([^;]*)/);
  return found ? found[1] : "";
}

let known = cookie();
const PATIENCE = 30_000; // a line that says nothing for so long is dead

// A login changes the cookie: then ask whose session it is, so that nobody saves for another person.
async function samePerson() {
  const now = cookie();
  if (now === known) return true;
  const reply = await fetch(settings.urls.label, { credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE) });
  if (reply.redirected || !reply.ok) return reply.status !== 404 && reply.status !== 403;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const found = page.getElementById("label-settings");
  if (!found || JSON.parse(found.textContent).person !== settings.person) return false;
  known = now;
  return true;
}

// {status, body}; status 0 where the line is dead, -1 where somebody else is logged in by now, 502
// where something in between answered for the site.
export async function request(method, url, body, keepalive = false) {
  try {
    if (!(await samePerson())) return { status: -1, body: null };
    const reply = await fetch(url, {
      method,
      keepalive,
      signal: AbortSignal.timeout(PATIENCE),
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-CSRFToken": cookie() },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return await read(reply);
  } catch {
    return { status: 0, body: null };
  }
}

async function read(reply) {
  const text = await reply.text();
  const json = (reply.headers.get("Content-Type") || "").includes("json");
  // The site answers with JSON, or with nothing. A page is of a portal or a proxy: what it says of the
  // answer is not true, but for "too much" and the troubles of a server.
  const foreign = reply.redirected || (text && !json) || (reply.status === 200 && !text);
  const status = foreign && reply.status < 500 && ![413, 429].includes(reply.status) ? 502 : reply.status;
  return { status, body: json && text ? JSON.parse(text) : null };
}

// The page's first request: the one that was sent while the modules came, where it was this one.
export async function first(method, url) {
  const { first: early } = window.early || {};
  if (window.early) window.early.first = null;
  if (!early || early.method !== method || early.url !== url) return request(method, url, method === "POST" ? {} : undefined);
  try {
    return await read(await early.reply);
  } catch {
    return { status: 0, body: null };
  }
}

export const messages = (body) => (body && body.errors ? body.errors : []);
export const placeUrl = (id) => settings.urls.assignment.replace("/0/", `/${id}/`);
export const pageUrl = (id) => settings.urls.one.replace("/0/", `/${id}/`);

// What is said: to screen readers in the live region, and refusals on screen too, over the page.

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

export const loginLink = () => make("a", { href: settings.urls.login, target: "_blank", textContent: say("login_link") });
export const askLogin = () => complain(say("login"), loginLink(), true);

const TROUBLES = ["login", "stranger", "forbidden", "unsaved"];

// The line beside the main action; what needs the person is said in full, over the page.
export function standing(name, word) {
  const line = by("state");
  const troubled = TROUBLES.includes(line.dataset.state);
  line.dataset.state = name;
  line.textContent = say(word);
  if (name === "login") askLogin();
  else if (name === "stranger" || name === "forbidden") complain(say(name), null, true);
  else if (name === "saved" && troubled) quiet();
  if (name === "offline" || name === "saved") announce(line.textContent, 300);
}

// Shows one part of the page in place of the others.
export function view(name) {
  for (const part of ["loading", "work", "done", "trouble"]) by(part).hidden = part !== name;
}
