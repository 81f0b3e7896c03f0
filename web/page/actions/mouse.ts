// A mouse: dispatches the events of moves and presses in Chromium's order.
// https://www.w3.org/TR/pointerevents3/, https://www.w3.org/TR/uievents/

import { composedParent, isAttached, isInPanel } from "../composed.js";
import * as dom from "../dom.js";
import { Capture, POINTER } from "./capture.js";
import { placeCaret, selectWord } from "./caret.js";
import { fire } from "./events.js";
import { focusByPress } from "./focus.js";
import { HoverStyles } from "./hover_styles.js";
import { dismiss } from "./light_dismiss.js";
import { pressOption } from "./lists.js";
import { hitAt, localPoint } from "./places.js";
import { drawRange, finishRange } from "./ranges.js";

/**
 * @import { Point } from "./places.js"
 * @typedef {{ ctrlKey?: boolean, shiftKey?: boolean, altKey?: boolean, metaKey?: boolean }} Modifiers
 */

const KINDS = /** @type {const} */ (["pointer", "mouse"]);
const BUTTONS = /** @type {Record<number, number>} */ ({ 0: 1, 1: 4, 2: 2 });

/** The simulated mouse. */
export class Mouse {
  /** @param {{ held: Modifiers }} keyboard whose modifiers the events have */
  constructor(keyboard) {
    this.keyboard = keyboard;
    /** @type {Element | null} */
    this.over = null;
    /** @type {Point} */
    this.point = { x: 0, y: 0 };
    this.capture = new Capture();
    this.hoverStyles = new HoverStyles();
    /** @type {{ target: Element, button: number, detail: number, compatible: boolean, prevented: boolean } | null} */
    this.pressed = null;
  }

  /** Move to a point. @param {Point} point @param {Element} [target] the element there, if known */
  async move(point, target = this.targetAt(point)) {
    const from = this.over && isAttached(this.over) ? this.over : null;
    this.point = point;
    this.over = target;
    this.hoverStyles.follow(target);
    const captured = this.capture.holder;
    const left = from === target ? [] : ancestors(from).filter((one) => !isInside(target, one));
    const entered = from === target ? [] : ancestors(target).filter((one) => !isInside(from, one)).reverse();
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
   * @param {number} button
   * @param {number} detail the number of consecutive presses
   */
  async down(button, detail) {
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

  /** Perform the default action of a press.
   * @param {Element} target @param {number} button @param {number} detail */
  begin(target, button, detail) {
    focusByPress(target);
    if (button !== 0) return;
    const { shiftKey = false } = this.keyboard.held;
    if (detail === 2) selectWord(target, this.point);
    else placeCaret(target, this.point, shiftKey);
    drawRange(target, this.point);
  }

  /** Release the button and click. */
  async up() {
    const { target: from, button, detail, compatible, prevented } = /** @type {NonNullable<Mouse["pressed"]>} */ (this.pressed);
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

  /** @param {Point} point @returns {Element} */
  targetAt(point) {
    return hitAt(point) ?? dom.documentElement(document);
  }

  /** @param {Element} target @param {string} type @param {any} [init] */
  send(target, type, { kind, ...init } = {}) {
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
    return fire(target, kind ?? (type.startsWith("pointer") || type === "contextmenu" ? "PointerEvent" : "MouseEvent"), type, all);
  }
}

/** Return the element and its ancestors, innermost first. @param {Element | null} element */
function ancestors(element) {
  const found = [];
  for (let at = element; at; at = composedParent(at)) found.push(at);
  return found;
}

/** Return whether `inner` is `outer` or inside it. @param {Element | null} inner @param {Element} outer */
function isInside(inner, outer) {
  return ancestors(inner).includes(outer);
}

/** @param {Element} one @param {Element} other @returns {Element | undefined} */
export function commonAncestor(one, other) {
  const above = new Set(ancestors(other));
  return ancestors(one).find((element) => above.has(element) && dom.ownerDocument(element) === dom.ownerDocument(one));
}
