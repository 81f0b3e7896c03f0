// Fields of editors that draw their text themselves, such as CodeMirror, Monaco or a terminal: the keys go to a tiny or
// transparent field, and presses to the surface around it.

import * as dom from "./dom.ts";

export interface EditContext extends EventTarget {
  text: string;
  selectionStart: number;
  selectionEnd: number;
  attachedElements: () => Element[];
  updateText: (start: number, end: number, text: string) => void;
  updateSelection: (start: number, end: number) => void;
}

// TypeScript's library doesn't know them yet.
declare global {
  interface Window {
    TextUpdateEvent: new (type: string, init: object) => Event;
  }
}

// A field isn't meant to be pressed if less of it than this is visible, in pixels.
const SMALLEST = 8;
const SURFACE = { width: 30, height: 16 };
// The surface is at most this far above its field.
const MOST_LEVELS = 8;

/**
 * Return the edit context of an element (https://w3c.github.io/edit-context/), which receives text instead of the DOM.
 */
export function editContextOf(element: Element): EditContext | null {
  return dom.propertiesOf(element).editContext ?? null;
}

/** Return whether an element with this box may have a surface, which is quick to decide. */
export function mayBeDrawn(element: Element, { width, height, right }: DOMRect) {
  const localName = dom.localName(element);
  return localName === "textarea" || width < SMALLEST || height < SMALLEST || (localName === "input" && right <= 0);
}

/** Return the element that is drawn and pressed instead of a field, or null. */
export function surfaceOf(field: Element): Element | null {
  if (dom.localName(field) === "input") {
    if (!isBesidePage(field)) return null;
  } else if ((dom.localName(field) !== "textarea" && !editContextOf(field)) || !isUnseen(field)) {
    return null;
  }
  let above = dom.parentElement(field);
  for (let level = 0; above && level < MOST_LEVELS; level++, above = dom.parentElement(above)) {
    if (above === dom.body(dom.ownerDocument(above))) return null;
    const { width, height } = dom.getBoundingClientRect(above);
    if (width >= SURFACE.width && height >= SURFACE.height) return above;
  }
  return null;
}

/** Return whether a field is left of the page, as Tom Select moves its own. */
function isBesidePage(field: Element) {
  const { right } = dom.getBoundingClientRect(field);
  return right + scrollX < 0 && getComputedStyle(field).opacity === "0";
}

/** Return whether a field is too small or too transparent to be pressed. */
function isUnseen(field: Element) {
  if (isSmall(field) || getComputedStyle(field).opacity === "0") return true;
  const parent = dom.parentElement(field);
  return parent !== null && isSmall(parent) && getComputedStyle(parent).overflow !== "visible";
}

export function isSmall(element: Element) {
  const { width, height } = dom.getBoundingClientRect(element);
  return width < SMALLEST || height < SMALLEST;
}
