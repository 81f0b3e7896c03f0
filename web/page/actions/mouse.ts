// A mouse: dispatches the events of moves and presses in Chromium's order.
// https://www.w3.org/TR/pointerevents3/, https://www.w3.org/TR/uievents/

import { composedAncestors, isAttached, isInPanel } from "../composed.ts";
import * as dom from "../dom.ts";
import { Capture, POINTER } from "./capture.ts";
import { placeCaret, selectWord } from "./caret.ts";
import { fire, type Kind } from "./events.ts";
import { focusByPress } from "./focus.ts";
import { HoverStyles } from "./hover_styles.ts";
import { dismiss } from "./light_dismiss.ts";
import { pressOption } from "./lists.ts";
import { hitAt, localPoint, type Point } from "./places.ts";
import { drawRange, finishRange } from "./ranges.ts";

export type Modifiers = { ctrlKey?: boolean; shiftKey?: boolean; altKey?: boolean; metaKey?: boolean };

const KINDS = ["pointer", "mouse"] as const;
const BUTTONS: Record<number, number> = { 0: 1, 1: 4, 2: 2 };

/** The simulated mouse. */
export class Mouse {
  keyboard: { held: Modifiers };
  over: Element | null = null;
  point: Point = { x: 0, y: 0 };
  capture = new Capture();
  hoverStyles = new HoverStyles();
  pressed: { target: Element; button: number; detail: number; compatible: boolean; prevented: boolean } | null = null;

  /** @param keyboard - whose modifiers the events have */
  constructor(keyboard: { held: Modifiers }) {
    this.keyboard = keyboard;
  }

  /**
   * Move to a point.
   * @param target - the element there, if known
   */
  async move(point: Point, target: Element = this.targetAt(point)) {
    const from = this.over && isAttached(this.over) ? this.over : null;
    this.point = point;
    this.over = target;
    this.hoverStyles.follow(target);
    const captured = this.capture.holder;
    const [outer, inner] = [composedAncestors(from), composedAncestors(target)];
    const left = outer.filter((one) => !inner.includes(one));
    const entered = inner.filter((one) => !outer.includes(one)).reverse();
    for (const kind of KINDS) {
      if (from === target) break;
      if (from) this.send(from, `${kind}out`, { relatedTarget: target });
      for (const one of left) this.send(one, `${kind}leave`, { bubbles: false, composed: false, cancelable: false });
      this.send(target, `${kind}over`, { relatedTarget: from });
      for (const one of entered) this.send(one, `${kind}enter`, { bubbles: false, composed: false, cancelable: false });
      await null;
    }
    for (const kind of KINDS) {
      if (kind === "pointer" || this.pressed?.compatible !== false) this.send(captured ?? target, `${kind}move`);
      await null;
    }
    if (this.pressed && !this.pressed.prevented) drawRange(this.pressed.target, point);
  }

  /**
   * Press a button at the current point.
   * @param detail - the number of consecutive presses
   */
  async down(button: number, detail: number) {
    const target = this.targetAt(this.point);
    this.capture.begin(dom.ownerDocument(target));
    const buttons = BUTTONS[button];
    const compatible = this.send(target, "pointerdown", { button, buttons });
    await null;
    this.pressed = { target, button, detail, compatible, prevented: false };
    if (compatible) {
      const allowed = this.send(target, "mousedown", { button, buttons, detail });
      this.pressed.prevented = !allowed;
      await null;
      if (allowed && isAttached(target)) this.begin(target, button, detail);
    }
    if (button === 2) this.send(target, "contextmenu", { button, buttons, detail: 0 });
    await null;
  }

  /** Perform the default action of a press. */
  begin(target: Element, button: number, detail: number) {
    focusByPress(target);
    if (button !== 0) return;
    const { shiftKey = false } = this.keyboard.held;
    if (detail === 2) selectWord(target, this.point);
    else placeCaret(target, this.point, shiftKey);
    drawRange(target, this.point);
  }

  /** Release the button and click. */
  async up() {
    if (!this.pressed) throw new TypeError("No button is pressed.");
    const { target: from, button, detail, compatible, prevented } = this.pressed;
    const target = this.capture.holder ?? this.targetAt(this.point);
    this.send(target, "pointerup", { button, buttons: 0 });
    if (isAttached(target)) dismiss(target, localPoint(dom.ownerDocument(target), this.point));
    await null;
    if (compatible) this.send(target, "mouseup", { button, buttons: 0, detail });
    this.pressed = null;
    this.capture.end();
    await null;
    if (button === 0 && !prevented) {
      finishRange(from);
      if (from === target) pressOption(from, this.keyboard.held);
    }
    const clicked = commonAncestor(from, target);
    if (!clicked || !isAttached(clicked)) return;
    this.send(clicked, button === 0 ? "click" : "auxclick", { kind: "PointerEvent", button, buttons: 0, detail });
    if (button === 0 && detail === 2) this.send(clicked, "dblclick", { button, buttons: 0, detail });
    await null;
  }

  /** Cancel the press, as the browser does when drag and drop starts. */
  async cancel() {
    if (!this.pressed) return;
    const target = this.capture.holder ?? this.targetAt(this.point);
    if (!isInPanel(target)) this.send(target, "pointercancel", { cancelable: false });
    this.pressed = null;
    this.capture.end();
    await null;
  }

  targetAt(point: Point): Element {
    return hitAt(point) ?? dom.documentElement(document);
  }

  send(target: Element, type: string, { kind, ...init }: PointerEventInit & { kind?: Kind } = {}) {
    if (!isAttached(target)) return true;
    const local = localPoint(dom.ownerDocument(target), this.point);
    const buttons = this.pressed ? BUTTONS[this.pressed.button] : 0;
    const pointer = { pointerId: POINTER, pointerType: "mouse", isPrimary: true, width: 1, height: 1 };
    const all = {
      clientX: local.x,
      clientY: local.y,
      screenX: this.point.x + window.screenX,
      screenY: this.point.y + window.screenY,
      buttons,
      ...this.keyboard.held,
      ...(type.startsWith("pointer") ? { button: -1, pressure: (init.buttons ?? buttons) ? 0.5 : 0 } : {}),
      ...pointer,
      ...init,
    };
    return fire(
      target,
      kind ?? (type.startsWith("pointer") || type === "contextmenu" ? "PointerEvent" : "MouseEvent"),
      type,
      all,
    );
  }
}

export function commonAncestor(one: Element, other: Element): Element | undefined {
  const above = new Set(composedAncestors(other));
  return composedAncestors(one).find(
    (element) => above.has(element) && dom.ownerDocument(element) === dom.ownerDocument(one),
  );
}
