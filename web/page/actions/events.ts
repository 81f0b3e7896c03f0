// Dispatches events like the browser's, in the realm of their target.

import * as dom from "../dom.ts";
import { permitted } from "./off_limits.ts";

type Kind =
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
export function fire(target: EventTarget, kind: Kind, type: string, init: object = {}): boolean {
  const view = realmOf(permitted(target)) as any;
  const all = { bubbles: true, cancelable: true, composed: true, ...init };
  return dom.dispatchEvent(
    target,
    new view[kind](type, kind === "Event" || kind === "ClipboardEvent" ? all : { view, ...all }),
  );
}

/** Dispatch the `input` event of an edited control. */
export function fireInput(control: Element) {
  fire(control, "Event", "input", { cancelable: false });
}

export function fireChange(control: Element) {
  fire(control, "Event", "change", { cancelable: false, composed: false });
}

/** Return the window of the target's document. */
export function realmOf(target: EventTarget): Window & typeof globalThis {
  const document = dom.ownerDocument(target as Node) ?? (target as Document);
  return dom.defaultView(document) ?? window;
}
