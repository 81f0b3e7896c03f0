// Emulates pointer capture while the simulated pointer is down. The browser doesn't know about the press and would
// refuse, so that pages with dragging would throw or wait forever.
// https://www.w3.org/TR/pointerevents3/#pointer-capture

import * as dom from "../dom.ts";
import { fire, realmOf } from "./events.ts";

export const POINTER = 1;

/** The emulated pointer capture. */
export class Capture {
  holder: Element | null = null;
  undo: (() => void)[] = [];

  /** Replace the document's capture methods, until `end`. */
  begin(document: Document) {
    const { prototype } = realmOf(document).Element;
    type Name = "setPointerCapture" | "releasePointerCapture" | "hasPointerCapture";
    const answerFor = (name: Name, answer: (element: Element) => unknown) => {
      const original = prototype[name];
      const replaced = function (this: Element, id: number) {
        return id === POINTER ? answer(this) : Reflect.apply(original, this, [id]);
      };
      Object.assign(prototype, { [name]: replaced });
      this.undo.push(() => Object.assign(prototype, { [name]: original }));
    };
    answerFor("setPointerCapture", (element) => this.setHolder(element));
    answerFor("releasePointerCapture", (element) => this.holder === element && this.setHolder(null));
    answerFor("hasPointerCapture", (element) => this.holder === element);
  }

  end() {
    this.setHolder(null);
    for (const undo of this.undo.splice(0)) undo();
  }

  setHolder(element: Element | null) {
    const before = this.holder;
    if (before === element) return;
    this.holder = element;
    if (before && dom.isConnected(before))
      fire(before, "PointerEvent", "lostpointercapture", { cancelable: false, pointerId: POINTER });
    if (element) fire(element, "PointerEvent", "gotpointercapture", { cancelable: false, pointerId: POINTER });
  }
}
