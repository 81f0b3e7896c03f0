// Elements that stand elsewhere in the tree than in the DOM, by `aria-owns` (WAI-ARIA 1.2, 6.6.4).

import { composedParent } from "../composed.js";
import { referredBy } from "./references.js";

const VISIBLE = { visibilityProperty: true };
const WITHHELD = '[aria-hidden="true"], [inert]';
/** @type {Element[]} */
const NONE = [];
// What can't have children of its own.
const CHILDLESS = "input, textarea, select, img, br, hr, iframe, video, audio, canvas, object, embed, progress, meter";

export class Owned {
  constructor() {
    /** @type {Map<Element, Element>} */
    this.owners = new Map();
    /** In the order in which they come after the owner's own children. @type {Map<Element, Element[]>} */
    this.parts = new Map();
  }

  /** Note what owners below a root own. @param {Document | ShadowRoot | Element} root */
  note(root) {
    for (const owner of root.querySelectorAll("[aria-owns]")) {
      if (owner.matches(CHILDLESS) || owner.closest(WITHHELD) || !owner.checkVisibility(VISIBLE)) continue;
      for (const part of referredBy(owner, "aria-owns")) if (!this.isAbove(part, owner)) this.give(owner, part);
    }
  }

  /** @param {Element} owner @param {Element} part */
  give(owner, part) {
    const before = this.owners.get(part);
    if (before) this.parts.set(before, this.partsOf(before).filter((one) => one !== part));
    this.owners.set(part, owner);
    this.parts.set(owner, [...this.partsOf(owner), part]);
  }

  /** @param {Element} owner */
  partsOf(owner) {
    return (this.parts.size ? this.parts.get(owner) : null) ?? NONE;
  }

  /** Whether an element stands elsewhere than in the DOM. @param {Node} node */
  has(node) {
    return this.owners.size > 0 && this.owners.has(/** @type {Element} */ (node));
  }

  /** Whether `part` is the element or above it, which it can't be owned by then. @param {Element} part @param {Element} element */
  isAbove(part, element) {
    for (let at = /** @type {Element | null} */ (element); at; at = this.owners.get(at) ?? composedParent(at)) {
      if (at === part) return true;
    }
    return false;
  }
}
