// A hand at the page: its mouse and keyboard, and the account of what it did. One action runs at a time.

import { isAttached } from "../composed.js";
import { Unsupported } from "../errors.js";
import { isFileInput } from "./files.js";
import { Keyboard } from "./keyboard.js";
import { Mouse } from "./mouse.js";
import { Outcome } from "./outcome.js";
import { checkHit } from "./ready.js";

/**
 * @import { Page } from "./actions.js"
 * @import { Place } from "./ready.js"
 */

export class Hand {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.mouse = new Mouse();
    this.keyboard = new Keyboard();
  }

  /**
   * Do something to the page, wait until it has settled, and tell what came of it.
   * @param {{ signal?: AbortSignal }} options
   * @param {(outcome: Outcome) => Promise<void | (() => object)>} work gives what looks at the result
   * @returns {Promise<object>}
   */
  async perform({ signal }, work) {
    signal?.throwIfAborted();
    const outcome = new Outcome(this.page);
    const before = this.mouse.point;
    try {
      const look = await work(outcome);
      await outcome.settle(signal);
      outcome.stop();
      const { point } = this.mouse;
      return { success: true, ...outcome.told(), ...(point === before ? {} : { at: { ...point } }), ...look?.() };
    } finally {
      // What failed half-way must not leave a button pressed.
      await this.mouse.cancel();
      outcome.stop();
    }
  }

  /** Click at a place. @param {Place} place @param {{ button?: number, double?: boolean }} [how] */
  async press({ element, point }, { button = 0, double = false } = {}) {
    const pressed = /** @type {HTMLLabelElement} */ (element.closest("label"))?.control ?? element;
    if (button === 0 && isFileInput(pressed)) {
      throw new Unsupported("Only a person can open the browser's choice of files.", { hint: "Type with `files` in place of it." });
    }
    const { mouse } = this;
    await mouse.move(point);
    if (isAttached(element)) checkHit(this.page, element, point);
    for (let detail = 1; detail <= (double ? 2 : 1); detail++) {
      await mouse.down(button, detail, this.keyboard.held);
      await mouse.up(this.keyboard.held);
    }
  }
}
