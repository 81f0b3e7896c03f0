// Corrects positions in a copy of the page that styles don't reproduce: of scrolled, sticky and gap-following elements.

import { frameDocument, isFrame } from "../composed.ts";
import * as dom from "../dom.ts";
import type { Needed } from "./needed.ts";

/** The corrections of one copy. */
export class Corrections {
  start: { x: number; y: number };
  needed: Needed;
  /** Elements with a gap at their start. */
  parents: Set<Element | null>;
  /** The elements being copied, the innermost last. */
  open: Element[];
  /** Copies of sticky elements, and the boxes of the originals. */
  stuck: { clone: Element; box: DOMRect }[] = [];

  /** @param start - the screenshot's origin in the viewport */
  constructor(root: Element, start: { x: number; y: number }, needed: Needed) {
    this.start = start;
    this.needed = needed;
    this.parents = new Set(Array.from(needed.gaps.keys(), (element) => dom.parentElement(element)));
    this.open = [root];
  }

  /** Return whether to copy a node. Called before each. */
  enter(node: Node) {
    if (!this.needed.includes(node)) return false;
    if (!dom.isElementNode(node)) return true;
    this.open.push(node);
    // A frame is copied as its document's root, for which `leave` is called, too.
    const inner = isFrame(node) ? frameDocument(node) : null;
    if (inner) this.open.push(dom.documentElement(inner));
    return true;
  }

  /** Correct a copy whose descendants have been copied. */
  leave(clone: Node) {
    if (!dom.isElementNode(clone)) return;
    const element = this.open.pop();
    if (!element || !("style" in clone)) return;
    const copy: Element = clone;
    if (element !== dom.scrollingElement(document) && (dom.scrollTop(element) || dom.scrollLeft(element)))
      scroll(copy, element);
    const gap = this.needed.gaps.get(element);
    if (gap !== undefined) dom.style(copy).marginTop = `${gap}px`;
    // Otherwise the first child's margin would collapse with the block's.
    if (this.parents.has(element)) dom.style(copy).display = "flow-root";
    if (this.open.length && getComputedStyle(element).position === "sticky") {
      this.stuck.push({ clone: copy, box: dom.getBoundingClientRect(element) });
    }
  }

  /** Show sticky elements at their current position, and leave their space at the original one. */
  finish() {
    for (const { clone, box } of this.stuck) {
      const shown = dom.cloneNode(clone, true);
      if (!dom.isElementNode(shown)) continue;
      const [left, top] = [box.left - this.start.x, box.top - this.start.y];
      Object.assign(dom.style(shown), { position: "fixed", margin: "0", left: `${left}px`, top: `${top}px` });
      Object.assign(dom.style(shown), {
        right: "auto",
        bottom: "auto",
        width: `${box.width}px`,
        height: `${box.height}px`,
      });
      Object.assign(dom.style(clone), { position: "static", visibility: "hidden" });
      dom.after(clone, shown);
    }
  }
}

function scroll(copy: Element, element: Element) {
  const translate = `${-dom.scrollLeft(element)}px ${-dom.scrollTop(element)}px`;
  const moved = Array.from(dom.children(copy));
  const bare = Array.from(dom.childNodes(copy)).some(
    (node) => dom.nodeType(node) === Node.TEXT_NODE && /\S/.test(dom.nodeValue(node) ?? ""),
  );
  if (!bare) for (const child of moved) dom.style(child).translate = translate;
  else {
    // Text needs a box to be moved.
    const box = dom.createElement(dom.ownerDocument(copy), "div");
    box.style.translate = translate;
    box.append(...dom.childNodes(copy));
    dom.append(copy, box);
  }
}
