// Keeps actions away from the surface's own panels, dialogs and terminals, also when they have the focus, and from the bar of
// a shared tab.

import { isInPanel } from "../composed.js";
import * as dom from "../dom.js";
import { OffLimits } from "../errors.js";

/** @type {WeakSet<Element>} */
const forbidden = new WeakSet();

/** Keep actions away from an element. The page can't undo it. @param {Element} element */
export function forbid(element) {
  forbidden.add(element);
}

/**
 * Return the target if actions may reach it.
 * @template {EventTarget} Target
 * @param {Target} target
 * @returns {Target}
 * Throws OffLimits.
 */
export function permitted(target) {
  const node = /** @type {Node} */ (/** @type {unknown} */ (target));
  const element = dom.nodeType(node) === 1 ? /** @type {Element} */ (node) : null;
  if (element && (forbidden.has(element) || isInPanel(element))) {
    throw new OffLimits("The element is in a panel of the surface itself, where only people act.", {
      hint: "Act on the page's own elements; for the surface, use its tools.",
    });
  }
  return target;
}
