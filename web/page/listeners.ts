// Records which elements have click listeners. The DOM doesn't reveal them, so this script must be loaded before the
// listeners are added.

import * as dom from "./dom.ts";
import { watchCalls } from "./hooks.ts";

// The events of a press. Listeners for other events don't make an element clickable.
const PRESSES = new Set("click dblclick mousedown mouseup pointerdown pointerup touchstart touchend".split(" "));
// Chromium exposes elements with listeners for these.
const MOUSE = new Set(["click", "mousedown", "mouseup"]);
const PROPERTIES = ["onclick", "onmousedown", "onmouseup", "onpointerdown"] as const;
// An element with listeners for this many kinds of events is the root of a framework, not a button.
const CATCHES_ALL = 5;

const EMPTY = /^(function\s*[\w$]*\s*\(\s*\)|\(\s*\)\s*=>)\s*\{\s*\}$/;
const REACT_PRESS = /^on(Click|DoubleClick|Mouse(Down|Up)|Pointer(Down|Up)|Touch(Start|End))/;

/** the arguments of `addEventListener` or `removeEventListener`, which a page may call with anything */
type Listening = [type: string, listener: unknown, options?: boolean | AddEventListenerOptions | null];
type Note = { type: string; listener: unknown; capture: boolean };

/** The record of press listeners. */
export class Listeners {
  /** True if earlier scripts may have added listeners that weren't recorded. */
  late = dom.readyState(document) !== "loading" || dom.scripts(document).length > 1;
  notes = new WeakMap<EventTarget, Note[]>();

  /** Start recording. */
  watch(realm: typeof globalThis) {
    const { prototype } = realm.EventTarget;
    const listen = prototype.addEventListener;
    watchCalls(prototype, "addEventListener", (self, args) => {
      if (PRESSES.has(args[0])) this.add(self ?? realm, args, listen);
    });
    watchCalls(prototype, "removeEventListener", (self, args) => {
      if (PRESSES.has(args[0])) this.remove(self ?? realm, args);
    });
  }

  add(self: EventTarget, [type, listener, options]: Listening, listen: typeof EventTarget.prototype.addEventListener) {
    if (typeof listener !== "function" && typeof listener !== "object") return;
    const more = typeof options === "object" && options !== null ? options : {};
    if (listener === null || typeof self !== "object" || more.signal?.aborted) return;
    const capture = isCapture(options);
    const notes = this.notes.get(self) ?? [];
    if (notes.some((one) => one.type === type && one.listener === listener && one.capture === capture)) return;
    notes.push({ type, listener, capture });
    this.notes.set(self, notes);
    const forget = () => this.remove(self, [type, listener, capture]);
    if (more.once) Reflect.apply(listen, self, [type, forget, { once: true, capture, passive: true }]);
    if (more.signal instanceof AbortSignal) Reflect.apply(listen, more.signal, ["abort", forget, { once: true }]);
  }

  remove(self: EventTarget, [type, listener, options]: Listening) {
    const notes = this.notes.get(self);
    if (!notes) return;
    const capture = isCapture(options);
    const left = notes.filter((one) => one.type !== type || one.listener !== listener || one.capture !== capture);
    if (left.length) this.notes.set(self, left);
    else this.notes.delete(self);
  }

  /** Return whether Chromium exposes an element because it listens to the mouse. */
  isExposed(element: Element) {
    const html = dom.propertiesOf(element);
    return Boolean(
      this.notes.get(element)?.some(({ type }) => MOUSE.has(type)) ||
        html.onclick ||
        html.onmousedown ||
        html.onmouseup,
    );
  }

  /** Return whether the element itself has a listener for presses. */
  hasPressListener(element: Element) {
    const notes = this.notes.get(element);
    if (notes && new Set(notes.map((note) => note.type)).size < CATCHES_ALL) return true;
    const html = dom.propertiesOf(element);
    return PROPERTIES.some((property) => html[property] && (!isEmpty(html[property]) || hasReactHandler(html)));
  }
}

/**
 * Return whether a function does nothing. React sets one on its roots, and on elements with handlers that it calls
 * itself.
 */
function isEmpty(listener: unknown) {
  return typeof listener === "function" && EMPTY.test(Function.prototype.toString.call(listener));
}

function hasReactHandler(element: object) {
  const key = Object.keys(element).find((one) => one.startsWith("__reactProps$"));
  return key !== undefined && Object.keys(Reflect.get(element, key) ?? {}).some((name) => REACT_PRESS.test(name));
}

function isCapture(options: Listening[2]) {
  return typeof options === "object" ? Boolean(options?.capture) : Boolean(options);
}
