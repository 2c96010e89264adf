// Requests to the JSON API. No answer at all is status 0.

const LIMIT_MS = 20000;

function token() {
  // Read each time: a new login in another tab brings a new one.
  const found = document.cookie.match(/(?:^|; )csrftoken=([^;]*)/);
  return found ? decodeURIComponent(found[1]) : "";
}

async function request(method, url, body, options = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRFToken"] = token();
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    const reply = await fetch(url, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(LIMIT_MS),
      ...options,
    });
    const json = (reply.headers.get("Content-Type") || "").includes("json");
    return { status: reply.status, body: json ? await reply.json() : null };
  } catch {
    return { status: 0, body: null };
  }
}

export class Api {
  constructor(urls) {
    this.urls = urls;
  }

  claim(after) {
    return request("POST", this.urls.claim, after ? { after } : {});
  }

  assignment(id) {
    return request("GET", this.#place(this.urls.assignment, id));
  }

  save(id, answer, options) {
    return request("PUT", this.#place(this.urls.assignment, id), answer, options);
  }

  report(id, reason) {
    return request("POST", this.#place(this.urls.report, id), { reason });
  }

  project() {
    return request("GET", this.urls.project);
  }

  page(id) {
    return this.#place(this.urls.one, id);
  }

  #place(url, id) {
    return url.replace(/\/0\//, `/${id}/`);
  }
}
