// The surface's own panels, where it stands in a page: no part of what agents see of it, unless they ask for one.

/** The attribute that marks them. */
export const PANEL = "data-gemini-panel";

/** @param {Element} element */
export function isPanel(element) {
  return element.hasAttribute(PANEL);
}

/** Selectors of panels, for those who want one. @param {Element[]} panels */
export function selectorsOf(panels) {
  return panels.map(({ id, localName }) => (id ? `#${id}` : localName)).join(", ");
}
