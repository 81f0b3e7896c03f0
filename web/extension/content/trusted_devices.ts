/**
 * A mouse and a keyboard whose events the page's browser trusts. The surface's page sends them by the debugger; before each,
 * this world looks where it would go, so that no press or key reaches a frame of another site, or the bar.
 */

import * as dom from "../../page/dom.ts";
import { CrossOrigin, Unsupported } from "../../page/errors.ts";
import { focused } from "../../page/actions/focus.ts";
import type { Devices } from "../../page/actions/input_devices.ts";
import { HoverStyles, isSeen } from "../../page/actions/hover_styles.ts";
import { Keyboard } from "../../page/actions/keyboard.ts";
import { keyOf, needsShift, type Key } from "../../page/actions/keys.ts";
import { Mouse } from "../../page/actions/mouse.ts";
import { permitted } from "../../page/actions/off_limits.ts";
import type { Point } from "../../page/actions/places.ts";
import { readable } from "../../page/actions/ready.ts";
import { usesClipboard } from "../trusted/commands.ts";

/** resolves when the page has handled the event */
type Send = (kind: string, event: object) => Promise<void>;

const ALT = 1,
  CONTROL = 2,
  META = 4,
  SHIFT = 8;
const LEFT = 0;
// Where a press ends that must not become a click.
const NOWHERE = { x: -1, y: -1 };
const MAC_COMMANDS: Record<string, string> = { a: "selectAll", z: "undo", y: "redo" };

function modifiersOf({
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: {
  ctrlKey?: boolean;
  shiftKey?: boolean;
  altKey?: boolean;
  metaKey?: boolean;
}) {
  return (altKey ? ALT : 0) | (ctrlKey ? CONTROL : 0) | (metaKey ? META : 0) | (shiftKey ? SHIFT : 0);
}

/** Return the target if input may reach it. */
function allowed(target: Element) {
  return readable(permitted(target));
}

/** Only the left button: the browser's own menu opens for the right one, and the middle one pastes. */
class TrustedMouse extends Mouse {
  #send: Send;

  constructor(keyboard: TrustedKeyboard, send: Send) {
    super(keyboard);
    this.#send = send;
    this.hoverStyles = new SeenStyles();
  }

  #dispatch(type: string, { x, y }: Point, more: object = {}): Promise<void> {
    const pressed = this.#isPressed;
    const event = {
      type,
      x,
      y,
      button: pressed ? "left" : "none",
      buttons: pressed ? 1 : 0,
      modifiers: modifiersOf(this.keyboard.held),
      ...more,
    };
    return this.#send("dispatchMouseEvent", event);
  }

  get #isPressed() {
    return this.pressed?.button === LEFT;
  }

  async move(point: Point, target: Element = this.targetAt(point)) {
    // A simulated press continues.
    if (this.pressed && !this.#isPressed) return super.move(point, target);
    await this.#dispatch("mouseMoved", point);
    this.point = point;
    this.over = target;
  }

  async down(button: number, detail: number) {
    const target = allowed(this.targetAt(this.point));
    if (button !== LEFT) return super.down(button, detail);
    const view = dom.defaultView(dom.ownerDocument(target)) ?? window;
    let arrived = false;
    const note = ({ isTrusted }: Event) => void (arrived ||= isTrusted);
    view.addEventListener("pointerdown", note, { capture: true, once: true });
    this.pressed = { target, button, detail, compatible: true, prevented: false };
    await this.#dispatch("mousePressed", this.point, { clickCount: detail, button: "left", buttons: 1 });
    view.removeEventListener("pointerdown", note, { capture: true });
    if (arrived) return;
    // A page may have put another document there since.
    await this.cancel();
    throw new CrossOrigin("The press didn't reach the document.", {
      hint: "Another document, or a script, takes it. Take a new snapshot.",
    });
  }

  async up() {
    if (!this.#isPressed) return super.up();
    const { detail = 1 } = this.pressed ?? {};
    this.pressed = null;
    await this.#dispatch("mouseReleased", this.point, { clickCount: detail, button: "left" });
  }

  async cancel() {
    if (!this.#isPressed) return super.cancel();
    this.pressed = null;
    await this.#dispatch("mouseReleased", NOWHERE, { clickCount: 0, button: "left" });
  }
}

/** Finds the elements that the browser's own `:hover` styles show. */
class SeenStyles extends HoverStyles {
  #hidden: Element[] = [];

  open(): Element[] {
    this.#hidden = Array.from(dom.querySelectorAll(document, "body *")).filter((one) => !isSeen(one));
    return [];
  }

  begin() {
    return { shown: this.#hidden.filter(isSeen), unreadable: false };
  }
}

/** Keys that use the clipboard are simulated, because the clipboard is the user's. */
class TrustedKeyboard extends Keyboard {
  #send: Send;

  constructor(send: Send) {
    super();
    this.#send = send;
  }

  async hold(modifier: Key) {
    this.note(modifier, true);
    await this.#dispatch("rawKeyDown", modifier);
  }

  async release(modifier: Key) {
    this.note(modifier, false);
    await this.#dispatch("keyUp", modifier);
  }

  async stroke(key: Key) {
    if (!usesClipboard({ code: key.code, windowsVirtualKeyCode: key.keyCode, modifiers: modifiersOf(this.held) }))
      return this.#strike(key);
    allowed(focused());
    await super.stroke(key);
  }

  async write(text: string, signal?: AbortSignal) {
    for (const character of Array.from(text.replaceAll("\r\n", "\n"))) {
      signal?.throwIfAborted();
      await this.#character(character);
    }
  }

  async insert(text: string) {
    allowed(focused());
    await this.#send("insertText", { text });
  }

  async #character(character: string) {
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
   */
  async #strike(key: Key) {
    const { ctrlKey, metaKey, altKey } = this.held;
    const writes = !ctrlKey && !metaKey && !altKey;
    const text = !writes
      ? undefined
      : key.key === "Enter"
        ? "\r"
        : Array.from(key.key).length === 1
          ? key.key
          : undefined;
    const command = metaKey ? MAC_COMMANDS[key.key] : undefined;
    const down = { ...(text === undefined ? {} : { text }), ...(command ? { commands: [command] } : {}) };
    allowed(focused());
    await this.#dispatch(text === undefined ? "rawKeyDown" : "keyDown", key, down);
    allowed(focused());
    await this.#dispatch("keyUp", key);
  }

  #dispatch(type: string, { key, code, keyCode, location = 0 }: Key, more: object = {}) {
    return this.#send("dispatchKeyEvent", {
      type,
      key,
      code,
      windowsVirtualKeyCode: keyCode,
      location,
      modifiers: modifiersOf(this.held),
      ...more,
    });
  }
}

/** The devices of a document while the surface's page takes input for it. */
export class TrustedDevices {
  #port: chrome.Port | null = null;
  #last = 0;
  #waiting = new Map<number, PromiseWithResolvers<void>>();
  #left = new Promise<void>(() => {});
  #isLeft = false;
  #devices: Devices | null = null;

  /** @param port - takes `{id, kind, event}`, and answers `{id, problem}` */
  attach(port: chrome.Port) {
    this.#port = port;
    const send = (kind: string, event: object) => this.#ask(port, kind, event);
    const keyboard = new TrustedKeyboard(send);
    const until = (left: Promise<void>) => this.#until(left);
    this.#devices = { keyboard, mouse: new TrustedMouse(keyboard, send), until };
    port.onMessage.addListener(({ id, problem }: { id: number; problem: string | null }) => {
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

  #until(left: Promise<void>) {
    this.#left = left;
    this.#isLeft = false;
    void left.then(() => {
      if (this.#left === left) this.#isLeft = true;
    });
  }

  async #ask(port: chrome.Port, kind: string, event: object): Promise<void> {
    if (this.#port !== port) throw ended("it was taken back");
    // The next document would get the rest of the input, since nothing waits for this one any more.
    if (this.#isLeft) return;
    const id = ++this.#last;
    const answer = Promise.withResolvers<void>();
    this.#waiting.set(id, answer);
    port.postMessage({ id, kind, event });
    await Promise.race([answer.promise, this.#left]);
  }
}

function ended(why: string) {
  return new Unsupported(`Trusted input has ended: ${why}.`, { hint: "Take a new snapshot, and try again." });
}
