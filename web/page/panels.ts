// The surface's own panels in a page. Agents see them only if they request one explicitly.

import * as dom from "./dom.ts";

/** The attribute that marks panels. */
export const PANEL = "data-gemini-panel";

export function isPanel(element: Element) {
  return dom.hasAttribute(element, PANEL);
}

/** Return a selector for each panel. */
export function selectorsOf(panels: Element[]) {
  return panels.map((panel) => (dom.id(panel) ? `#${dom.id(panel)}` : dom.localName(panel))).join(", ");
}
