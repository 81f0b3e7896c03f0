/**
 * The list of what could stand at the caret. The focus stays in the field, which names the chosen option.
 *
 * @import { Candidate, Completions } from "../types.js"
 * @import { Actions } from "../actions.js"
 * @import { CodeInput } from "./input.js"
 */

import { html, nothing, render } from "lit";
import { isFailure } from "../call.js";
import { byId } from "../elements.js";
import { counted } from "../format.js";

const ASKS_BY_ITSELF = /[\w)\]]\.\w*$/;

export class CompletionList {
  #list = byId("console-completions", HTMLElement);
  #call = byId("console-call", HTMLElement);
  #said = byId("console-completions-said", HTMLElement);
  /** @type {Candidate[]} */
  #candidates = [];
  #chosen = -1;
  /** Where in the field they go, in UTF-16 units. */
  #start = 0;
  #asked = 0;

  /** @param {CodeInput} input @param {Actions} actions */
  constructor(input, actions) {
    this.input = input;
    this.actions = actions;
    input.field.addEventListener("input", () => this.#onInput());
    input.field.addEventListener("blur", () => this.close());
    // A press must not take the focus from the field.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#list.scrollTop += event.deltaY;
    });
  }

  get isOpen() {
    return this.#candidates.length > 0;
  }

  #onInput() {
    const { before } = this.input;
    if (this.isOpen || ASKS_BY_ITSELF.test(before) || /[(,]\s*$/.test(before)) void this.#ask(false);
    else this.close();
  }

  /** Asks because the person wants it: one answer is taken at once. */
  async complete() {
    await this.#ask(true);
    if (this.#candidates.length === 1) this.#accept(0);
  }

  /** @param {boolean} wanted whether the person asked for it, so that the first is chosen */
  async #ask(wanted) {
    const asked = ++this.#asked;
    const { before, field } = this.input;
    const answer = await this.actions.complete(field.value, [...before].length);
    // Something else was typed meanwhile.
    if (asked !== this.#asked || isFailure(answer)) return;
    const { start, candidates, call } = /** @type {Completions} */ (answer);
    this.#start = [...before].slice(0, start).join("").length;
    const atCall = before.length === this.#start;
    // Whoever types a comma wants to see the parameters, and not all that there is.
    this.#candidates = wanted || !atCall || before.endsWith(".") ? candidates : [];
    this.#chosen = wanted && this.isOpen ? 0 : -1;
    this.#call.textContent = call ?? "";
    this.#draw();
    if (wanted) this.#said.textContent = this.isOpen ? counted(candidates.length, "completion") : "No completion";
  }

  close() {
    this.#asked += 1;
    this.#candidates = [];
    this.#chosen = -1;
    this.#call.textContent = "";
    this.#said.textContent = "";
    this.#draw();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key was meant for the list
   */
  takes({ key }) {
    if (!this.isOpen) return false;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (key in steps) this.#step(steps[/** @type {keyof typeof steps} */ (key)]);
    else if (key === "Escape") this.close();
    else if (key === "Tab") this.#accept(Math.max(0, this.#chosen));
    else if (key === "Enter" && this.#chosen >= 0) this.#accept(this.#chosen);
    else return false;
    return true;
  }

  /** @param {number} by */
  #step(by) {
    const last = this.#candidates.length - 1;
    const next = this.#chosen + by;
    this.#chosen = Math.abs(by) > 1 ? Math.min(last, Math.max(0, next)) : next > last ? 0 : next < 0 ? last : next;
    this.#draw();
    this.#list.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} index */
  #accept(index) {
    const candidate = this.#candidates[index];
    if (candidate) this.input.replace(this.#start, candidate.text);
    this.close();
  }

  #draw() {
    const { field } = this.input;
    this.#list.hidden = !this.isOpen;
    this.#call.hidden = this.#call.textContent === "";
    if (this.#chosen >= 0) field.setAttribute("aria-activedescendant", `console-option-${this.#chosen}`);
    else field.removeAttribute("aria-activedescendant");
    render(this.#candidates.map(({ text, kind, signature }, index) => html`<div role="option" class="option"
      id="console-option-${index}" aria-selected=${String(index === this.#chosen)} @click=${() => this.#accept(index)}>
      <span class="name">${text}</span>${signature ? html`<span class="muted">${signature}</span>` : nothing}
      <span class="kind muted">${kind}</span></div>`), this.#list);
  }
}
