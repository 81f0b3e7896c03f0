// The boxes of elements, in pixels of the top document's viewport, and the elements that cover them. This code never
// writes to the page, so the browser computes the layout once.

import { boxesOf, boxOf } from "../areas.ts";
import { composedParent, elementAt, frameElement, composedContains } from "../composed.ts";
import * as dom from "../dom.ts";
import { surfaceOf } from "../surfaces.ts";

export type Box = { x: number; y: number; width: number; height: number };

/** Round a length; positive ones to at least 1. */
function whole(length: number) {
  return length > 0 ? Math.max(1, Math.round(length)) : 0;
}

/** Return whether a box has an area to press. */
export function hasArea({ width, height }: Box) {
  return width > 0 && height > 0;
}

/** A reader of the page's layout. */
export class Layout {
  offsets: Map<Document, { x: number; y: number } | null>;
  width = innerWidth;
  height = innerHeight;

  /** @param document - the top one */
  constructor(document: Document) {
    this.offsets = new Map([[document, { x: 0, y: 0 }]]);
  }

  /** Return the element's box. */
  box(element: Element): Box {
    const offset = this.offset(dom.ownerDocument(element));
    const { left, top, width, height } = boxOf(element);
    const { round } = Math;
    return { x: round(left + offset.x), y: round(top + offset.y), width: whole(width), height: whole(height) };
  }

  /** Return the origin of a document's viewport. */
  offset(document: Document): { x: number; y: number } {
    const known = this.offsets.get(document);
    if (known) return known;
    let x = 0;
    let y = 0;
    for (let frame = frameElement(document); frame; frame = frameElement(dom.ownerDocument(frame))) {
      const { left, top } = dom.getBoundingClientRect(frame);
      x += left + dom.clientLeft(frame);
      y += top + dom.clientTop(frame);
    }
    this.offsets.set(document, { x, y });
    return { x, y };
  }

  /** Return whether a part of the box is in the viewport. */
  isInView({ x, y, width, height }: Box) {
    return x < this.width && y < this.height && x + width > 0 && y + height > 0;
  }

  /** Return the element that would receive a press instead of a visible one, or null. */
  coverOf(element: Element, box: Box): Element | null {
    if (!hasArea(box)) return null;
    const first = this.hitInstead(element, box);
    if (first === null || !composedContains(first, element)) return first;
    // The middle of a wrapped inline element may be outside its lines, so try its first line.
    const [line] = boxesOf(element);
    const offset = this.offset(dom.ownerDocument(element));
    const box2 = line && { x: line.left + offset.x, y: line.top + offset.y, width: line.width, height: line.height };
    const second = box2 ? this.hitInstead(element, box2) : null;
    return second !== null && !composedContains(second, element) ? second : null;
  }

  /** Return the element at the middle of the box's visible part, or null if it belongs to `element`. */
  hitInstead(element: Element, { x, y, width, height }: Box) {
    const left = (Math.max(x, 0) + Math.min(x + width, this.width)) / 2;
    const top = (Math.max(y, 0) + Math.min(y + height, this.height)) / 2;
    for (let wanted = element; ; ) {
      const offset = this.offset(dom.ownerDocument(wanted));
      const hit = elementAt(dom.ownerDocument(wanted), left - offset.x, top - offset.y);
      if (hit !== null && !isPartOf(hit, wanted)) return hit;
      const frame = frameElement(dom.ownerDocument(wanted));
      if (frame === null || !this.offsets.has(dom.ownerDocument(frame))) return null;
      wanted = frame;
    }
  }
}

/** Return whether a press on `hit` also hits `element`. */
function isPartOf(hit: Element, element: Element) {
  const surface = surfaceOf(element);
  for (let at: Element | null = hit; at; at = composedParent(at)) {
    if (at === element || at === surface) return true;
    if (dom.isNamed(at, "label") && at.control === element) return true;
  }
  return false;
}
