/**
 * The actions that the person started in the settings: progress and outcome.
 *
 * @import { Failure } from "../types.js"
 * @import { ErrorRow } from "../../generated/types.js"
 */

import { html, nothing } from "lit";
import { isFailure } from "../call.js";
import { copyText } from "../copying.js";
import { isPressOf } from "../trusted.js";

/** @typedef {{busy?: string, done?: string, problem?: ErrorRow}} Attempt */

export class Attempts {
  /** @type {Map<string, Attempt>} */
  #by = new Map();

  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
  }

  /** @param {string} what the action */
  busy(what) {
    return this.#by.get(what)?.busy !== undefined;
  }

  /**
   * @template Answer
   * @param {string} what the action
   * @param {string} busy the message while it runs
   * @param {Promise<Answer | Failure>} asked
   * @param {(answer: Answer) => string} describe returns the message for its success
   * @returns {Promise<boolean>} whether it succeeded
   */
  async follow(what, busy, asked, describe) {
    this.#set(what, { busy });
    const answer = await asked;
    this.#set(what, isFailure(answer) ? { problem: answer.error } : { done: describe(answer) });
    return !isFailure(answer);
  }

  /** @param {string} what @param {string} message */
  report(what, message) {
    this.#set(what, { done: message });
  }

  /** @param {string} what @param {ErrorRow} problem */
  fail(what, problem) {
    this.#set(what, { problem });
  }

  /** Copy a text, and say so. @param {string} what the action @param {string} text */
  async copy(what, text) {
    // Screen readers announce changes, so clear the message before a second copy.
    this.report(what, "");
    const problem = await copyText(text);
    if (problem) this.fail(what, problem);
    else this.report(what, "Copied.");
  }

  /** Show the state of an action, announced by screen readers. @param {string} what */
  outcome(what) {
    const { busy, done, problem } = this.#by.get(what) ?? {};
    const style = problem ? "bad" : done ? "good" : "";
    return html`<p class="outcome ${style}" role="status" data-of=${what}>${busy ?? done ?? problem?.message ?? nothing}${
      problem?.hint ? html` <span class="hint">${problem.hint}</span>` : nothing}</p>`;
  }

  /**
   * Return a button that ignores presses by scripts, and presses while its action runs.
   *
   * @param {string} label
   * @param {() => unknown} act
   * @param {{of?: string, name?: string, style?: string}} [more] its action, an accessible name if the label isn't enough,
   *   and its class
   */
  button(label, act, { of = "", name, style } = {}) {
    const busy = of !== "" && this.busy(of);
    return html`<button type="button" class=${style ?? nothing} aria-label=${name ?? nothing} aria-disabled=${busy ? "true" : nothing}
      data-does=${name ?? label} @click=${(/** @type {Event} */ event) => isPressOf(event) && !busy && act()}>${label}</button>`;
  }

  /** @param {string} what @param {Attempt} attempt */
  #set(what, attempt) {
    this.#by.set(what, attempt);
    this.draw();
  }
}
