/**
 * The limits of the file history. Python stores them; a form shows and changes them.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 */

import { html, nothing, render } from "lit";
import { isFailure } from "../call.js";
import { byId } from "../elements.js";
import { isPressOf } from "../trusted.js";
import { whenNeeded } from "./needed.js";

const FIELDS = [
  { name: "most_mb", label: "All versions (MB)" },
  { name: "most_file_mb", label: "One version (MB)" },
  { name: "most_days", label: "Age (days)" },
];

class HistoryLimits {
  #place = byId("settings-history", HTMLElement);
  /** @type {Record<string, number> | null} */
  #limits = null;
  /** @type {{text: string, bad: boolean} | null} */
  #outcome = null;

  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
  }

  /** @param {Store} store */
  show(store) {
    whenNeeded(store, { ask: () => void this.#ask({}, null), forget: () => this.#forget() });
  }

  #forget() {
    this.#limits = null;
    this.#draw();
  }

  /** @param {Record<string, number>} changed @param {string | null} done */
  async #ask(changed, done) {
    const answer = await this.actions.limitHistory(changed);
    if (isFailure(answer)) {
      this.#outcome = { text: answer.error.message, bad: true };
    } else {
      this.#limits = answer;
      this.#outcome = done === null ? null : { text: done, bad: false };
    }
    this.#draw();
  }

  #draw() {
    render(this.#limits === null ? html`<p class="muted">Available when Python has started.</p>` : html`
      <form class="limits" @submit=${(/** @type {SubmitEvent} */ event) => this.#save(event)}>
        ${FIELDS.map(({ name, label }) => html`<label>${label}
          <input name=${name} type="number" min="1" max="10000" required .value=${String(this.#limits?.[name])}></label>`)}
        <button type="submit">Save limits</button>
      </form>
      <p class="outcome ${this.#outcome?.bad ? "bad" : "good"}" role="status">${this.#outcome?.text ?? nothing}</p>`, this.#place);
  }

  /** @param {SubmitEvent} event */
  #save(event) {
    event.preventDefault();
    if (!isPressOf(event)) return;
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    void this.#ask(Object.fromEntries([...given].map(([name, value]) => [name, Number(value)])), "Saved.");
  }
}

/** @param {Store} store @param {Actions} actions */
export function showHistoryLimits(store, actions) {
  new HistoryLimits(actions).show(store);
}
