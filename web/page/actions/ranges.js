// A range input under the mouse: the thumb follows the pointer.

import { fireChange, fireInput } from "./events.js";
import { localPoint } from "./places.js";
import { setValue } from "./values.js";

/** @import { Point } from "./places.js" */

// Chromium's thumb is as wide; its middle goes from half of it to half of it before the end.
const THUMB = 16;

/** @type {WeakMap<Element, string>} */
const before = new WeakMap();

/** Bring the thumb to a point. @param {Element} element @param {Point} point */
export function drawRange(element, point) {
  if (!isRange(element)) return;
  const input = /** @type {HTMLInputElement} */ (element);
  if (!before.has(input)) before.set(input, input.value);
  const old = input.value;
  setValue(input, String(valueAt(input, localPoint(input.ownerDocument, point))));
  if (input.value !== old) fireInput(input);
}

/** The thumb was let go. @param {Element} element */
export function finishRange(element) {
  const old = before.get(element);
  before.delete(element);
  if (old !== undefined && old !== /** @type {HTMLInputElement} */ (element).value) fireChange(element);
}

/** @param {Element} element */
function isRange(element) {
  return element.localName === "input" && /** @type {HTMLInputElement} */ (element).type === "range";
}

/** @param {HTMLInputElement} input @param {Point} local */
function valueAt(input, local) {
  const box = input.getBoundingClientRect();
  const style = getComputedStyle(input);
  const vertical = style.writingMode.startsWith("vertical");
  const [start, length, at] = vertical ? [box.top, box.height, local.y] : [box.left, box.width, local.x];
  const share = Math.min(1, Math.max(0, (at - start - THUMB / 2) / Math.max(1, length - THUMB)));
  const { low, high } = bounds(input);
  return low + (style.direction === "rtl" ? 1 - share : share) * (high - low);
}

/** The least and greatest values. @param {HTMLInputElement} input */
export function bounds(input) {
  const low = input.min === "" ? 0 : Number(input.min);
  return { low, high: Math.max(low, input.max === "" ? 100 : Number(input.max)) };
}
