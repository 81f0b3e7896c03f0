// Elements that `aria-owns` moves in the accessibility tree (WAI-ARIA 1.2, 6.6.4).

import { composedParent } from "../composed.ts";
import * as dom from "../dom.ts";
import { referredBy } from "./references.ts";

const VISIBLE = { visibilityProperty: true };
const WITHHELD = '[aria-hidden="true"], [inert]';
const NONE: Element[] = [];
// Elements that can't have children.
const CHILDLESS = "input, textarea, select, img, br, hr, iframe, video, audio, canvas, object, embed, progress, meter";

/** The owners of a page's elements. */
export class Owned {
  owners = new Map<Element, Element>();
  /** Owned elements, in their order after the owner's own children. */
  parts = new Map<Element, Element[]>();

  /** Record the owned elements below a root. */
  note(root: Document | ShadowRoot | Element) {
    for (const owner of dom.querySelectorAll(root, "[aria-owns]")) {
      if (dom.matches(owner, CHILDLESS) || dom.closest(owner, WITHHELD) || !dom.checkVisibility(owner, VISIBLE))
        continue;
      for (const part of referredBy(owner, "aria-owns")) if (!this.isAbove(part, owner)) this.setOwner(owner, part);
    }
  }

  setOwner(owner: Element, part: Element) {
    const before = this.owners.get(part);
    if (before)
      this.parts.set(
        before,
        this.partsOf(before).filter((one) => one !== part),
      );
    this.owners.set(part, owner);
    this.parts.set(owner, [...this.partsOf(owner), part]);
  }

  partsOf(owner: Element) {
    return (this.parts.size ? this.parts.get(owner) : null) ?? NONE;
  }

  /** Return whether a node is owned by an element. */
  has(node: Node) {
    return this.owners.size > 0 && dom.isElementNode(node) && this.owners.has(node);
  }

  /** Return whether `part` is the element or above it, so that the element can't own it. */
  isAbove(part: Element, element: Element) {
    for (let at: Element | null = element; at; at = this.owners.get(at) ?? composedParent(at)) {
      if (at === part) return true;
    }
    return false;
  }
}
