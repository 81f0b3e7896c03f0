// Opens the editor of a cell of a grid, as a double-click does in most grids.

import * as dom from "../dom.ts";
import { Unsupported } from "../errors.ts";
import { isEditable } from "./editing.ts";
import { focused } from "./focus.ts";
import type { InputDevices } from "./input_devices.ts";
import { tagOf, type Place } from "./ready.ts";
import { frame } from "./waiting.ts";

const GRID = "[role=grid], [role=treegrid]";
const CELL = "[role~=gridcell], [role~=rowheader], td, th";
const FIELDS = "input, textarea, select, [contenteditable]:not([contenteditable=false])";
const WAIT_MS = 500;

/** Return whether the element is a cell of a grid without a field in it. */
export function isCell(element: Element) {
  return (
    dom.matches(element, CELL) &&
    dom.closest(element, GRID) !== null &&
    !isEditable(element) &&
    !dom.querySelector(element, FIELDS)
  );
}

/**
 * Double-click a cell, and return the field that has the focus then.
 * Throws Unsupported if there is none.
 */
export async function openCell(
  devices: InputDevices,
  cell: Element,
  place: Place,
  signal?: AbortSignal,
): Promise<Element> {
  await devices.press(place, { double: true });
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const field = focused();
    if (isEditable(field) && overlaps(field, cell)) return field;
    if (performance.now() > end) break;
    await frame(signal);
  }
  throw new Unsupported(`${tagOf(cell)} opened no editor.`, {
    hint: "Press Enter or F2 on it, or look for a button that edits the row.",
  });
}

function overlaps(one: Element, other: Element) {
  if (!dom.isConnected(other) || dom.contains(other, one)) return true;
  const [a, b] = [dom.getBoundingClientRect(one), dom.getBoundingClientRect(other)];
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
