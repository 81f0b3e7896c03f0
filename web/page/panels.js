// The surface's own panels, where it stands in a page: no part of what agents see of it, unless they ask for one.

import { composedParent } from "./composed.js";

const MARK = "data-gemini-panel";

/** @param {Element} element */
export function isPanel(element) {
  return element.hasAttribute(MARK);
}

/** @param {Element} element */
export function isInPanel(element) {
  for (let at = /** @type {Element | null} */ (element); at; at = composedParent(at)) if (isPanel(at)) return true;
  return false;
}

/** Selectors of panels, for those who want one. @param {Element[]} panels */
export function selectorsOf(panels) {
  return panels.map(({ id, localName }) => (id ? `#${id}` : localName)).join(", ");
}
