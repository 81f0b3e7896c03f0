// What of a long page is copied for a picture of its viewport: what is in view, what that is in, and what holds its place.
// To copy an element's style takes longer than all else, so this is what makes the time that of what is seen.

/**
 * @typedef {object} Needed
 * @property {(node: Node) => boolean} includes
 * @property {Map<Element, number>} gaps the elements that stand first in the copy but not in the page, and how many pixels
 *   what is missing before them takes in the box that they are in
 */

/** Everything. @returns {Needed} */
export function everything() {
  return { includes: () => true, gaps: new Map() };
}

/** @param {Document} page @returns {Needed} */
export function inView(page) {
  const { seen, below } = look(page);
  /** @type {Map<Element, number>} */
  const gaps = new Map();
  /** @type {Set<Node>} */
  const missing = new Set();
  /** @type {Map<Element, string>} */
  const displays = new Map();
  for (const parent of seen) {
    const { display } = getComputedStyle(parent);
    displays.set(parent, display);
    // Blocks follow each other there, and none moves those before it.
    if (display !== "block" && display !== "flow-root") continue;
    for (const child of parent.children) if (below.has(child) && !seen.has(child)) missing.add(child);
    const first = firstInView(parent, seen);
    if (!first) continue;
    for (let at = first.previousElementSibling; at; at = at.previousElementSibling) missing.add(at);
    const start = parent.getBoundingClientRect().top + parent.clientTop + parseFloat(getComputedStyle(parent).paddingTop);
    gaps.set(first, first.getBoundingClientRect().top - start);
  }
  return { includes: (node) => includes(node, page, seen, missing, displays), gaps };
}

/** What is in view with what that is in, and what is below it; all by one look at the layout. @param {Document} page */
function look(page) {
  /** @type {Set<Element>} */
  const seen = new Set();
  /** @type {Set<Element>} */
  const below = new Set();
  for (const element of page.querySelectorAll("*")) {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    if (top > innerHeight) below.add(element);
    if (right < 0 || bottom < 0 || left > innerWidth || top > innerHeight || (!width && !height)) continue;
    for (let at = /** @type {Element | null} */ (element); at && !seen.has(at); at = at.parentElement) seen.add(at);
  }
  return { seen, below };
}

/**
 * The first child in view, if a gap can stand for all before it: blocks that are in the flow and in nobody's way.
 * @param {Element} parent
 * @param {Set<Element>} seen
 * @returns {Element | null}
 */
function firstInView(parent, seen) {
  /** @type {Element | null} */
  let first = null;
  for (const node of parent.childNodes) {
    if (node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? "")) return null;
    if (node.nodeType !== Node.ELEMENT_NODE) continue;
    first = /** @type {Element} */ (node);
    if (seen.has(first)) break;
    if (getComputedStyle(first).float !== "none") return null;
  }
  if (!first || !seen.has(first) || !first.previousElementSibling) return null;
  const { display, float, position } = getComputedStyle(first);
  return /^(block|flex|grid|flow-root|table)$/.test(display) && float === "none" && position === "static" ? first : null;
}

/** @param {Node} node @param {Document} page @param {Set<Node>} seen @param {Set<Node>} missing @param {Map<Element, string>} displays */
function includes(node, page, seen, missing, displays) {
  const { parentElement } = node;
  // Shadow roots and frames are copied in whole.
  if (!parentElement || node.getRootNode() !== page || seen.has(node)) return true;
  if (missing.has(node)) return false;
  if (seen.has(parentElement)) return true;
  const display = displays.get(parentElement) ?? getComputedStyle(parentElement).display;
  displays.set(parentElement, display);
  const keepsSize = parentElement instanceof HTMLElement && display !== "inline" && display !== "contents";
  return !keepsSize;
}
