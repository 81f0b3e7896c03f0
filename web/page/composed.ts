// The page as one tree: documents, known shadow roots and same-origin iframes.

import * as dom from "./dom.js";
import { shadowOf, slotOf } from "./internals.js";
import { isPanel } from "./panels.js";

/** @typedef {Document | ShadowRoot} Root */

/**
 * Return the document in a frame, or null if it has another origin.
 * @param {Element} frame
 * @returns {Document | null}
 */
export function frameDocument(frame) {
  try {
    return /** @type {HTMLIFrameElement} */ (frame).contentDocument ?? null;
  } catch {
    // Some frames throw instead of returning null, for example if the page has an opaque origin.
    return null;
  }
}

/** @param {Element} element */
export function isFrame(element) {
  const name = dom.localName(element);
  return name === "iframe" || name === "frame";
}

/**
 * Return the parent element, across slots, shadow roots and frames.
 * @param {Element} element
 * @returns {Element | null}
 */
export function composedParent(element) {
  const parent = slotOf(element) ?? dom.parentNode(element);
  if (parent === null) return null;
  if (dom.nodeType(parent) === Node.ELEMENT_NODE) return /** @type {Element} */ (parent);
  if (dom.nodeType(parent) === Node.DOCUMENT_FRAGMENT_NODE) return /** @type {ShadowRoot} */ (parent).host ?? null;
  return frameElement(/** @type {Document} */ (parent));
}

/** Return the frame that shows a document, or null if the frame has another origin. @param {Document} document */
export function frameElement(document) {
  try {
    return dom.defaultView(document)?.frameElement ?? null;
  } catch {
    return null;
  }
}

/**
 * Iterate over `root` and all shadow roots and same-origin documents below it.
 * @param {Root} root
 * @returns {Generator<Root>}
 */
export function* rootsBelow(root) {
  const waiting = [root];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    yield next;
    const elements = dom.querySelectorAll(next, "*");
    for (const element of elements) {
      const shadow = shadowOf(element);
      // The embedded surface isn't part of the application.
      if (shadow && !isPanel(element)) waiting.push(shadow);
      else if (isFrame(element)) {
        const inner = frameDocument(element);
        if (inner) waiting.push(inner);
      }
    }
  }
}

/** Return whether the element is in one of the surface's own panels in this document. @param {Element} element */
export function isInPanel(element) {
  // Stop at this document's root: a tab's document is itself inside a panel.
  for (let at = /** @type {Element | null} */ (element); at && at !== dom.documentElement(document); at = composedParent(at)) {
    if (isPanel(at)) return true;
  }
  return false;
}

/** Return whether the element is in a document that has a window. @param {Element} element */
export function isAttached(element) {
  return dom.isConnected(element) && dom.defaultView(dom.ownerDocument(element)) !== null;
}

/** Return the topmost element at a point of a document, also inside shadow roots. @param {Document} document
 * @param {number} x @param {number} y @returns {Element | null} */
export function elementAt(document, x, y) {
  let found = dom.elementFromPoint(document, x, y);
  for (let root = found && shadowOf(found); root; root = found && shadowOf(found)) {
    const inner = root.elementFromPoint(x, y);
    // At slotted text the result is the host, but the text is drawn in the slot, which has no box.
    const drawnIn = inner === found ? root.elementsFromPoint(x, y)[0] : inner;
    if (!drawnIn || drawnIn === found) break;
    found = drawnIn;
  }
  return found;
}

/**
 * Return whether `inner` is `outer` or inside it, across shadow roots and frames.
 * @param {Element} outer
 * @param {Element} inner
 */
export function composedContains(outer, inner) {
  for (let at = /** @type {Element | null} */ (inner); at; at = composedParent(at)) if (at === outer) return true;
  return false;
}
