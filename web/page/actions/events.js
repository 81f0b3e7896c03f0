// Events as the browser makes them, in the realm of their target.

import { permitted } from "./off_limits.js";

/** @typedef {"MouseEvent" | "PointerEvent" | "WheelEvent" | "DragEvent" | "KeyboardEvent" | "InputEvent" | "FocusEvent" | "ClipboardEvent" | "Event"} Kind */

/**
 * Dispatch an event that bubbles, may be prevented and leaves shadow roots, unless `init` says otherwise.
 * @param {EventTarget} target
 * @param {Kind} kind
 * @param {string} type
 * @param {object} [init]
 * @returns {boolean} whether the default action may follow
 */
export function fire(target, kind, type, init = {}) {
  const view = /** @type {any} */ (realmOf(permitted(target)));
  const given = { bubbles: true, cancelable: true, composed: true, ...init };
  return target.dispatchEvent(new view[kind](type, kind === "Event" || kind === "ClipboardEvent" ? given : { view, ...given }));
}

/** Tell that a control's value changed, as an edit by a person does. @param {Element} control */
export function fireInput(control) {
  fire(control, "Event", "input", { cancelable: false });
}

/** @param {Element} control */
export function fireChange(control) {
  fire(control, "Event", "change", { cancelable: false, composed: false });
}

/** The window of the target's document. @param {EventTarget} target @returns {Window & typeof globalThis} */
export function realmOf(target) {
  const document = /** @type {Node} */ (target).ownerDocument ?? /** @type {Document} */ (target);
  return document.defaultView ?? window;
}
