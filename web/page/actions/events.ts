// Dispatches events like the browser's, in the realm of their target.

import * as dom from "../dom.ts";
import { permitted } from "./off_limits.ts";

export type Kind =
  | "MouseEvent"
  | "PointerEvent"
  | "WheelEvent"
  | "DragEvent"
  | "KeyboardEvent"
  | "InputEvent"
  | "FocusEvent"
  | "ClipboardEvent"
  | "Event";

/**
 * Dispatch an event that is bubbling, cancelable and composed unless `init` overrides it.
 * @returns false if the page prevented the default action
 */
export function fire(target: Node, kind: Kind, type: string, init: object = {}): boolean {
  const view = realmOf(permitted(target));
  const all = { bubbles: true, cancelable: true, composed: true, ...init };
  const Made: new (type: string, init: object) => Event = view[kind];
  return dom.dispatchEvent(
    target,
    new Made(type, kind === "Event" || kind === "ClipboardEvent" ? all : { view, ...all }),
  );
}

/** Dispatch the `input` event of an edited control. */
export function fireInput(control: Element) {
  fire(control, "Event", "input", { cancelable: false });
}

export function fireChange(control: Element) {
  fire(control, "Event", "change", { cancelable: false, composed: false });
}

/** Dispatch the events of an edit that is complete. */
export function fireEdit(control: Element) {
  fireInput(control);
  fireChange(control);
}

/** Return the window of the target's document. */
export function realmOf(target: Node): Window & typeof globalThis {
  const document = dom.isDocument(target) ? target : dom.ownerDocument(target);
  return dom.defaultView(document) ?? window;
}
