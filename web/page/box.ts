// Where an element is drawn, for screenshots and presses from outside of the document.

import { boxOf } from "./areas.ts";
import { topPoint } from "./actions/places.ts";
import * as dom from "./dom.ts";

/** Scroll an element into view, and return its box in pixels of the top document's viewport. */
export function revealedBox(element: Element) {
  dom.scrollIntoView(element, { block: "nearest", inline: "nearest", behavior: "instant" });
  const { left, top, right, bottom } = boxOf(element);
  const start = topPoint(dom.ownerDocument(element), { x: left, y: top });
  const end = topPoint(dom.ownerDocument(element), { x: right, y: bottom });
  return { x: start.x, y: start.y, width: end.x - start.x, height: end.y - start.y };
}
