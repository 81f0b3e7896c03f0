/** Moving between the parts of the page by keyboard: F6 and Shift+F6, also out of a terminal, which takes Tab for itself. */

import { onTrustedKey } from "../trusted.js";

const FOCUSABLE = "a[href], button:not(:disabled), input, textarea, select, summary, [tabindex='0']";

/**
 * @param {() => HTMLElement[]} parts those that can be reached now, in their order
 * @param {(part: HTMLElement) => void} show brings one of them to the front
 */
export function connectRegions(parts, show) {
  onTrustedKey((event) => {
    if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog:modal")) return;
    event.preventDefault();
    const reached = parts();
    const current = reached.findIndex((part) => part.contains(document.activeElement));
    const step = event.shiftKey ? -1 : 1;
    const start = current < 0 && step < 0 ? 0 : current;
    const part = reached.at((start + step + reached.length) % reached.length);
    if (!part) return;
    show(part);
    focusInside(part);
  }, { capture: true });
}

/** Puts the focus where one goes on in a part. @param {HTMLElement} part */
export function focusInside(part) {
  const preferred = [...part.querySelectorAll("[data-focus-first]")].filter(isVisible);
  const target = [...preferred, ...part.querySelectorAll(FOCUSABLE)].find(isVisible) ?? part;
  if (target instanceof HTMLElement) target.focus();
}

/** @param {Element} element */
export function isVisible(element) {
  return element.checkVisibility({ visibilityProperty: true });
}
