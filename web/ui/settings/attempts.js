/**
 * What the person started in the settings: whether it is under way, and how it ended.
 *
 * @import { ErrorDetails, Failure } from "../types.js"
 */

import { html, nothing } from "lit";
import { isFailure } from "../call.js";

/** @typedef {{busy?: string, told?: string, problem?: ErrorDetails}} Attempt */

export class Attempts {
  /** @type {Map<string, Attempt>} */
  #by = new Map();

  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
  }

  /** @param {string} what */
  busy(what) {
    return this.#by.get(what)?.busy !== undefined;
  }

  /**
   * @template Answer
   * @param {string} what
   * @param {string} busy says what is under way
   * @param {Promise<Answer | Failure>} asked
   * @param {(answer: Answer) => string} tell
   * @returns {Promise<boolean>} whether it went well
   */
  async follow(what, busy, asked, tell) {
    this.#set(what, { busy });
    const answer = await asked;
    this.#set(what, isFailure(answer) ? { problem: answer.error } : { told: tell(answer) });
    return !isFailure(answer);
  }

  /** @param {string} what @param {string} told */
  tell(what, told) {
    this.#set(what, { told });
  }

  /** @param {string} what @param {ErrorDetails} problem */
  fail(what, problem) {
    this.#set(what, { problem });
  }

  /** How it is, where screen readers hear of it. @param {string} what */
  outcome(what) {
    const { busy, told, problem } = this.#by.get(what) ?? {};
    const look = problem ? "bad" : told ? "good" : "";
    return html`<p class="outcome ${look}" role="status" data-of=${what}>${busy ?? told ?? problem?.message ?? nothing}${
      problem?.hint ? html` <span class="hint">${problem.hint}</span>` : nothing}</p>`;
  }

  /**
   * A button that takes no press of a script, nor one while what it began is under way.
   *
   * @param {string} label
   * @param {() => unknown} act
   * @param {{of?: string, name?: string, look?: string}} [more] what it begins, its name where the label doesn't say enough,
   *   and its class
   */
  button(label, act, { of = "", name, look } = {}) {
    const busy = of !== "" && this.busy(of);
    return html`<button type="button" class=${look ?? nothing} aria-label=${name ?? nothing} aria-disabled=${busy ? "true" : nothing}
      data-does=${name ?? label} @click=${(/** @type {Event} */ { isTrusted }) => isTrusted && !busy && act()}>${label}</button>`;
  }

  /** @param {string} what @param {Attempt} attempt */
  #set(what, attempt) {
    this.#by.set(what, attempt);
    this.draw();
  }
}
