// Keeps actions away from the surface's own panels, dialogs and terminals, also when they have the focus.

import { isInPanel } from "../composed.js";
import { OffLimits } from "../errors.js";

/**
 * Return the target if actions may reach it.
 * @template {EventTarget} Target
 * @param {Target} target
 * @returns {Target}
 * Throws OffLimits.
 */
export function permitted(target) {
  const node = /** @type {Node} */ (/** @type {unknown} */ (target));
  if (node.nodeType === 1 && isInPanel(/** @type {Element} */ (node))) {
    throw new OffLimits("The element is in a panel of the surface itself, where only people act.", {
      hint: "Act on the page's own elements; for the surface, use its tools.",
    });
  }
  return target;
}
