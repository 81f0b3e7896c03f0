// Selects the nodes that a screenshot of the viewport needs: visible elements, their ancestors, and elements that
// affect their positions. Copying styles takes the most time, so the time depends on the visible part of a long page
// only.

import * as dom from "../dom.js";

/**
 * @typedef {object} Needed
 * @property {(node: Node) => boolean} includes
 * @property {Map<Element, number>} gaps elements that come first in the copy but not in the page, and the height in
 *   pixels of the omitted content before them
 */

/** Select everything. @returns {Needed} */
export function everything() {
  return { includes: () => true, gaps: new Map() };
}

/** Select the nodes for the viewport. @param {Document} page @returns {Needed} */
export function inView(page) {
  const { visible, below } = visibleElements(page);
  /** @type {Map<Element, number>} */
  const gaps = new Map();
  /** @type {Set<Node>} */
  const missing = new Set();
  /** @type {Map<Element, string>} */
  const displays = new Map();
  for (const parent of visible) {
    const { display } = getComputedStyle(parent);
    displays.set(parent, display);
    // Only in block layout does no child move the ones before it.
    if (display !== "block" && display !== "flow-root") continue;
    for (const child of dom.children(parent)) if (below.has(child) && !visible.has(child)) missing.add(child);
    const first = firstInView(parent, visible);
    if (!first) continue;
    for (let at = dom.previousElementSibling(first); at; at = dom.previousElementSibling(at)) missing.add(at);
    const start = dom.getBoundingClientRect(parent).top + dom.clientTop(parent) + parseFloat(getComputedStyle(parent).paddingTop);
    gaps.set(first, dom.getBoundingClientRect(first).top - start);
  }
  return { includes: (node) => includes(node, page, visible, missing, displays), gaps };
}

/** Return the visible elements with their ancestors, and the elements below the viewport, in one layout pass. @param {Document} page */
function visibleElements(page) {
  /** @type {Set<Element>} */
  const visible = new Set();
  /** @type {Set<Element>} */
  const below = new Set();
  for (const element of dom.querySelectorAll(page, "*")) {
    const { left, top, right, bottom, width, height } = dom.getBoundingClientRect(element);
    if (top > innerHeight) below.add(element);
    if (right < 0 || bottom < 0 || left > innerWidth || top > innerHeight || (!width && !height)) continue;
    for (let at = /** @type {Element | null} */ (element); at && !visible.has(at); at = dom.parentElement(at)) visible.add(at);
  }
  return { visible, below };
}

/**
 * Return the first visible child if a gap can replace all before it: in-flow blocks without text or floats.
 * @param {Element} parent
 * @param {Set<Element>} visible
 * @returns {Element | null}
 */
function firstInView(parent, visible) {
  /** @type {Element | null} */
  let first = null;
  for (const node of dom.childNodes(parent)) {
    if (dom.nodeType(node) === Node.TEXT_NODE && /\S/.test(dom.nodeValue(node) ?? "")) return null;
    if (dom.nodeType(node) !== Node.ELEMENT_NODE) continue;
    first = /** @type {Element} */ (node);
    if (visible.has(first)) break;
    if (getComputedStyle(first).float !== "none") return null;
  }
  if (!first || !visible.has(first) || !dom.previousElementSibling(first)) return null;
  const { display, float, position } = getComputedStyle(first);
  return /^(block|flex|grid|flow-root|table)$/.test(display) && float === "none" && position === "static" ? first : null;
}

/** @param {Node} node @param {Document} page @param {Set<Node>} visible @param {Set<Node>} missing @param {Map<Element, string>} displays */
function includes(node, page, visible, missing, displays) {
  const parentElement = dom.parentElement(node);
  // Shadow roots and frames are copied completely.
  if (!parentElement || dom.getRootNode(node) !== page || visible.has(node)) return true;
  if (missing.has(node)) return false;
  if (visible.has(parentElement)) return true;
  const display = displays.get(parentElement) ?? getComputedStyle(parentElement).display;
  displays.set(parentElement, display);
  const keepsSize = parentElement instanceof HTMLElement && display !== "inline" && display !== "contents";
  return !keepsSize;
}
