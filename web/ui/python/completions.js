/**
 * The completion list of the console. The focus stays in the field, which names the selected option.
 *
 * @import { Candidate, Completions } from "../types.js"
 * @import { Actions } from "../actions.js"
 * @import { CodeInput } from "./input.js"
 */

import { html, nothing, render } from "lit";
import { isFailure } from "../call.js";
import { byId } from "../elements.js";
import { counted } from "../format.js";

const OPENS_AUTOMATICALLY = /[\w)\]]\.\w*$/;

export class CompletionList {
  #list = byId("console-completions", HTMLElement);
  #call = byId("console-call", HTMLElement);
  #announcer = byId("console-completions-announcement", HTMLElement);
  /** @type {Candidate[]} */
  #candidates = [];
  #selected = -1;
  /** The position in the field where they are inserted, in UTF-16 units. */
  #start = 0;
  #lastRequest = 0;

  /** @param {CodeInput} input @param {Actions} actions */
  constructor(input, actions) {
    this.input = input;
    this.actions = actions;
    input.field.addEventListener("input", () => this.#onInput());
    input.field.addEventListener("blur", () => this.close());
    // A press must not move the focus out of the field.
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
    if (this.isOpen || OPENS_AUTOMATICALLY.test(before) || /[(,]\s*$/.test(before)) void this.#ask(false);
    else this.close();
  }

  /** Complete at the person's request; a single candidate is inserted. */
  async complete() {
    await this.#ask(true);
    if (this.#candidates.length === 1) this.#accept(0);
  }

  /** @param {boolean} requested whether the person requested it, so that the first candidate is selected */
  async #ask(requested) {
    const request = ++this.#lastRequest;
    const { before, field } = this.input;
    const answer = await this.actions.complete(field.value, [...before].length);
    // The text has changed meanwhile.
    if (request !== this.#lastRequest || isFailure(answer)) return;
    const { start, candidates, call } = /** @type {Completions} */ (answer);
    this.#start = [...before].slice(0, start).join("").length;
    const atCall = before.length === this.#start;
    // After a comma, show the parameters instead of all names.
    this.#candidates = requested || !atCall || before.endsWith(".") ? candidates : [];
    this.#selected = requested && this.isOpen ? 0 : -1;
    this.#call.textContent = call ?? "";
    this.#draw();
    if (requested) this.#announcer.textContent = this.isOpen ? counted(candidates.length, "completion") : "No completions";
  }

  close() {
    this.#lastRequest += 1;
    this.#candidates = [];
    this.#selected = -1;
    this.#call.textContent = "";
    this.#announcer.textContent = "";
    this.#draw();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the list handled the key
   */
  takes({ key }) {
    if (!this.isOpen) return false;
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (key in steps) this.#step(steps[/** @type {keyof typeof steps} */ (key)]);
    else if (key === "Escape") this.close();
    else if (key === "Tab") this.#accept(Math.max(0, this.#selected));
    else if (key === "Enter" && this.#selected >= 0) this.#accept(this.#selected);
    else return false;
    return true;
  }

  /** @param {number} by */
  #step(by) {
    const last = this.#candidates.length - 1;
    const next = this.#selected + by;
    this.#selected = Math.abs(by) > 1 ? Math.min(last, Math.max(0, next)) : next > last ? 0 : next < 0 ? last : next;
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
    if (this.#selected >= 0) field.setAttribute("aria-activedescendant", `console-option-${this.#selected}`);
    else field.removeAttribute("aria-activedescendant");
    render(this.#candidates.map(({ text, kind, signature }, index) => html`<div role="option" class="option"
      id="console-option-${index}" aria-selected=${String(index === this.#selected)} @click=${() => this.#accept(index)}>
      <span class="name">${text}</span>${signature ? html`<span class="muted">${signature}</span>` : nothing}
      <span class="kind muted">${kind}</span></div>`), this.#list);
  }
}
