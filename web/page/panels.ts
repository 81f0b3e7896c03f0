// The surface's own panels in a page. Agents see them only if they request one explicitly.

import * as dom from "./dom.js";

/** The attribute that marks panels. */
export const PANEL = "data-gemini-panel";

/** @param {Element} element */
export function isPanel(element) {
  return dom.hasAttribute(element, PANEL);
}

/** Return a selector for each panel. @param {Element[]} panels */
export function selectorsOf(panels) {
  return panels.map((panel) => (dom.id(panel) ? `#${dom.id(panel)}` : dom.localName(panel))).join(", ");
}
