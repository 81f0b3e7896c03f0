// Finds the points at which an element can be hit. Points are in pixels of the top document's viewport; `local`
// points are in pixels of the viewport of the element's own document.

import { boxesOf } from "../areas.ts";
import { composedParent, elementAt, frameDocument, frameElement, composedContains, isFrame } from "../composed.ts";
import * as dom from "../dom.ts";
import { surfaceOf } from "../surfaces.ts";

export type Point = { x: number; y: number };

// What a label doesn't press its control for (HTML, 4.10.4).
const INTERACTIVE = "a[href], button, input, select, textarea, summary, [tabindex]";

export function localPoint(document: Document, top: Point): Point {
  const frame = frameElement(document);
  if (!frame) return top;
  const { left, top: above, scaleX, scaleY } = inside(frame);
  const outer = localPoint(dom.ownerDocument(frame), top);
  return { x: (outer.x - left) / scaleX, y: (outer.y - above) / scaleY };
}

export function topPoint(document: Document, local: Point): Point {
  const frame = frameElement(document);
  if (!frame) return local;
  const { left, top, scaleX, scaleY } = inside(frame);
  return topPoint(dom.ownerDocument(frame), { x: local.x * scaleX + left, y: local.y * scaleY + top });
}

/** Return the origin and the scale of a frame's document. */
function inside(frame: Element) {
  const box = dom.getBoundingClientRect(frame);
  const { offsetWidth, offsetHeight } = frame as HTMLIFrameElement;
  const scaleX = offsetWidth ? box.width / offsetWidth : 1;
  const scaleY = offsetHeight ? box.height / offsetHeight : 1;
  return {
    left: box.left + dom.clientLeft(frame) * scaleX,
    top: box.top + dom.clientTop(frame) * scaleY,
    scaleX,
    scaleY,
  };
}

/**
 * Return the element that a press would hit, also in frames of the same origin.
 * @param point - of the top document
 */
export function hitAt(point: Point): Element | null {
  let found = elementAt(document, point.x, point.y);
  while (found && isFrame(found)) {
    const inner = frameDocument(found);
    if (!inner) return found;
    const local = localPoint(inner, point);
    const next = elementAt(inner, local.x, local.y) ?? dom.documentElement(inner);
    if (!next) return found;
    found = next;
  }
  return found;
}

/** Iterate over points that may hit the element, the most likely first. */
export function* pointsOf(element: Element): Generator<Point> {
  const view = dom.defaultView(dom.ownerDocument(element)) ?? window;
  for (const box of boxesOf(element)) {
    const left = Math.max(box.left, 0);
    const top = Math.max(box.top, 0);
    const width = Math.min(box.right, view.innerWidth) - left;
    const height = Math.min(box.bottom, view.innerHeight) - top;
    if (width <= 0 || height <= 0) continue;
    for (const [across, down] of [
      [0.5, 0.5],
      [0.1, 0.5],
      [0.9, 0.5],
      [0.5, 0.1],
      [0.5, 0.9],
    ]) {
      yield topPoint(dom.ownerDocument(element), { x: pixel(left, width, across), y: pixel(top, height, down) });
    }
  }
}

/** Return a whole pixel, or a fraction if the box contains no whole one. */
function pixel(start: number, size: number, share: number) {
  const exact = start + size * share;
  return [Math.floor(exact), Math.ceil(exact)].find((whole) => whole >= start && whole < start + size) ?? exact;
}

/** Return whether something in a label, such as a link, does something else than the label. */
function isOtherControl(label: Element, hit: Element) {
  if (dom.localName(label) !== "label") return false;
  const { control } = label as HTMLLabelElement;
  for (let at: Element | null = hit; at && at !== label; at = composedParent(at)) {
    if (dom.matches(at, INTERACTIVE)) return at !== control;
  }
  return false;
}

/** Return whether a press on `hit` also hits `element`. */
export function isHit(element: Element, hit: Element) {
  if (composedContains(element, hit)) return !isOtherControl(element, hit);
  const surface = surfaceOf(element);
  if (surface && composedContains(surface, hit)) return true;
  // A label may cover its control, as with styled checkboxes.
  for (let at: Element | null = hit; at; at = composedParent(at)) {
    if (dom.localName(at) === "label") return (at as HTMLLabelElement).control === element;
  }
  return false;
}
