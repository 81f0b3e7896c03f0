// Where elements are, in pixels of the top document's viewport, and what lies over them. It reads and never writes, so
// that the browser lays the page out once.

import { boxesOf, boxOf } from "../areas.js";
import { composedParent, elementAt, frameElement, holds } from "../composed.js";

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** What is thinner than half a pixel is there, too. @param {number} length */
function whole(length) {
  return length > 0 ? Math.max(1, Math.round(length)) : 0;
}

/** Whether there is an area to press. @param {Box} box */
export function hasArea({ width, height }) {
  return width > 0 && height > 0;
}

export class Layout {
  /** @param {Document} document the top one */
  constructor(document) {
    /** @type {Map<Document, { x: number, y: number } | null>} */
    this.offsets = new Map([[document, { x: 0, y: 0 }]]);
    this.width = innerWidth;
    this.height = innerHeight;
  }

  /** The element's box. @param {Element} element @returns {Box} */
  box(element) {
    const offset = this.offset(element.ownerDocument);
    const { left, top, width, height } = boxOf(element);
    const { round } = Math;
    return { x: round(left + offset.x), y: round(top + offset.y), width: whole(width), height: whole(height) };
  }

  /** Where a document's viewport begins. @param {Document} document @returns {{ x: number, y: number }} */
  offset(document) {
    const known = this.offsets.get(document);
    if (known) return known;
    let x = 0;
    let y = 0;
    for (let frame = frameElement(document); frame; frame = frameElement(frame.ownerDocument)) {
      const { left, top } = frame.getBoundingClientRect();
      x += left + frame.clientLeft;
      y += top + frame.clientTop;
    }
    this.offsets.set(document, { x, y });
    return { x, y };
  }

  /** Whether some of the box is in the viewport. @param {Box} box */
  isInView({ x, y, width, height }) {
    return x < this.width && y < this.height && x + width > 0 && y + height > 0;
  }

  /**
   * The element that would get a press in place of one that is in the viewport, or null.
   * @param {Element} element
   * @param {Box} box
   * @returns {Element | null}
   */
  coverOf(element, box) {
    if (!hasArea(box)) return null;
    const first = this.hitInstead(element, box);
    if (first === null || !holds(first, element)) return first;
    // The middle of an inline that wraps may be beside it, where its container is hit.
    const [line] = boxesOf(element);
    const offset = this.offset(element.ownerDocument);
    const box2 = line && { x: line.left + offset.x, y: line.top + offset.y, width: line.width, height: line.height };
    const second = box2 ? this.hitInstead(element, box2) : null;
    return second !== null && !holds(second, element) ? second : null;
  }

  /**
   * What is hit in the middle of what can be seen of the box, unless it is the element or its own.
   * @param {Element} element
   * @param {Box} box
   */
  hitInstead(element, { x, y, width, height }) {
    let left = (Math.max(x, 0) + Math.min(x + width, this.width)) / 2;
    let top = (Math.max(y, 0) + Math.min(y + height, this.height)) / 2;
    for (let wanted = element; ; ) {
      const offset = this.offset(wanted.ownerDocument);
      const hit = elementAt(wanted.ownerDocument, left - offset.x, top - offset.y);
      if (hit !== null && !isPartOf(hit, wanted)) return hit;
      const frame = frameElement(wanted.ownerDocument);
      if (frame === null || !this.offsets.has(frame.ownerDocument)) return null;
      wanted = frame;
    }
  }
}

/** Whether a press on `hit` is one on `element`. @param {Element} hit @param {Element} element */
function isPartOf(hit, element) {
  for (let at = /** @type {Element | null} */ (hit); at; at = composedParent(at)) {
    if (at === element) return true;
    if (at.localName === "label" && /** @type {HTMLLabelElement} */ (at).control === element) return true;
  }
  return false;
}
