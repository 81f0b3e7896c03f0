// Pointer capture while our pointer is down. The browser knows of no press, so its own refuses, and pages that drag
// throw or wait for ever. https://www.w3.org/TR/pointerevents3/#pointer-capture

import { fire, realmOf } from "./events.js";

export const POINTER = 1;

export class Capture {
  constructor() {
    /** @type {Element | null} */
    this.holder = null;
    /** @type {(() => void)[]} */
    this.undo = [];
  }

  /** Answer the document's questions about capture, until `end`. @param {Document} document */
  begin(document) {
    const prototype = /** @type {any} */ (realmOf(document).Element.prototype);
    const own = this;
    /** @param {string} name @param {(element: Element) => unknown} answer */
    const answerFor = (name, answer) => {
      const original = prototype[name];
      prototype[name] = function (/** @type {number} */ id) {
        return id === POINTER ? answer(this) : original.call(this, id);
      };
      own.undo.push(() => (prototype[name] = original));
    };
    answerFor("setPointerCapture", (element) => own.give(element));
    answerFor("releasePointerCapture", (element) => own.holder === element && own.give(null));
    answerFor("hasPointerCapture", (element) => own.holder === element);
  }

  end() {
    this.give(null);
    for (const undo of this.undo.splice(0)) undo();
  }

  /** @param {Element | null} element */
  give(element) {
    const before = this.holder;
    if (before === element) return;
    this.holder = element;
    if (before?.isConnected) fire(before, "PointerEvent", "lostpointercapture", { cancelable: false, pointerId: POINTER });
    if (element) fire(element, "PointerEvent", "gotpointercapture", { cancelable: false, pointerId: POINTER });
  }
}
