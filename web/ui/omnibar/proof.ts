/**
 * Proves that a user pressed a key of the palette while a page in a tab had the focus. The page reports the key, and
 * could report one that nobody pressed, to get the user's typing in the palette. Releasing the key is an event of
 * this document, because the focus has moved here, so the page can't forge it.
 */

import { IS_MAC, opensPalette } from "../../page/shortcuts.ts";

const MODIFIER = IS_MAC ? "Meta" : "Control";

export class Proof {
  #waiting = false;
  #modifierReleased = false;
  callbacks: { proven: () => void; failed: () => void };

  constructor(callbacks: { proven: () => void; failed: () => void }) {
    this.callbacks = callbacks;
    for (const type of ["keydown", "keyup"] as const) {
      document.addEventListener(type, (event) => this.#waiting && this.#on(event), { capture: true });
    }
  }

  /** Return whether the palette accepts no keys yet. */
  get waiting() {
    return this.#waiting;
  }

  wait() {
    this.#waiting = true;
    this.#modifierReleased = false;
  }

  stop() {
    this.#waiting = false;
  }

  #on(event: KeyboardEvent) {
    if (!event.isTrusted) return;
    // The held key repeats.
    if (event.type === "keydown" && opensPalette(event)) return this.#end(event, true);
    if (event.type === "keydown") return event.key === MODIFIER || this.#end(event, false);
    const held = IS_MAC ? event.metaKey : event.ctrlKey;
    if (event.key === MODIFIER) {
      this.#modifierReleased = true;
      // macOS sends no keyup for letters while ⌘ is held.
      return IS_MAC && this.#end(event, true);
    }
    const letter = ["k", "p"].includes(event.key.toLowerCase()) && (held || this.#modifierReleased);
    return this.#end(event, letter || event.key === "F1");
  }

  #end(event: KeyboardEvent, proven: boolean) {
    event.preventDefault();
    event.stopPropagation();
    this.#waiting = false;
    if (proven) this.callbacks.proven();
    else this.callbacks.failed();
  }
}
