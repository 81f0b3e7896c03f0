/** The limits of the file history. Python stores them; a form shows and changes them. */

import { html, nothing, render } from "lit";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { byId } from "../../lib/elements.ts";
import { submittingPress } from "../../lib/forms.ts";
import type { Store } from "../../state/store.ts";
import { whenNeeded } from "./needed.ts";

const FIELDS = [
  { name: "most_mb", label: "All versions (MB)" },
  { name: "most_file_mb", label: "One version (MB)" },
  { name: "most_days", label: "Age (days)" },
];

class HistoryLimits {
  #place = byId("settings-history", HTMLElement);
  #limits: Record<string, number> | null = null;
  #outcome: { text: string; bad: boolean } | null = null;
  actions: Actions;

  constructor(actions: Actions) {
    this.actions = actions;
  }

  show(store: Store) {
    whenNeeded(store, { ask: () => void this.#ask({}, null), forget: () => this.#forget() });
  }

  #forget() {
    this.#limits = null;
    this.#draw();
  }

  async #ask(changed: Record<string, number>, done: string | null) {
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
    render(
      this.#limits === null
        ? html`<p class="muted">Available when Python has started.</p>`
        : html`
      <form class="limits" @submit=${submittingPress((form) => this.#save(form))}>
        ${FIELDS.map(
          ({ name, label }) => html`<label>${label}
          <input name=${name} type="number" min="1" max="10000" required .value=${String(this.#limits?.[name])}></label>`,
        )}
        <button type="submit">Save limits</button>
      </form>
      <p class="outcome ${this.#outcome?.bad ? "bad" : "good"}" role="status">${this.#outcome?.text ?? nothing}</p>`,
      this.#place,
    );
  }

  #save(form: HTMLFormElement) {
    const given = new FormData(form);
    void this.#ask(Object.fromEntries([...given].map(([name, value]) => [name, Number(value)])), "Saved.");
  }
}

export function showHistoryLimits(store: Store, actions: Actions) {
  new HistoryLimits(actions).show(store);
}
