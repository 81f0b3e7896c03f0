/** The choice whether the task in a form continues the last run: shown before it is sent, and changed by one press. */

import { html, nothing } from "lit";
import type { GuessFollowUpResult as FollowUp, ModelsRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { AGENT, paidModel } from "../../state/model_tickets.ts";
import { ASK_MS, askFollowUp, guessFollowUp, shortTask } from "./follow_up.ts";

const GUESS_MS = 200;

/** The choice for a field in which a task is typed. */
export class FollowUpChoice {
  #guessed: FollowUp | null = null;
  /** The choice that the user has pressed; null if none. */
  #pressed: boolean | null = null;
  #message = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  actions: Actions;
  models: () => ModelsRow | undefined;
  draw: () => void;

  constructor(actions: Actions, models: () => ModelsRow | undefined, draw: () => void) {
    this.actions = actions;
    this.models = models;
    this.draw = draw;
  }

  /** The id of the run that the task continues, as it is shown; null if it starts a new run. */
  get run() {
    return (this.#pressed ?? this.#guessed?.continues) ? (this.#guessed?.run_id ?? null) : null;
  }

  /**
   * Note that the field has changed.
   * @param message - its text
   */
  update(message: string) {
    this.#message = message.trim();
    clearTimeout(this.#timer);
    if (this.#message === "") {
      this.#guessed = this.#pressed = null;
      this.draw();
    } else {
      this.#timer = setTimeout(() => void this.#guess(this.#message), GUESS_MS);
    }
  }

  async #guess(message: string) {
    const guessed = await guessFollowUp(this.actions, message);
    if (message !== this.#message) return;
    this.#guessed = guessed;
    this.draw();
    if (guessed && !guessed.sure) this.#timer = setTimeout(() => void this.#ask(message, false), ASK_MS);
  }

  /** @param pays - whether the user has pressed for a model that costs money */
  async #ask(message: string, pays: boolean) {
    const models = this.models();
    if (!models) return;
    const asked = pays ? await this.actions.payFollowUp({ message }) : await askFollowUp(this.actions, models, message);
    if (asked === null || isFailure(asked) || message !== this.#message) return;
    this.#guessed = asked;
    this.draw();
  }

  /** @param limited - whether the form has its own tools or limits, which a run that continues doesn't take */
  view(limited: boolean) {
    const guessed = this.#guessed;
    if (guessed === null || this.#message === "") return nothing;
    if (limited)
      return html`<p class="agent-follows" id="agent-follows">Starts a new run, with the tools and limits of this form.</p>`;
    const continues = this.run !== null;
    const paid = paidModel(this.models(), AGENT);
    const press = () => {
      this.#pressed = !continues;
      this.draw();
    };
    return html`<p class="agent-follows" id="agent-follows" role="status" data-continues=${continues}>
      ${continues ? html`<span><b>Continues</b> “${shortTask(guessed.task)}” with its files, tab and conversation.</span>` : html`<b>Starts a new run.</b>`}
      ${this.#pressed === null ? html`<span class="muted">${guessed.why}</span>` : nothing}
      <button type="button" id="agent-follows-change" @click=${press}>${continues ? "Start a new run" : `Continue “${shortTask(guessed.task)}”`}</button>
      ${
        guessed.sure || this.#pressed !== null || paid === null
          ? nothing
          : html`<button type="button" class="quiet" id="agent-follows-ask"
        @click=${() => void this.#ask(this.#message, true)}>Ask ${paid.model}</button>`
      }</p>`;
  }
}
