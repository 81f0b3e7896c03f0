// `alert`, `confirm` and `prompt` stop a page until a person answers. A controlled page answers by policy and goes on.

import { InvalidArguments } from "../errors.js";

/**
 * @typedef {{ kind: "alert" | "confirm" | "prompt", message: string, answer: boolean | string | null }} Answered
 * @typedef {{ accept?: boolean, text?: string }} Policy `text` is what prompts get; else what they propose
 */

export class Answers {
  constructor() {
    /** @type {Policy} */
    this.policy = {};
    this.installed = false;
    /** @type {WeakSet<Window>} */
    this.covered = new WeakSet();
    /** @type {Set<(answered: Answered) => void>} */
    this.listeners = new Set();
    /** What was answered while no action ran. @type {Answered[]} */
    this.waiting = [];
  }

  /** Answer by `policy` from now on; null leaves dialogs to the person again. @param {Policy | null} policy */
  install(policy) {
    if (typeof policy !== "object") {
      throw new InvalidArguments("`dialogs` is how to answer.", { hint: "Give {accept: true or false, text?}, or null." });
    }
    this.installed = policy !== null;
    this.policy = policy ?? {};
    this.cover(window);
  }

  /** Answer the dialogs of a window, if any are to be answered. @param {Window} view */
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
      own[kind] = (/** @type {unknown[]} */ ...given) => (this.installed ? answer(...given) : ask.apply(view, given));
    }
  }

  /** Hear of each answer, and of those that nobody heard. @param {(answered: Answered) => void} listener @returns {() => void} */
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
