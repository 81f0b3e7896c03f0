/** Moving between the regions of the page with F6 and Shift+F6, including out of a terminal, which takes Tab. */

import { onTrustedKey } from "../lib/trusted.ts";

const SHOWN_WITHIN_FRAMES = 60;
const FOCUSABLE = "a[href], button:not(:disabled), input, textarea, select, summary, [tabindex='0']";

/**
 * @param parts - the reachable regions, in order
 * @param show - brings a region to the front
 */
export function connectRegions(parts: () => HTMLElement[], show: (part: HTMLElement) => void) {
  onTrustedKey(
    (event) => {
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
    },
    { capture: true },
  );
}

/** Focus the element of a region where work continues. */
export function focusInside(part: HTMLElement) {
  const preferred = [
    ...part.querySelectorAll("[data-focus-first]:not(:disabled), #editor-view > .cm-editor .cm-content"),
  ].filter(isVisible);
  const target = [...preferred, ...part.querySelectorAll(FOCUSABLE)].find(isVisible) ?? part;
  if (target instanceof HTMLElement) target.focus();
}

export function isVisible(element: Element) {
  return element.checkVisibility({ visibilityProperty: true });
}

/**
 * Act once an element is shown: now, or in one of the next frames, since a panel that was brought to the front may be shown a
 * frame later.
 *
 * @param frames - to wait for: a change of its visibility alone causes no event
 */
export function whenShown(element: Element, act: () => void, frames: number = SHOWN_WITHIN_FRAMES) {
  if (isVisible(element)) act();
  else if (frames > 0) requestAnimationFrame(() => whenShown(element, act, frames - 1));
}
