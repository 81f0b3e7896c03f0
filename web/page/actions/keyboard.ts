// A keyboard: dispatches each key's events in Chromium's order, then performs its default action.
// https://www.w3.org/TR/uievents/#events-keyboard-types

import * as dom from "../dom.js";
import { edit, editFast, isEditable } from "./editing.js";
import { fire } from "./events.js";
import { focused } from "./focus.js";
import { keyDown, keyPress, keyUp, shortcut } from "./key_defaults.js";
import { keyOf, needsShift } from "./keys.js";
import { permitted } from "./off_limits.js";

/**
 * @import { Key } from "./keys.js"
 * @import { Modifiers } from "./mouse.js"
 */

// Texts up to this length use only the browser's own command.
const SHORT = 24;

/** The simulated keyboard. */
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
      for (const modifier of modifiers.toReversed()) await this.release(modifier);
    }
  }

  /** @param {Key} modifier */
  async hold(modifier) {
    this.note(modifier, true);
    this.send("keydown", modifier);
    await null;
  }

  /** @param {Key} modifier */
  async release(modifier) {
    this.note(modifier, false);
    this.send("keyup", modifier);
  }

  /** @param {Key} modifier @param {boolean} held */
  note(modifier, held) {
    this.held = { ...this.held, [flag(modifier)]: held };
  }

  /** Press and release a key. @param {Key} key @param {(element: Element, data: string) => boolean} [insert] */
  async stroke(key, insert = (element, data) => edit(element, "insertText", data)) {
    const allowed = this.send("keydown", key);
    await null;
    if (allowed) await this.act(key, insert);
    const up = this.send("keyup", key);
    if (up) keyUp(permitted(focused()), key);
    await null;
  }

  /** Perform a key's default action. @param {Key} key @param {(element: Element, data: string) => boolean} insert */
  async act(key, insert) {
    const element = permitted(focused());
    if (this.held.ctrlKey || this.held.metaKey) {
      if (shortcut(element, key, this.held)) return;
    } else if (key.key === "Enter" && dom.matches(element, "a[href], area[href]")) {
      return dom.click(/** @type {HTMLElement} */ (element));
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

  /** Type text into the focused element. @param {string} text @param {AbortSignal} [signal] */
  async write(text, signal) {
    const characters = Array.from(text.replaceAll("\r\n", "\n"));
    for (const [index, character] of characters.entries()) {
      signal?.throwIfAborted();
      const fast = characters.length > SHORT && index < characters.length - 1;
      await this.character(character, fast ? editFast : undefined);
    }
  }

  /** @param {string} character @param {(element: Element, data: string) => boolean} [insert] */
  async character(character, insert) {
    const shift = needsShift(character) ? keyOf("Shift") : null;
    if (shift) await this.hold(shift);
    await this.stroke(keyOf(character === "\n" ? "Enter" : character), insert);
    if (shift) await this.release(shift);
  }

  /** Insert a text at once, as if pasted. @param {string} text */
  async insert(text) {
    edit(focused(), "insertText", text);
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
