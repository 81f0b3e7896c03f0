/** Hit tests of presses. */

/**
 * Return whether a press lands on an element, so nothing that takes presses covers it.
 *
 * @param event - a click of a pointer, else the element's middle is tested
 */
export function isHit(event: Event, element: Element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const pointed = event instanceof MouseEvent && event.detail > 0;
  const [x, y] = pointed ? [event.clientX, event.clientY] : [left + width / 2, top + height / 2];
  const root = element.getRootNode();
  // A document hides the inside of a shadow root.
  const hit = root instanceof Document || root instanceof ShadowRoot ? root.elementFromPoint(x, y) : null;
  return hit !== null && element.contains(hit);
}
