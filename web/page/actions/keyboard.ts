// A keyboard: dispatches each key's events in Chromium's order, then performs its default action.
// https://www.w3.org/TR/uievents/#events-keyboard-types

import * as dom from "../dom.ts";
import { edit, editFast, isEditable } from "./editing.ts";
import { fire } from "./events.ts";
import { focused } from "./focus.ts";
import { keyDown, keyPress, keyUp, shortcut } from "./key_defaults.ts";
import { keyOf, needsShift, type Key } from "./keys.ts";
import type { Modifiers } from "./mouse.ts";
import { permitted } from "./off_limits.ts";

// Text up to this length uses only the browser's own command.
const SHORT = 24;

/** The simulated keyboard. */
export class Keyboard {
  held: Modifiers = {};

  /** Press a chord. */
  chord(modifiers: Key[], key: Key) {
    return this.holding(modifiers, () => this.stroke(key));
  }

  /** Do the work while modifier keys are held. */
  async holding<T>(modifiers: Key[], work: () => Promise<T>): Promise<T> {
    for (const modifier of modifiers) await this.hold(modifier);
    try {
      return await work();
    } finally {
      for (const modifier of modifiers.toReversed()) await this.release(modifier);
    }
  }

  async hold(modifier: Key) {
    this.note(modifier, true);
    this.send("keydown", modifier);
    await null;
  }

  async release(modifier: Key) {
    this.note(modifier, false);
    this.send("keyup", modifier);
  }

  note(modifier: Key, held: boolean) {
    this.held = { ...this.held, [flag(modifier)]: held };
  }

  /** Press and release a key. */
  async stroke(
    key: Key,
    insert: (element: Element, data: string) => boolean = (element, data) => edit(element, "insertText", data),
  ) {
    const allowed = this.send("keydown", key);
    await null;
    if (allowed) await this.act(key, insert);
    const up = this.send("keyup", key);
    if (up) keyUp(permitted(focused()), key);
    await null;
  }

  /** Perform a key's default action. */
  async act(key: Key, insert: (element: Element, data: string) => boolean) {
    const element = permitted(focused());
    if (this.held.ctrlKey || this.held.metaKey) {
      if (shortcut(element, key, this.held)) return;
    } else if (key.key === "Enter" && dom.matches(element, "a[href], area[href]")) {
      return dom.click(element);
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

  /** Type text into the focused element. */
  async write(text: string, signal?: AbortSignal) {
    const characters = Array.from(text.replaceAll("\r\n", "\n"));
    for (const [index, character] of characters.entries()) {
      signal?.throwIfAborted();
      const fast = characters.length > SHORT && index < characters.length - 1;
      await this.character(character, fast ? editFast : undefined);
    }
  }

  async character(character: string, insert?: (element: Element, data: string) => boolean) {
    const shift = needsShift(character) ? keyOf("Shift") : null;
    if (shift) await this.hold(shift);
    await this.stroke(keyOf(character === "\n" ? "Enter" : character), insert);
    if (shift) await this.release(shift);
  }

  /** Insert a text at once, as if pasted. */
  async insert(text: string) {
    edit(focused(), "insertText", text);
  }

  send(type: string, key: Key, charCode = 0) {
    return fire(focused(), "KeyboardEvent", type, { ...this.held, ...key, charCode, which: key.keyCode });
  }
}

function flag({ key }: Key) {
  return key === "Control" ? "ctrlKey" : `${key.toLowerCase()}Key`;
}
