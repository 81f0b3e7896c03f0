// The page as one tree: documents, known shadow roots and same-origin iframes.

import * as dom from "./dom.ts";
import { shadowOf, slotOf } from "./internals.ts";
import { isPanel } from "./panels.ts";

export type Root = Document | ShadowRoot;

/** Return the document in a frame, or null if it has another origin. */
export function frameDocument(frame: Element): Document | null {
  try {
    return Reflect.get(frame, "contentDocument") ?? null;
  } catch {
    // Some frames throw instead of returning null, for example if the page has an opaque origin.
    return null;
  }
}

export function isFrame(element: Element) {
  const name = dom.localName(element);
  return name === "iframe" || name === "frame";
}

/** Return the parent element, across slots, shadow roots and frames. */
export function composedParent(element: Element): Element | null {
  const parent = slotOf(element) ?? dom.parentNode(element);
  if (parent === null) return null;
  if (dom.isElementNode(parent)) return parent;
  if (dom.isShadowRoot(parent)) return parent.host ?? null;
  return dom.isDocument(parent) ? frameElement(parent) : null;
}

/** Return an element and what is around it, the innermost first. */
export function composedAncestors(element: Element | null): Element[] {
  const found = [];
  for (let at = element; at; at = composedParent(at)) found.push(at);
  return found;
}

/**
 * Return the frame that shows a document, or null if the frame has another origin, or shows this script's own document:
 * the surface's page isn't a part of a page in a tab, also where they share an origin.
 */
export function frameElement(document: Document) {
  try {
    const view = dom.defaultView(document);
    return view === null || view === window ? null : view.frameElement;
  } catch {
    return null;
  }
}

/** Iterate over `root` and all shadow roots and same-origin documents below it. */
export function* rootsBelow<R extends Root | Element = Root>(root: R): Generator<R | Root> {
  const waiting: (R | Root)[] = [root];
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

/** Return whether the element is in one of the surface's own panels in this document. */
export function isInPanel(element: Element) {
  // Stop at this document's root: a tab's document is itself inside a panel.
  for (let at: Element | null = element; at && at !== dom.documentElement(document); at = composedParent(at)) {
    if (isPanel(at)) return true;
  }
  return false;
}

/** Return whether the element is in a document that has a window. */
export function isAttached(element: Element) {
  return dom.isConnected(element) && dom.defaultView(dom.ownerDocument(element)) !== null;
}

/** Return the topmost element at a point of a document, also inside shadow roots. */
export function elementAt(document: Document, x: number, y: number): Element | null {
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

/** Return whether `inner` is `outer` or inside it, across shadow roots and frames. */
export function composedContains(outer: Element, inner: Element) {
  for (let at: Element | null = inner; at; at = composedParent(at)) if (at === outer) return true;
  return false;
}
