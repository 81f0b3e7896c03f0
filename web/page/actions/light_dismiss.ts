// Closes popovers and dialogs when something else is pressed, as browsers do for trusted presses.
// https://html.spec.whatwg.org/multipage/popover.html#popover-light-dismiss

import { composedContains, composedParent, isInPanel, rootsBelow } from "../composed.js";
import * as dom from "../dom.js";

/** @import { Point } from "./places.js" */

/** Close what a press at a point dismisses. @param {Element} target @param {Point} local the point in the target's document */
export function dismiss(target, local) {
  const open = Array.from(rootsBelow(document)).flatMap((root) => Array.from(dom.querySelectorAll(root, "[popover]:popover-open")));
  const dismissed = open.filter((one) => !isInPanel(one) && dom.popover(/** @type {HTMLElement} */ (one)) !== "manual");
  const stays = new Set(dismissed.filter((one) => composedContains(one, target) || one === invokedBy(target)));
  for (const one of dismissed) if ([...stays].some((inner) => composedContains(one, inner))) stays.add(one);
  for (const one of dismissed.reverse()) if (!stays.has(one) && dom.matches(one, ":popover-open")) dom.hidePopover(/** @type {HTMLElement} */ (one));
  if (dom.matches(target, 'dialog[closedby="any"]:modal') && !isInBox(target, local)) /** @type {any} */ (target).requestClose();
}

/** Return the popover of the button that is pressed. @param {Element} target @returns {Element | null} */
function invokedBy(target) {
  for (let at = /** @type {Element | null} */ (target); at; at = composedParent(at)) {
    const { popoverTargetElement } = dom.propertiesOf(at);
    if (popoverTargetElement) return popoverTargetElement;
  }
  return null;
}

/** @param {Element} element @param {Point} point */
function isInBox(element, { x, y }) {
  const { left, right, top, bottom } = dom.getBoundingClientRect(element);
  return x >= left && x <= right && y >= top && y <= bottom;
}
