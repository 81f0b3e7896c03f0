// A keyboard: the events of each key, in the order of Chromium's, and then what the key does.
// https://www.w3.org/TR/uievents/#events-keyboard-types

import { edit, editSwiftly, isEditable } from "./editing.js";
import { fire } from "./events.js";
import { focused } from "./focus.js";
import { keyDown, keyPress, keyUp, shortcut } from "./key_defaults.js";
import { keyOf, needsShift } from "./keys.js";
import { permitted } from "./off_limits.js";

/**
 * @import { Key } from "./keys.js"
 * @import { Modifiers } from "./mouse.js"
 */

// Shorter texts go by the browser's own command alone.
const SHORT = 24;

export class Keyboard {
  constructor() {
    /** @type {Modifiers} */
    this.held = {};
  }

  /** Press a chord. @param {Key[]} modifiers @param {Key} key */
  async chord(modifiers, key) {
    for (const modifier of modifiers) await this.hold(modifier);
    try {
      await this.stroke(key);
    } finally {
      for (const modifier of modifiers.toReversed()) this.letGo(modifier);
    }
  }

  /** @param {Key} modifier */
  async hold(modifier) {
    this.held = { ...this.held, [flag(modifier)]: true };
    this.send("keydown", modifier);
    await null;
  }

  /** @param {Key} modifier */
  letGo(modifier) {
    this.held = { ...this.held, [flag(modifier)]: false };
    this.send("keyup", modifier);
  }

  /** Press and let go one key. @param {Key} key @param {(element: Element, data: string) => boolean} [insert] */
  async stroke(key, insert = (element, data) => edit(element, "insertText", data)) {
    const allowed = this.send("keydown", key);
    await null;
    if (allowed) await this.act(key, insert);
    const up = this.send("keyup", key);
    if (up) keyUp(permitted(focused()), key);
    await null;
  }

  /** What the key does. @param {Key} key @param {(element: Element, data: string) => boolean} insert */
  async act(key, insert) {
    const element = permitted(focused());
    if (this.held.ctrlKey || this.held.metaKey) {
      if (shortcut(element, key, this.held)) return;
    } else if (key.key === "Enter" && element.matches("a[href], area[href]")) {
      return /** @type {HTMLElement} */ (element).click();
    } else if (Array.from(key.key).length === 1 || key.key === "Enter") {
      const code = key.key === "Enter" ? 13 : (key.key.codePointAt(0) ?? 0);
      const allowed = this.send("keypress", { ...key, keyCode: code }, code);
      await null;
      if (!allowed) return;
      const target = permitted(focused());
      if (key.key !== "Enter" && isEditable(target)) insert(target, key.key);
      else keyPress(target, key, this.held);
      return;
    }
    keyDown(element, key, this.held);
  }

  /** Type a text into what has the focus. @param {string} text @param {AbortSignal} [signal] */
  async write(text, signal) {
    const characters = Array.from(text.replaceAll("\r\n", "\n"));
    for (const [index, character] of characters.entries()) {
      signal?.throwIfAborted();
      const swift = characters.length > SHORT && index < characters.length - 1;
      await this.character(character, swift ? editSwiftly : undefined);
    }
  }

  /** @param {string} character @param {(element: Element, data: string) => boolean} [insert] */
  async character(character, insert) {
    const shift = needsShift(character) ? keyOf("Shift") : null;
    if (shift) await this.hold(shift);
    await this.stroke(keyOf(character === "\n" ? "Enter" : character), insert);
    if (shift) this.letGo(shift);
  }

  /** @param {string} type @param {Key} key @param {number} [charCode] */
  send(type, key, charCode = 0) {
    return fire(focused(), "KeyboardEvent", type, { ...this.held, ...key, charCode, which: key.keyCode });
  }
}

/** @param {Key} modifier */
function flag({ key }) {
  return key === "Control" ? "ctrlKey" : `${key.toLowerCase()}Key`;
}
