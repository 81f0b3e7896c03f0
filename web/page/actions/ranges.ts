// Moves the thumb of a range input with the mouse.

import * as dom from "../dom.js";
import { fireChange, fireInput } from "./events.js";
import { localPoint } from "./places.js";
import { setValue } from "./values.js";

/** @import { Point } from "./places.js" */

// The width of Chromium's thumb. Its middle moves between half of it from the start and half of it from the end.
const THUMB = 16;

/** @type {WeakMap<Element, string>} */
const before = new WeakMap();

/** Move the thumb to a point. @param {Element} element @param {Point} point */
export function drawRange(element, point) {
  if (!isRange(element)) return;
  const input = /** @type {HTMLInputElement} */ (element);
  const old = input.value;
  const isPress = !before.has(input);
  if (isPress) before.set(input, old);
  if (isPress && isOnThumb(input, localPoint(input.ownerDocument, point))) return;
  setValue(input, String(valueAt(input, localPoint(input.ownerDocument, point))));
  if (input.value !== old) fireInput(input);
}

/** Release the thumb. @param {Element} element */
export function finishRange(element) {
  const old = before.get(element);
  before.delete(element);
  if (old !== undefined && old !== /** @type {HTMLInputElement} */ (element).value) fireChange(element);
}

/** @param {Element} element */
function isRange(element) {
  return dom.localName(element) === "input" && /** @type {HTMLInputElement} */ (element).type === "range";
}

/** Return whether a press grabs the thumb, which doesn't move it. @param {HTMLInputElement} input @param {Point} local */
function isOnThumb(input, local) {
  const { at, start, length } = track(input, local);
  const { low, high } = bounds(input);
  const share = high > low ? (Number(input.value) - low) / (high - low) : 0;
  const middle = start + length * (isReversed(input) ? 1 - share : share);
  return Math.abs(at - middle) < THUMB / 2;
}

/** @param {HTMLInputElement} input @param {Point} local */
function valueAt(input, local) {
  const { at, start, length } = track(input, local);
  const share = Math.min(1, Math.max(0, (at - start) / length));
  const { low, high } = bounds(input);
  return low + (isReversed(input) ? 1 - share : share) * (high - low);
}

/** Return the range of the thumb's middle, and the point's position along it. @param {HTMLInputElement} input @param {Point} local */
function track(input, local) {
  const box = input.getBoundingClientRect();
  const isVertical = getComputedStyle(input).writingMode.startsWith("vertical");
  const [start, length, at] = isVertical ? [box.top, box.height, local.y] : [box.left, box.width, local.x];
  return { start: start + THUMB / 2, length: Math.max(1, length - THUMB), at };
}

/** @param {HTMLInputElement} input */
function isReversed(input) {
  return getComputedStyle(input).direction === "rtl";
}

/** Return the minimum and maximum values. @param {HTMLInputElement} input */
export function bounds(input) {
  const low = input.min === "" ? 0 : Number(input.min);
  return { low, high: Math.max(low, input.max === "" ? 100 : Number(input.max)) };
}
