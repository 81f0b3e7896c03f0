// The page as one tree: documents, shadow roots that are known and same-origin iframes.

import { shadowOf, slotOf } from "./internals.js";
import { isPanel } from "./panels.js";

/** @typedef {Document | ShadowRoot} Root */

/**
 * The document in a frame, or null where it is of another origin.
 * @param {Element} frame
 * @returns {Document | null}
 */
export function frameDocument(frame) {
  try {
    return /** @type {HTMLIFrameElement} */ (frame).contentDocument ?? null;
  } catch {
    // Some frames throw in place of giving null, for example from a page with an opaque origin.
    return null;
  }
}

/** @param {Element} element */
export function isFrame(element) {
  const name = element.localName;
  return name === "iframe" || name === "frame";
}

/**
 * The element above, through slots' shadow roots and out of frames.
 * @param {Element} element
 * @returns {Element | null}
 */
export function composedParent(element) {
  const parent = slotOf(element) ?? element.parentNode;
  if (parent === null) return null;
  if (parent.nodeType === Node.ELEMENT_NODE) return /** @type {Element} */ (parent);
  if (parent.nodeType === Node.DOCUMENT_FRAGMENT_NODE) return /** @type {ShadowRoot} */ (parent).host ?? null;
  return frameElement(/** @type {Document} */ (parent));
}

/** The frame that shows a document, if a document of the same origin has it. @param {Document} document */
export function frameElement(document) {
  try {
    return document.defaultView?.frameElement ?? null;
  } catch {
    return null;
  }
}

/**
 * `root` and every shadow root and same-origin document below it.
 * @param {Root} root
 * @returns {Generator<Root>}
 */
export function* rootsBelow(root) {
  const waiting = [root];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    yield next;
    const elements = next.querySelectorAll("*");
    for (const element of elements) {
      const shadow = shadowOf(element);
      // What the surface has in its corner of an application is none of the application's.
      if (shadow && !isPanel(element)) waiting.push(shadow);
      else if (isFrame(element)) {
        const inner = frameDocument(element);
        if (inner) waiting.push(inner);
      }
    }
  }
}

/** Whether the element is, or is in, one of the surface's own panels in this document. @param {Element} element */
export function isInPanel(element) {
  // What is around this document may be a panel, as around a tab.
  for (let at = /** @type {Element | null} */ (element); at && at !== document.documentElement; at = composedParent(at)) {
    if (isPanel(at)) return true;
  }
  return false;
}

/** Whether the element is in a document that is shown. @param {Element} element */
export function isAttached(element) {
  return element.isConnected && element.ownerDocument.defaultView !== null;
}

/** What is drawn on top at a point of the element's own document, inside of shadow roots. @param {Document} document
 * @param {number} x @param {number} y @returns {Element | null} */
export function elementAt(document, x, y) {
  let found = document.elementFromPoint(x, y);
  for (let root = found && shadowOf(found); root; root = found && shadowOf(found)) {
    const inner = root.elementFromPoint(x, y);
    if (inner === null || inner === found) break;
    found = inner;
  }
  return found;
}

/**
 * Whether `inner` is `outer` or in it, shadow roots and frames included.
 * @param {Element} outer
 * @param {Element} inner
 */
export function holds(outer, inner) {
  for (let at = /** @type {Element | null} */ (inner); at; at = composedParent(at)) if (at === outer) return true;
  return false;
}
