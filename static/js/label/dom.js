// Between units of the shown text and places on the page. `root` holds one text node.

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

export function rangeOf(root, from, to) {
  const range = document.createRange();
  const node = root.firstChild;
  range.setStart(node, Math.min(from, node.length));
  range.setEnd(node, Math.min(to, node.length));
  return range;
}

export function unitOf(root, node, offset) {
  const range = document.createRange();
  range.selectNodeContents(root);
  range.setEnd(node, offset);
  return range.toString().length;
}

/** The document's selection, cut to root: {from, to}, or null where it has no character of root. */
export function selected(root) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed || !root.firstChild) return null;
  const range = selection.getRangeAt(0);
  const all = document.createRange();
  all.selectNodeContents(root);
  if (!range.intersectsNode(root)) return null;
  const starts = range.compareBoundaryPoints(Range.START_TO_START, all) < 0;
  const ends = range.compareBoundaryPoints(Range.END_TO_END, all) > 0;
  const from = starts ? 0 : unitOf(root, range.startContainer, range.startOffset);
  const to = ends ? all.toString().length : unitOf(root, range.endContainer, range.endOffset);
  return from < to ? { from, to } : null;
}

export function select(root, from, to) {
  const node = root.firstChild;
  getSelection().setBaseAndExtent(node, from, node, to);
}

function caretAt(x, y) {
  if (document.caretPositionFromPoint) {
    const found = document.caretPositionFromPoint(x, y);
    return found && { node: found.offsetNode, offset: found.offset };
  }
  const range = document.caretRangeFromPoint(x, y);
  return range && { node: range.startContainer, offset: range.startOffset };
}

/** The boundary nearest to a point, which is first drawn into root's box. */
export function boundaryAt(root, x, y) {
  const box = root.getBoundingClientRect();
  const inX = Math.min(Math.max(x, box.left + 1), box.right - 1);
  const inY = Math.min(Math.max(y, box.top + 1), box.bottom - 1);
  const found = caretAt(inX, inY);
  if (found && root.contains(found.node)) return unitOf(root, found.node, found.offset);
  return y < box.top + box.height / 2 ? 0 : root.firstChild?.length ?? 0;
}

/** The unit of the character under a point; -1 where there is none. */
export function characterAt(root, x, y) {
  const length = root.firstChild?.length ?? 0;
  const near = boundaryAt(root, x, y);
  for (let unit = Math.max(0, near - 2); unit <= Math.min(length - 1, near + 1); unit++) {
    const inside = (r) => x >= r.left && x <= r.right && y >= r.top - 5 && y <= r.bottom + 5;
    if ([...rangeOf(root, unit, unit + 1).getClientRects()].some(inside)) return unit;
  }
  return -1;
}

/** Where a range begins or ends on screen, in writing direction: {x, top, bottom, rtl}, or null. */
export function edgeOf(root, text, { from, to }, end) {
  const [a, b] = end ? [text.step(to, -1), to] : [from, text.step(from, 1)];
  const rects = [...rangeOf(root, a, b).getClientRects()].filter((r) => r.height > 0);
  if (!rects.length) return null;
  const rtl = RTL.test(text.text.slice(a, b));
  const rect = rects[end ? rects.length - 1 : 0];
  return { x: end === rtl ? rect.left : rect.right, top: rect.top, bottom: rect.bottom, rtl };
}
