// Between units of the shown text and places on the page. `root` holds one text node.

import { edgeBeside } from "./offsets.js";

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

export function rangeOf(root, from, to) {
  const range = document.createRange();
  range.setStart(root.firstChild, from);
  range.setEnd(root.firstChild, to);
  return range;
}

export const rectsOf = (root, from, to) =>
  [...rangeOf(root, from, to).getClientRects()].filter((rect) => rect.width > 0);

export function unitOf(root, node, offset) {
  const text = root.firstChild;
  if (node === text) return offset;
  const range = document.createRange();
  range.setStart(node, offset);
  return range.comparePoint(text, 0) > 0 || (node === root && offset === 0) ? 0 : text.length;
}

// The document's selection cut to root: [from, to]; null where nothing of root is in it.
export function selected(root) {
  const held = getSelection();
  if (!held.rangeCount || held.isCollapsed || !root.firstChild) return null;
  const range = held.getRangeAt(0);
  if (!range.intersectsNode(root)) return null;
  const from = unitOf(root, range.startContainer, range.startOffset);
  const to = unitOf(root, range.endContainer, range.endOffset);
  return from < to ? [from, to] : null;
}

export function select(root, from, to) {
  getSelection().setBaseAndExtent(root.firstChild, from, root.firstChild, to);
}

function caretAt(x, y) {
  if (document.caretPositionFromPoint) {
    const found = document.caretPositionFromPoint(x, y);
    return found && [found.offsetNode, found.offset];
  }
  const range = document.caretRangeFromPoint(x, y);
  return range && [range.startContainer, range.startOffset];
}

// The boundary nearest to a point, which is first drawn into root's box.
export function boundaryAt(root, x, y) {
  const box = root.getBoundingClientRect();
  const found = caretAt(
    Math.min(Math.max(x, box.left + 1), box.right - 1),
    Math.min(Math.max(y, box.top + 1), box.bottom - 1),
  );
  if (found && root.contains(found[0])) return unitOf(root, ...found);
  return y < box.top + box.height / 2 ? 0 : root.firstChild.length;
}

// The unit of the visible character under a point; null beside the text.
export function characterAt(root, map, x, y) {
  const near = boundaryAt(root, x, y);
  for (const from of [edgeBeside(map, near, -1), near]) {
    const to = edgeBeside(map, from, 1);
    const inside = (r) => x >= r.left && x <= r.right && y >= r.top - 5 && y <= r.bottom + 5;
    if (to > from && rectsOf(root, from, to).some(inside)) return from;
  }
  return null;
}

// Where a range begins or ends on screen, in writing direction: {x, top, bottom, rtl}, or null.
export function edgeOf(root, map, [from, to], end) {
  const pair = end ? [edgeBeside(map, to, -1), to] : [from, edgeBeside(map, from, 1)];
  const rects = rectsOf(root, ...pair);
  if (!rects.length) return null;
  const rtl = RTL.test(map.shown.slice(...pair));
  const rect = rects[end ? rects.length - 1 : 0];
  return { x: end === rtl ? rect.left : rect.right, top: rect.top, bottom: rect.bottom, rtl };
}
