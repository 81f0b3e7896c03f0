// Emulates pointer capture while the simulated pointer is down. The browser doesn't know about the press and would
// refuse, so that pages with dragging would throw or wait forever.
// https://www.w3.org/TR/pointerevents3/#pointer-capture

import * as dom from "../dom.js";
import { fire, realmOf } from "./events.js";

export const POINTER = 1;

/** The emulated pointer capture. */
export class Capture {
  constructor() {
    /** @type {Element | null} */
    this.holder = null;
    /** @type {(() => void)[]} */
    this.undo = [];
  }

  /** Replace the document's capture methods, until `end`. @param {Document} document */
  begin(document) {
    const prototype = /** @type {any} */ (realmOf(document).Element.prototype);
    /** @param {string} name @param {(element: Element) => unknown} answer */
    const answerFor = (name, answer) => {
      const original = prototype[name];
      prototype[name] = function (/** @type {number} */ id) {
        return id === POINTER ? answer(this) : original.call(this, id);
      };
      this.undo.push(() => (prototype[name] = original));
    };
    answerFor("setPointerCapture", (element) => this.setHolder(element));
    answerFor("releasePointerCapture", (element) => this.holder === element && this.setHolder(null));
    answerFor("hasPointerCapture", (element) => this.holder === element);
  }

  end() {
    this.setHolder(null);
    for (const undo of this.undo.splice(0)) undo();
  }

  /** @param {Element | null} element */
  setHolder(element) {
    const before = this.holder;
    if (before === element) return;
    this.holder = element;
    if (before && dom.isConnected(before)) fire(before, "PointerEvent", "lostpointercapture", { cancelable: false, pointerId: POINTER });
    if (element) fire(element, "PointerEvent", "gotpointercapture", { cancelable: false, pointerId: POINTER });
  }
}
