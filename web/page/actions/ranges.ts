// Moves the thumb of a range input with the mouse.

import * as dom from "../dom.ts";
import { fireChange, fireInput } from "./events.ts";
import { localPoint, type Point } from "./places.ts";
import { setValue } from "./values.ts";

// The width of Chromium's thumb. Its middle moves between half of it from the start and half of it from the end.
const THUMB = 16;

const before = new WeakMap<Element, string>();

/** Move the thumb to a point. */
export function drawRange(input: Element, point: Point) {
  if (!isRange(input)) return;
  const old = input.value;
  const isPress = !before.has(input);
  if (isPress) before.set(input, old);
  if (isPress && isOnThumb(input, localPoint(input.ownerDocument, point))) return;
  setValue(input, String(valueAt(input, localPoint(input.ownerDocument, point))));
  if (input.value !== old) fireInput(input);
}

/** Release the thumb. */
export function finishRange(element: Element) {
  const old = before.get(element);
  before.delete(element);
  if (old !== undefined && isRange(element) && old !== element.value) fireChange(element);
}

function isRange(element: Element): element is HTMLInputElement {
  return dom.isNamed(element, "input") && element.type === "range";
}

/** Return whether a press grabs the thumb, which doesn't move it. */
function isOnThumb(input: HTMLInputElement, local: Point) {
  const { at, start, length } = track(input, local);
  const { low, high } = bounds(input);
  const share = high > low ? (Number(input.value) - low) / (high - low) : 0;
  const middle = start + length * (isReversed(input) ? 1 - share : share);
  return Math.abs(at - middle) < THUMB / 2;
}

function valueAt(input: HTMLInputElement, local: Point) {
  const { at, start, length } = track(input, local);
  const share = Math.min(1, Math.max(0, (at - start) / length));
  const { low, high } = bounds(input);
  return low + (isReversed(input) ? 1 - share : share) * (high - low);
}

/** Return the range of the thumb's middle, and the point's position along it. */
function track(input: HTMLInputElement, local: Point) {
  const box = input.getBoundingClientRect();
  const isVertical = getComputedStyle(input).writingMode.startsWith("vertical");
  const [start, length, at] = isVertical ? [box.top, box.height, local.y] : [box.left, box.width, local.x];
  return { start: start + THUMB / 2, length: Math.max(1, length - THUMB), at };
}

function isReversed(input: HTMLInputElement) {
  return getComputedStyle(input).direction === "rtl";
}

/** Return the minimum and maximum values. */
export function bounds(input: HTMLInputElement) {
  const low = input.min === "" ? 0 : Number(input.min);
  return { low, high: Math.max(low, input.max === "" ? 100 : Number(input.max)) };
}
