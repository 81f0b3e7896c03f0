// `alert`, `confirm` and `prompt` block a page until a person answers. A controlled page answers them by a policy.

import { InvalidArguments } from "../errors.js";

/**
 * @typedef {{ kind: "alert" | "confirm" | "prompt", message: string, answer: boolean | string | null }} Answered
 * @typedef {{ accept?: boolean, text?: string }} Policy `text` answers prompts; by default they get their proposed text
 */

/** The automatic answers to a page's dialogs. */
export class Answers {
  constructor() {
    /** @type {Policy} */
    this.policy = {};
    this.installed = false;
    /** @type {WeakSet<Window>} */
    this.covered = new WeakSet();
    /** @type {Set<(answered: Answered) => void>} */
    this.listeners = new Set();
    /** Dialogs that were answered while no action ran. @type {Answered[]} */
    this.waiting = [];
  }

  /** Set the policy. With null, people answer dialogs again. @param {Policy | null} policy */
  install(policy) {
    if (typeof policy !== "object") {
      throw new InvalidArguments("`dialogs` must be an object or null.", { hint: "Pass {accept: true or false, text?}, or null." });
    }
    this.installed = policy !== null;
    this.policy = policy ?? {};
    this.cover(window);
  }

  /**
   * Answer the dialogs to come, and return those that were answered while no action ran.
   * @param {Policy} policy
   */
  decide({ accept = false, text }) {
    this.install({ accept, text });
    return { success: true, answered: this.waiting.splice(0) };
  }

  /** Take over the dialogs of a window if a policy is set. @param {Window} view */
  cover(view) {
    if (!this.installed || this.covered.has(view)) return;
    this.covered.add(view);
    const own = /** @type {any} */ (view);
    const answers = {
      alert: (/** @type {unknown} */ message = "") => void this.answer("alert", message, true),
      confirm: (/** @type {unknown} */ message = "") => this.answer("confirm", message, this.policy.accept === true),
      prompt: (/** @type {unknown} */ message = "", /** @type {unknown} */ proposed = "") =>
        this.answer("prompt", message, this.policy.accept ? (this.policy.text ?? String(proposed)) : null),
    };
    for (const [kind, answer] of Object.entries(answers)) {
      const ask = own[kind];
      own[kind] = (/** @type {unknown[]} */ ...args) => (this.installed ? answer(...args) : ask.apply(view, args));
    }
  }

  /** Call `listener` for each answer, and for earlier answers without a listener. @param {(answered: Answered) => void} listener @returns {() => void} stops it */
  listen(listener) {
    for (const answered of this.waiting.splice(0)) listener(answered);
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** @template {boolean | string | null} T @param {Answered["kind"]} kind @param {unknown} message @param {T} answer @returns {T} */
  answer(kind, message, answer) {
    const answered = { kind, message: String(message), answer };
    if (this.listeners.size) for (const listener of this.listeners) listener(answered);
    else this.waiting.push(answered);
    return answer;
  }
}
