/**
 * A mouse and a keyboard whose events the page's browser trusts. The surface's page sends them by the debugger; before each,
 * this world looks where it would go, so that no press or key reaches a frame of another site, or the bar.
 */

import * as dom from "../../page/dom.js";
import { CrossOrigin, Unsupported } from "../../page/errors.js";
import { focused } from "../../page/actions/focus.js";
import { HoverStyles, isSeen } from "../../page/actions/hover_styles.js";
import { Keyboard } from "../../page/actions/keyboard.js";
import { keyOf, needsShift } from "../../page/actions/keys.js";
import { Mouse } from "../../page/actions/mouse.js";
import { permitted } from "../../page/actions/off_limits.js";
import { readable } from "../../page/actions/ready.js";
import { usesClipboard } from "../trusted/commands.js";

/**
 * @import { Devices } from "../../page/actions/hand.js"
 * @import { Key } from "../../page/actions/keys.js"
 * @import { Point } from "../../page/actions/places.js"
 * @typedef {(kind: string, event: object) => Promise<void>} Send resolves when the page has handled the event
 */

const ALT = 1, CONTROL = 2, META = 4, SHIFT = 8;
const LEFT = 0;
// Where a press ends that must not become a click.
const NOWHERE = { x: -1, y: -1 };
const MAC_COMMANDS = /** @type {Record<string, string>} */ ({ a: "selectAll", z: "undo", y: "redo" });

/** @param {{ ctrlKey?: boolean, shiftKey?: boolean, altKey?: boolean, metaKey?: boolean }} held */
function modifiersOf({ altKey, ctrlKey, metaKey, shiftKey }) {
  return (altKey ? ALT : 0) | (ctrlKey ? CONTROL : 0) | (metaKey ? META : 0) | (shiftKey ? SHIFT : 0);
}

/** Return the target if input may reach it. @param {Element} target */
function allowed(target) {
  return readable(permitted(target));
}

/** Only the left button: the browser's own menu opens for the right one, and the middle one pastes what is selected elsewhere. */
class TrustedMouse extends Mouse {
  #send;

  /** @param {TrustedKeyboard} keyboard @param {Send} send */
  constructor(keyboard, send) {
    super(keyboard);
    this.#send = send;
    this.hoverStyles = new SeenStyles();
  }

  /** @param {string} type @param {Point} point @param {object} [more] @returns {Promise<void>} */
  #dispatch(type, { x, y }, more = {}) {
    const pressed = this.#isPressed;
    const event = { type, x, y, button: pressed ? "left" : "none", buttons: pressed ? 1 : 0, modifiers: modifiersOf(this.keyboard.held), ...more };
    return this.#send("dispatchMouseEvent", event);
  }

  get #isPressed() {
    return this.pressed?.button === LEFT;
  }

  /** @param {Point} point @param {Element} [target] */
  async move(point, target = this.targetAt(point)) {
    // A simulated press goes on.
    if (this.pressed && !this.#isPressed) return super.move(point, target);
    await this.#dispatch("mouseMoved", point);
    this.point = point;
    this.over = target;
  }

  /** @param {number} button @param {number} detail */
  async down(button, detail) {
    const target = allowed(this.targetAt(this.point));
    if (button !== LEFT) return super.down(button, detail);
    const view = dom.defaultView(dom.ownerDocument(target)) ?? window;
    let arrived = false;
    const note = (/** @type {Event} */ { isTrusted }) => void (arrived ||= isTrusted);
    view.addEventListener("pointerdown", note, { capture: true, once: true });
    this.pressed = { target, button, detail, compatible: true, prevented: false };
    await this.#dispatch("mousePressed", this.point, { clickCount: detail, button: "left", buttons: 1 });
    view.removeEventListener("pointerdown", note, { capture: true });
    if (arrived) return;
    // A page may have put another document there since.
    await this.cancel();
    throw new CrossOrigin("The press didn't reach the document.", { hint: "Another document, or a script, takes it. Take a new snapshot." });
  }

  async up() {
    if (!this.#isPressed) return super.up();
    const { detail } = /** @type {NonNullable<Mouse["pressed"]>} */ (this.pressed);
    this.pressed = null;
    await this.#dispatch("mouseReleased", this.point, { clickCount: detail, button: "left" });
  }

  async cancel() {
    if (!this.#isPressed) return super.cancel();
    this.pressed = null;
    await this.#dispatch("mouseReleased", NOWHERE, { clickCount: 0, button: "left" });
  }
}

/** Finds what the browser's own `:hover` styles show. */
class SeenStyles extends HoverStyles {
  /** @type {Element[]} */
  #hidden = [];

  /** @returns {Element[]} */
  open() {
    this.#hidden = Array.from(dom.querySelectorAll(document, "body *")).filter((one) => !isSeen(one));
    return [];
  }

  begin() {
    return { shown: this.#hidden.filter(isSeen), unreadable: false };
  }
}

/** Keys that use the clipboard are simulated, because the clipboard is the person's. */
class TrustedKeyboard extends Keyboard {
  #send;

  /** @param {Send} send */
  constructor(send) {
    super();
    this.#send = send;
  }

  /** @param {Key} modifier */
  async hold(modifier) {
    this.note(modifier, true);
    await this.#dispatch("rawKeyDown", modifier);
  }

  /** @param {Key} modifier */
  async release(modifier) {
    this.note(modifier, false);
    await this.#dispatch("keyUp", modifier);
  }

  /** @param {Key} key */
  async stroke(key) {
    if (!usesClipboard({ code: key.code, windowsVirtualKeyCode: key.keyCode, modifiers: modifiersOf(this.held) })) return this.#strike(key);
    allowed(focused());
    await super.stroke(key);
  }

  /** @param {string} text @param {AbortSignal} [signal] */
  async write(text, signal) {
    for (const character of Array.from(text.replaceAll("\r\n", "\n"))) {
      signal?.throwIfAborted();
      await this.#character(character);
    }
  }

  /** @param {string} text */
  async insert(text) {
    allowed(focused());
    await this.#send("insertText", { text });
  }

  /** @param {string} character */
  async #character(character) {
    const key = keyOf(character === "\n" ? "Enter" : character);
    if (!needsShift(character)) return this.#strike(key);
    allowed(focused());
    await this.hold(keyOf("Shift"));
    try {
      await this.#strike(key);
    } finally {
      await this.release(keyOf("Shift"));
    }
  }

  /**
   * Press and release a key. The page may move the keyboard to a frame of another site in each event, so the next one
   * waits until it has been handled.
   * @param {Key} key
   */
  async #strike(key) {
    const { ctrlKey, metaKey, altKey } = this.held;
    const writes = !ctrlKey && !metaKey && !altKey;
    const text = !writes ? undefined : key.key === "Enter" ? "\r" : Array.from(key.key).length === 1 ? key.key : undefined;
    const command = metaKey ? MAC_COMMANDS[key.key] : undefined;
    const down = { ...(text === undefined ? {} : { text }), ...(command ? { commands: [command] } : {}) };
    allowed(focused());
    await this.#dispatch(text === undefined ? "rawKeyDown" : "keyDown", key, down);
    allowed(focused());
    await this.#dispatch("keyUp", key);
  }

  /** @param {string} type @param {Key} key @param {object} [more] */
  #dispatch(type, { key, code, keyCode, location = 0 }, more = {}) {
    return this.#send("dispatchKeyEvent", { type, key, code, windowsVirtualKeyCode: keyCode, location, modifiers: modifiersOf(this.held), ...more });
  }
}

/** The devices of a document while the surface's page takes input for it. */
export class TrustedDevices {
  /** @type {any} */
  #port = null;
  #last = 0;
  /** @type {Map<number, PromiseWithResolvers<void>>} */
  #waiting = new Map();
  /** @type {Promise<void>} */
  #left = new Promise(() => {});
  #isLeft = false;
  /** @type {Devices | null} */
  #devices = null;

  /** @param {any} port takes `{id, kind, event}`, and answers `{id, problem}` */
  attach(port) {
    this.#port = port;
    const send = (/** @type {string} */ kind, /** @type {object} */ event) => this.#ask(port, kind, event);
    const keyboard = new TrustedKeyboard(send);
    const until = (/** @type {Promise<void>} */ left) => this.#until(left);
    this.#devices = { keyboard, mouse: new TrustedMouse(keyboard, send), until };
    port.onMessage.addListener((/** @type {{ id: number, problem: string | null }} */ { id, problem }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (problem === null) waiting?.resolve();
      else waiting?.reject(ended(problem));
    });
    port.onDisconnect.addListener(() => {
      if (this.#port !== port) return;
      this.#port = this.#devices = null;
      for (const waiting of this.#waiting.values()) waiting.reject(ended("it was taken back"));
      this.#waiting.clear();
    });
    port.postMessage("ready");
  }

  /** Return the devices, or null if input isn't trusted. */
  current() {
    return this.#devices;
  }

  /** @param {Promise<void>} left */
  #until(left) {
    this.#left = left;
    this.#isLeft = false;
    void left.then(() => {
      if (this.#left === left) this.#isLeft = true;
    });
  }

  /** @param {any} port @param {string} kind @param {object} event @returns {Promise<void>} */
  async #ask(port, kind, event) {
    if (this.#port !== port) throw ended("it was taken back");
    // The next document would get the rest of the input, since nothing waits for this one any more.
    if (this.#isLeft) return;
    const id = ++this.#last;
    const answer = /** @type {PromiseWithResolvers<void>} */ (Promise.withResolvers());
    this.#waiting.set(id, answer);
    port.postMessage({ id, kind, event });
    await Promise.race([answer.promise, this.#left]);
  }
}

/** @param {string} why */
function ended(why) {
  return new Unsupported(`Trusted input has ended: ${why}.`, { hint: "Take a new snapshot, and try again." });
}
