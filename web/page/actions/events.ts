// Dispatches events like the browser's, in the realm of their target.

import * as dom from "../dom.js";
import { permitted } from "./off_limits.js";

/** @typedef {"MouseEvent" | "PointerEvent" | "WheelEvent" | "DragEvent" | "KeyboardEvent" | "InputEvent" | "FocusEvent" | "ClipboardEvent" | "Event"} Kind */

/**
 * Dispatch an event that is bubbling, cancelable and composed unless `init` overrides it.
 * @param {EventTarget} target
 * @param {Kind} kind
 * @param {string} type
 * @param {object} [init]
 * @returns {boolean} false if the page prevented the default action
 */
export function fire(target, kind, type, init = {}) {
  const view = /** @type {any} */ (realmOf(permitted(target)));
  const all = { bubbles: true, cancelable: true, composed: true, ...init };
  return dom.dispatchEvent(target, new view[kind](type, kind === "Event" || kind === "ClipboardEvent" ? all : { view, ...all }));
}

/** Dispatch the `input` event of an edited control. @param {Element} control */
export function fireInput(control) {
  fire(control, "Event", "input", { cancelable: false });
}

/** @param {Element} control */
export function fireChange(control) {
  fire(control, "Event", "change", { cancelable: false, composed: false });
}

/** Return the window of the target's document. @param {EventTarget} target @returns {Window & typeof globalThis} */
export function realmOf(target) {
  const document = dom.ownerDocument(/** @type {Node} */ (target)) ?? /** @type {Document} */ (target);
  return dom.defaultView(document) ?? window;
}
