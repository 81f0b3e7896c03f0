// Elements that `aria-owns` moves in the accessibility tree (WAI-ARIA 1.2, 6.6.4).

import { composedParent } from "../composed.js";
import * as dom from "../dom.js";
import { referredBy } from "./references.js";

const VISIBLE = { visibilityProperty: true };
const WITHHELD = '[aria-hidden="true"], [inert]';
/** @type {Element[]} */
const NONE = [];
// Elements that can't have children.
const CHILDLESS = "input, textarea, select, img, br, hr, iframe, video, audio, canvas, object, embed, progress, meter";

/** The owners of a page's elements. */
export class Owned {
  constructor() {
    /** @type {Map<Element, Element>} */
    this.owners = new Map();
    /** Owned elements, in their order after the owner's own children. @type {Map<Element, Element[]>} */
    this.parts = new Map();
  }

  /** Record the owned elements below a root. @param {Document | ShadowRoot | Element} root */
  note(root) {
    for (const owner of dom.querySelectorAll(root, "[aria-owns]")) {
      if (dom.matches(owner, CHILDLESS) || dom.closest(owner, WITHHELD) || !dom.checkVisibility(owner, VISIBLE)) continue;
      for (const part of referredBy(owner, "aria-owns")) if (!this.isAbove(part, owner)) this.setOwner(owner, part);
    }
  }

  /** @param {Element} owner @param {Element} part */
  setOwner(owner, part) {
    const before = this.owners.get(part);
    if (before) this.parts.set(before, this.partsOf(before).filter((one) => one !== part));
    this.owners.set(part, owner);
    this.parts.set(owner, [...this.partsOf(owner), part]);
  }

  /** @param {Element} owner */
  partsOf(owner) {
    return (this.parts.size ? this.parts.get(owner) : null) ?? NONE;
  }

  /** Return whether a node is owned by an element. @param {Node} node */
  has(node) {
    return this.owners.size > 0 && this.owners.has(/** @type {Element} */ (node));
  }

  /** Return whether `part` is the element or above it, so that the element can't own it. @param {Element} part @param {Element} element */
  isAbove(part, element) {
    for (let at = /** @type {Element | null} */ (element); at; at = this.owners.get(at) ?? composedParent(at)) {
      if (at === part) return true;
    }
    return false;
  }
}
