// Places that a copy of the page doesn't have by its style: of what is scrolled, what sticks, and what follows a gap.

import { frameDocument, isFrame } from "../composed.js";

/** @import { Needed } from "./needed.js" */

export class Corrections {
  /**
   * @param {Element} root
   * @param {{ x: number, y: number }} start the picture's, in the viewport
   * @param {Needed} needed
   */
  constructor(root, start, needed) {
    this.start = start;
    this.needed = needed;
    /** What has a gap at its start. @type {Set<Element | null>} */
    this.parents = new Set(Array.from(needed.gaps.keys(), (element) => element.parentElement));
    /** The elements that are being copied, the innermost last. @type {Element[]} */
    this.open = [root];
    /** Copies of what sticks, and where that is. @type {{ clone: HTMLElement, box: DOMRect }[]} */
    this.stuck = [];
  }

  /** Says of a node that is about to be copied whether it is needed. @param {Node} node */
  enter(node) {
    if (!this.needed.includes(node)) return false;
    if (node.nodeType !== Node.ELEMENT_NODE) return true;
    const element = /** @type {Element} */ (node);
    this.open.push(element);
    // A frame is copied as the root of its document, which is told of, too.
    const inner = isFrame(element) && frameDocument(element)?.documentElement;
    if (inner) this.open.push(inner);
    return true;
  }

  /** An element has been copied with all that is in it. @param {Node} clone */
  leave(clone) {
    if (clone.nodeType !== Node.ELEMENT_NODE) return;
    const element = this.open.pop();
    if (!element || !("style" in clone)) return;
    const copy = /** @type {HTMLElement} */ (clone);
    if (element !== document.scrollingElement && (element.scrollTop || element.scrollLeft)) scroll(copy, element);
    const gap = this.needed.gaps.get(element);
    if (gap !== undefined) copy.style.marginTop = `${gap}px`;
    // Margins of a block's first child would be the block's own.
    if (this.parents.has(element)) copy.style.display = "flow-root";
    if (this.open.length && getComputedStyle(element).position === "sticky") {
      this.stuck.push({ clone: copy, box: element.getBoundingClientRect() });
    }
  }

  /** What sticks is shown where it is, and keeps its room where it would be. */
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
    // Text can't be moved by itself.
    const box = copy.ownerDocument.createElement("div");
    box.style.translate = translate;
    box.append(...copy.childNodes);
    copy.append(box);
  }
}
