// Differences of two texts by words. Pure: knows no page.

const MOST = 4e6; // cells of the table; larger texts are shown as one replaced stretch

export function tokens(text, language) {
  const words = new Intl.Segmenter(language || undefined, { granularity: "word" });
  return Array.from(words.segment(text), (part) => part.segment);
}

// Lengths of the longest common subsequence of all ends of the two lists.
function table(a, b) {
  const width = b.length + 1;
  const cells = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      cells[i * width + j] =
        a[i] === b[j]
          ? cells[(i + 1) * width + j + 1] + 1
          : Math.max(cells[(i + 1) * width + j], cells[i * width + j + 1]);
    }
  }
  return (i, j) => cells[i * width + j];
}

function middle(a, b) {
  if (a.length * b.length > MOST) return [...a.map((text) => ["-", text]), ...b.map((text) => ["+", text])];
  const length = table(a, b);
  const found = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      found.push(["=", a[i++]]);
      j++;
    } else if (length(i + 1, j) >= length(i, j + 1)) found.push(["-", a[i++]]);
    else found.push(["+", b[j++]]);
  }
  return [...found, ...a.slice(i).map((text) => ["-", text]), ...b.slice(j).map((text) => ["+", text])];
}

// Within a changed stretch first all that was taken out, then all that was put in.
function grouped(steps) {
  const parts = [];
  let held = { "-": "", "+": "" };
  const let_go = () => {
    for (const kind of "-+") if (held[kind]) parts.push([kind, held[kind]]);
    held = { "-": "", "+": "" };
  };
  for (const [kind, text] of steps) {
    if (kind !== "=") held[kind] += text;
    else {
      let_go();
      const last = parts[parts.length - 1];
      if (last && last[0] === "=") last[1] += text;
      else parts.push(["=", text]);
    }
  }
  let_go();
  return parts;
}

// A blank between two changed words belongs to the change, or each word would stand alone.
function joined(steps) {
  return steps.flatMap((step, at) => {
    const [before, behind] = [steps[at - 1], steps[at + 1]];
    const lone = step[0] === "=" && /^\s+$/.test(step[1]) && before && behind;
    return lone && before[0] !== "=" && behind[0] !== "=" ? [["-", step[1]], ["+", step[1]]] : [step];
  });
}

// [["=" | "-" | "+", text]]: joined, "=" and "-" are the old text, "=" and "+" the new one.
export function differences(before, now, language) {
  const [a, b] = [tokens(before, language), tokens(now, language)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  const most = Math.min(a.length, b.length) - head;
  while (tail < most && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (text) => ["=", text];
  const steps = [
    ...a.slice(0, head).map(same),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
  return grouped(joined(steps));
}

const WORD = /[\p{L}\p{N}]/u;

// How many words were taken out or put in; a word in place of another counts once.
export function changedWords(parts, language) {
  const count = (text) => tokens(text, language).filter((word) => WORD.test(word)).length;
  let total = 0;
  let out = 0;
  for (const [kind, text] of parts) {
    if (kind === "-") out = count(text);
    else if (kind === "+") {
      total += Math.max(out, count(text));
      out = 0;
    } else {
      total += out;
      out = 0;
    }
  }
  return total + out;
}
