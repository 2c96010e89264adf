// A context in place of a picture: plain, Markdown (made into safe HTML by the server), JSON, code.

/** JSON with lines and indents; every number and string keeps its spelling, unlike JSON.parse. */
export function pretty(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  let made = "";
  const line = () => `\n${"  ".repeat(depth)}`;
  tokens.forEach((token, i) => {
    if (token === "{" || token === "[") {
      depth++;
      made += token + (/[}\]]/.test(tokens[i + 1]) ? "" : line());
    } else if (token === "}" || token === "]") {
      depth--;
      made += (/[{[]/.test(tokens[i - 1]) ? "" : line()) + token;
    } else if (token === ",") made += token + line();
    else made += token === ":" ? ": " : token;
  });
  return made;
}

export function showContext(target, item) {
  target.className = `context ${item.context_format ?? "plain"}`;
  target.lang = item.language;
  if (item.context_format === "markdown" && item.context_html !== undefined) {
    const parsed = new DOMParser().parseFromString(item.context_html, "text/html");
    target.replaceChildren(...parsed.body.childNodes);
    for (const link of target.querySelectorAll("a")) {
      link.target = "_blank";
      link.rel = "noopener noreferrer";
    }
    return;
  }
  target.textContent = item.context_format === "json" ? pretty(item.context) : item.context;
}
