// Opens the editor of a cell of a grid, as a double-click does in most grids.

import * as dom from "../dom.js";
import { Unsupported } from "../errors.js";
import { isEditable } from "./editing.js";
import { focused } from "./focus.js";
import { tagOf } from "./ready.js";
import { frame } from "./waiting.js";

/**
 * @import { Hand } from "./hand.js"
 * @import { Place } from "./ready.js"
 */

const GRID = "[role=grid], [role=treegrid]";
const CELL = "[role~=gridcell], [role~=rowheader], td, th";
const FIELDS = "input, textarea, select, [contenteditable]:not([contenteditable=false])";
const WAIT_MS = 500;

/** Return whether the element is a cell of a grid without a field in it. @param {Element} element */
export function isCell(element) {
  return dom.matches(element, CELL) && dom.closest(element, GRID) !== null && !isEditable(element) && !dom.querySelector(element, FIELDS);
}

/**
 * Double-click a cell, and return the field that has the focus then.
 * @param {Hand} hand
 * @param {Element} cell
 * @param {Place} place
 * @param {AbortSignal} [signal]
 * @returns {Promise<Element>}
 * Throws Unsupported if there is none.
 */
export async function openCell(hand, cell, place, signal) {
  await hand.press(place, { double: true });
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const field = focused();
    if (isEditable(field) && overlaps(field, cell)) return field;
    if (performance.now() > end) break;
    await frame(signal);
  }
  throw new Unsupported(`${tagOf(cell)} opened no editor.`, { hint: "Press Enter or F2 on it, or look for a button that edits the row." });
}

/** @param {Element} one @param {Element} other */
function overlaps(one, other) {
  if (!dom.isConnected(other) || dom.contains(other, one)) return true;
  const [a, b] = [dom.getBoundingClientRect(one), dom.getBoundingClientRect(other)];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
