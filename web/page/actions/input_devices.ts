// The simulated mouse and keyboard, and the results of actions. One action runs at a time.

import { isAttached } from "../composed.ts";
import * as dom from "../dom.ts";
import { Unsupported } from "../errors.ts";
import type { Page } from "./actions.ts";
import { isFileInput } from "./files.ts";
import { Keyboard } from "./keyboard.ts";
import { Mouse } from "./mouse.ts";
import { Outcome } from "./outcome.ts";
import { checkHit, type Place } from "./ready.ts";
import { pause } from "./waiting.ts";

export interface Devices {
  keyboard: Keyboard;
  mouse: Mouse;
  /** sets when the document is being left, after which no event is waited for */
  until?: (left: Promise<void>) => void;
}

const NOTHING = "Nothing in the page changed.";
const UNSEEN = "Nothing changed but perhaps the canvas, which can't be read; take a screenshot.";

/** The input devices of a page: simulated, or of the browser that drives it. */
export class InputDevices {
  page: Page;
  simulated: Devices;
  devices: Devices;

  constructor(page: Page) {
    this.page = page;
    const keyboard = new Keyboard();
    this.simulated = { keyboard, mouse: new Mouse(keyboard) };
    this.devices = this.simulated;
  }

  get keyboard() {
    return this.devices.keyboard;
  }

  get mouse() {
    return this.devices.mouse;
  }

  /** Choose the devices of the next action. */
  choose() {
    this.devices = this.page.devices?.() ?? this.simulated;
    if (this.devices !== this.simulated) this.simulated.mouse.hoverStyles.end();
  }

  /** True if the browser performs the default actions of events. */
  get isTrusted() {
    return this.devices !== this.simulated;
  }

  /**
   * Perform an action, wait until the page has settled, and return the outcome. `success` is false if nothing changed,
   * unless the work's own result says otherwise.
   * @param work - may return a function that adds to the result
   */
  async perform(
    { signal }: { signal?: AbortSignal },
    work: (outcome: Outcome) => Promise<void | (() => object)>,
  ): Promise<object> {
    signal?.throwIfAborted();
    const outcome = new Outcome(this.page);
    const before = this.mouse.point;
    this.devices.until?.(outcome.departure.promise);
    try {
      const addResult = await work(outcome);
      await outcome.settle(signal);
      const success = outcome.hadEffect();
      outcome.stop();
      const { point } = this.mouse;
      const note = success ? {} : { note: outcome.effects.maybeUnseen() ? UNSEEN : NOTHING };
      return {
        success,
        ...note,
        ...outcome.report(),
        ...(point === before ? {} : { at: { ...point } }),
        ...addResult?.(),
      };
    } finally {
      // A failed action must not leave a button pressed.
      await this.mouse.cancel();
      outcome.stop();
    }
  }

  /**
   * Click at a place.
   * @param how - `hold`: the seconds until the button is released
   */
  async press(
    { element, point }: Place,
    {
      button = 0,
      double = false,
      hold = 0,
      signal,
    }: {
      button?: number;
      double?: boolean;
      hold?: number;
      signal?: AbortSignal;
    } = {},
  ) {
    const pressed = dom.closest(element, "label")?.control ?? element;
    if (button === 0 && isFileInput(pressed)) {
      throw new Unsupported("Scripts can't open the browser's file dialog.", {
        hint: "Use type with `files` instead.",
      });
    }
    const { mouse } = this;
    await mouse.move(point);
    if (isAttached(element)) checkHit(this.page, element, point);
    for (let detail = 1; detail <= (double ? 2 : 1); detail++) {
      await mouse.down(button, detail);
      if (hold) await pause(hold * 1_000, signal);
      await mouse.up();
    }
  }
}
