// Closes popovers and dialogs when something else is pressed, as browsers do for trusted presses.
// https://html.spec.whatwg.org/multipage/popover.html#popover-light-dismiss

import { composedContains, composedParent, isInPanel, rootsBelow } from "../composed.ts";
import * as dom from "../dom.ts";
import type { Point } from "./places.ts";

/**
 * Close what a press at a point dismisses.
 * @param local - the point in the target's document
 */
export function dismiss(target: Element, local: Point) {
  const open = Array.from(rootsBelow(document)).flatMap((root) =>
    Array.from(dom.querySelectorAll(root, "[popover]:popover-open")),
  );
  const dismissed = open.filter((one) => !isInPanel(one) && dom.popover(one) !== "manual");
  const stays = new Set(dismissed.filter((one) => composedContains(one, target) || one === invokedBy(target)));
  for (const one of dismissed) if ([...stays].some((inner) => composedContains(one, inner))) stays.add(one);
  for (const one of dismissed.reverse()) if (!stays.has(one) && dom.matches(one, ":popover-open")) dom.hidePopover(one);
  if (dom.isNamed(target, "dialog") && dom.matches(target, '[closedby="any"]:modal') && !isInBox(target, local))
    target.requestClose();
}

/** Return the popover of the button that is pressed. */
function invokedBy(target: Element): Element | null {
  for (let at: Element | null = target; at; at = composedParent(at)) {
    const { popoverTargetElement } = dom.propertiesOf(at);
    if (popoverTargetElement) return popoverTargetElement;
  }
  return null;
}

function isInBox(element: Element, { x, y }: Point) {
  const { left, right, top, bottom } = dom.getBoundingClientRect(element);
  return x >= left && x <= right && y >= top && y <= bottom;
}
