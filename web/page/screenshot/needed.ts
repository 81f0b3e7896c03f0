// Selects the nodes that a screenshot of the viewport needs: visible elements, their ancestors, and elements that
// affect their positions. Copying styles takes the most time, so the time depends on the visible part of a long page
// only.

import * as dom from "../dom.ts";

export interface Needed {
  includes: (node: Node) => boolean;
  /**
   * elements that come first in the copy but not in the page, and the height in pixels of the omitted content before
   * them
   */
  gaps: Map<Element, number>;
}

/** Select everything. */
export function everything(): Needed {
  return { includes: () => true, gaps: new Map() };
}

/** Select the nodes for the viewport. */
export function inView(page: Document): Needed {
  const { visible, below } = visibleElements(page);
  const gaps = new Map<Element, number>();
  const missing = new Set<Node>();
  const displays = new Map<Element, string>();
  for (const parent of visible) {
    const { display } = getComputedStyle(parent);
    displays.set(parent, display);
    // Only in block layout does no child move the ones before it.
    if (display !== "block" && display !== "flow-root") continue;
    for (const child of dom.children(parent)) if (below.has(child) && !visible.has(child)) missing.add(child);
    const first = firstInView(parent, visible);
    if (!first) continue;
    for (let at = dom.previousElementSibling(first); at; at = dom.previousElementSibling(at)) missing.add(at);
    const start =
      dom.getBoundingClientRect(parent).top + dom.clientTop(parent) + parseFloat(getComputedStyle(parent).paddingTop);
    gaps.set(first, dom.getBoundingClientRect(first).top - start);
  }
  return { includes: (node) => includes(node, page, visible, missing, displays), gaps };
}

/** Return the visible elements with their ancestors, and the elements below the viewport, in one layout pass. */
function visibleElements(page: Document) {
  const visible = new Set<Element>();
  const below = new Set<Element>();
  for (const element of dom.querySelectorAll(page, "*")) {
    const { left, top, right, bottom, width, height } = dom.getBoundingClientRect(element);
    if (top > innerHeight) below.add(element);
    if (right < 0 || bottom < 0 || left > innerWidth || top > innerHeight || (!width && !height)) continue;
    for (let at: Element | null = element; at && !visible.has(at); at = dom.parentElement(at)) visible.add(at);
  }
  return { visible, below };
}

/** Return the first visible child if a gap can replace all before it: in-flow blocks without text or floats. */
function firstInView(parent: Element, visible: Set<Element>): Element | null {
  let first: Element | null = null;
  for (const node of dom.childNodes(parent)) {
    if (dom.nodeType(node) === Node.TEXT_NODE && /\S/.test(dom.nodeValue(node) ?? "")) return null;
    if (!dom.isElementNode(node)) continue;
    first = node;
    if (visible.has(first)) break;
    if (getComputedStyle(first).float !== "none") return null;
  }
  if (!first || !visible.has(first) || !dom.previousElementSibling(first)) return null;
  const { display, float, position } = getComputedStyle(first);
  return /^(block|flex|grid|flow-root|table)$/.test(display) && float === "none" && position === "static"
    ? first
    : null;
}

function includes(node: Node, page: Document, visible: Set<Node>, missing: Set<Node>, displays: Map<Element, string>) {
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
