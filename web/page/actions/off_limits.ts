// Keeps actions away from the surface's own panels, dialogs and terminals, also when they have the focus, and from the bar of
// a shared tab.

import { isInPanel } from "../composed.ts";
import * as dom from "../dom.ts";
import { OffLimits } from "../errors.ts";

const forbidden = new WeakSet<Element>();

/** Keep actions away from an element. The page can't undo it. */
export function forbid(element: Element) {
  forbidden.add(element);
}

/**
 * Return the target if actions may reach it.
 * Throws OffLimits.
 */
export function permitted<Target extends Node>(target: Target): Target {
  const node: Node = target;
  const element = dom.isElementNode(node) ? node : null;
  if (element && (forbidden.has(element) || isInPanel(element))) {
    throw new OffLimits("The element is in a panel of the surface itself, where only people act.", {
      hint: "Act on the page's own elements; for the surface, use its tools.",
    });
  }
  return target;
}
