// Where an element is drawn, for screenshots and presses from outside of the document.

import { boxOf } from "./areas.js";
import { topPoint } from "./actions/places.js";
import * as dom from "./dom.js";

/**
 * Scroll an element into view, and return its box in pixels of the top document's viewport.
 * @param {Element} element
 */
export function revealedBox(element) {
  dom.scrollIntoView(element, { block: "nearest", inline: "nearest", behavior: "instant" });
  const { left, top, right, bottom } = boxOf(element);
  const start = topPoint(dom.ownerDocument(element), { x: left, y: top });
  const end = topPoint(dom.ownerDocument(element), { x: right, y: bottom });
  return { x: start.x, y: start.y, width: end.x - start.x, height: end.y - start.y };
}
