/** The actions that the user started in the settings: progress and outcome. */

import { html, nothing } from "lit";
import type { ErrorRow } from "../../../generated/types.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { copyText } from "../../lib/copying.ts";
import { isPressOf } from "../../lib/trusted.ts";
import type { Failure } from "../../state/types.ts";

type Attempt = { busy?: string; done?: string; problem?: ErrorRow };

export class Attempts {
  #by = new Map<string, Attempt>();
  draw: () => void;

  constructor(draw: () => void) {
    this.draw = draw;
  }

  /** @param what - the action */
  busy(what: string) {
    return this.#by.get(what)?.busy !== undefined;
  }

  /**
   * @param what - the action
   * @param busy - the message while it runs
   * @param describe - returns the message for its success
   * @returns whether it succeeded
   */
  async follow<Answer>(
    what: string,
    busy: string,
    asked: Promise<Answer | Failure>,
    describe: (answer: Answer) => string,
  ): Promise<boolean> {
    this.#set(what, { busy });
    const answer = await asked;
    this.#set(what, isFailure(answer) ? { problem: answer.error } : { done: describe(answer) });
    return !isFailure(answer);
  }

  report(what: string, message: string) {
    this.#set(what, { done: message });
  }

  fail(what: string, problem: ErrorRow) {
    this.#set(what, { problem });
  }

  /**
   * Copy a text, and say so.
   * @param what - the action
   */
  async copy(what: string, text: string) {
    // Screen readers announce changes, so clear the message before a second copy.
    this.report(what, "");
    const problem = await copyText(text);
    if (problem) this.fail(what, problem);
    else this.report(what, "Copied.");
  }

  /** Show the state of an action, announced by screen readers. */
  outcome(what: string) {
    const { busy, done, problem } = this.#by.get(what) ?? {};
    const style = problem ? "bad" : done ? "good" : "";
    return html`<p class="outcome ${style}" role="status" data-of=${what}>${busy ?? done ?? problem?.message ?? nothing}${
      problem?.hint ? html` <span class="hint">${problem.hint}</span>` : nothing
    }</p>`;
  }

  /**
   * Return a button that ignores presses by scripts, and presses while its action runs.
   *
   * @param more - its action, an accessible name if the label isn't enough, and its class
   */
  button(
    label: string,
    act: () => unknown,
    { of = "", name, style }: { of?: string; name?: string; style?: string } = {},
  ) {
    const busy = of !== "" && this.busy(of);
    return html`<button type="button" class=${style ?? nothing} aria-label=${name ?? nothing} aria-disabled=${busy ? "true" : nothing}
      data-does=${name ?? label} @click=${(event: Event) => isPressOf(event) && !busy && act()}>${label}</button>`;
  }

  #set(what: string, attempt: Attempt) {
    this.#by.set(what, attempt);
    this.draw();
  }
}
