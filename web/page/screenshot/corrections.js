// Corrects positions in a copy of the page that styles don't reproduce: of scrolled, sticky and gap-following elements.

import { frameDocument, isFrame } from "../composed.js";

/** @import { Needed } from "./needed.js" */

/** The corrections of one copy. */
export class Corrections {
  /**
   * @param {Element} root
   * @param {{ x: number, y: number }} start the screenshot's origin in the viewport
   * @param {Needed} needed
   */
  constructor(root, start, needed) {
    this.start = start;
    this.needed = needed;
    /** Elements with a gap at their start. @type {Set<Element | null>} */
    this.parents = new Set(Array.from(needed.gaps.keys(), (element) => element.parentElement));
    /** The elements being copied, the innermost last. @type {Element[]} */
    this.open = [root];
    /** Copies of sticky elements, and the boxes of the originals. @type {{ clone: HTMLElement, box: DOMRect }[]} */
    this.stuck = [];
  }

  /** Return whether to copy a node. Called before each. @param {Node} node */
  enter(node) {
    if (!this.needed.includes(node)) return false;
    if (node.nodeType !== Node.ELEMENT_NODE) return true;
    const element = /** @type {Element} */ (node);
    this.open.push(element);
    // A frame is copied as its document's root, for which `leave` is called, too.
    const inner = isFrame(element) && frameDocument(element)?.documentElement;
    if (inner) this.open.push(inner);
    return true;
  }

  /** Correct a copy whose descendants have been copied. @param {Node} clone */
  leave(clone) {
    if (clone.nodeType !== Node.ELEMENT_NODE) return;
    const element = this.open.pop();
    if (!element || !("style" in clone)) return;
    const copy = /** @type {HTMLElement} */ (clone);
    if (element !== document.scrollingElement && (element.scrollTop || element.scrollLeft)) scroll(copy, element);
    const gap = this.needed.gaps.get(element);
    if (gap !== undefined) copy.style.marginTop = `${gap}px`;
    // Otherwise the first child's margin would collapse with the block's.
    if (this.parents.has(element)) copy.style.display = "flow-root";
    if (this.open.length && getComputedStyle(element).position === "sticky") {
      this.stuck.push({ clone: copy, box: element.getBoundingClientRect() });
    }
  }

  /** Show sticky elements at their current position, and leave their space at the original one. */
  finish() {
    for (const { clone, box } of this.stuck) {
      const shown = /** @type {HTMLElement} */ (clone.cloneNode(true));
      const [left, top] = [box.left - this.start.x, box.top - this.start.y];
      Object.assign(shown.style, { position: "fixed", margin: "0", left: `${left}px`, top: `${top}px` });
      Object.assign(shown.style, { right: "auto", bottom: "auto", width: `${box.width}px`, height: `${box.height}px` });
      Object.assign(clone.style, { position: "static", visibility: "hidden" });
      clone.after(shown);
    }
  }
}

/** @param {HTMLElement} copy @param {Element} element */
function scroll(copy, { scrollLeft, scrollTop }) {
  const translate = `${-scrollLeft}px ${-scrollTop}px`;
  const moved = Array.from(copy.children, (child) => /** @type {HTMLElement} */ (child));
  const bare = Array.from(copy.childNodes).some((node) => node.nodeType === Node.TEXT_NODE && /\S/.test(node.nodeValue ?? ""));
  if (!bare) for (const child of moved) child.style.translate = translate;
  else {
    // Text needs a box to be moved.
    const box = copy.ownerDocument.createElement("div");
    box.style.translate = translate;
    box.append(...copy.childNodes);
    copy.append(box);
  }
}
