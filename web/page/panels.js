// The surface's own panels in a page. Agents see them only if they request one explicitly.

/** The attribute that marks panels. */
export const PANEL = "data-gemini-panel";

/** @param {Element} element */
export function isPanel(element) {
  return element.hasAttribute(PANEL);
}

/** Return a selector for each panel. @param {Element[]} panels */
export function selectorsOf(panels) {
  return panels.map(({ id, localName }) => (id ? `#${id}` : localName)).join(", ");
}
