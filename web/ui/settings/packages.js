/**
 * The lock file in which pip looks first. Python stores and validates it; a form shows and changes it.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 */

import { html, nothing, render } from "lit";
import { isFailure } from "../call.js";
import { byId } from "../elements.js";
import { whenNeeded } from "./needed.js";

class PackageList {
  #place = byId("settings-packages", HTMLElement);
  /** The saved address; undefined until Python has started. @type {string | null | undefined} */
  #address;
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
    this.#address = undefined;
    this.#draw();
  }

  /** @param {{address?: string}} changed @param {string | null} done */
  async #ask(changed, done) {
    const answer = await this.actions.packageList(changed);
    if (isFailure(answer)) {
      const { message, hint } = answer.error;
      this.#outcome = { text: [message, hint].filter(Boolean).join(" "), bad: true };
    } else {
      this.#address = answer.address;
      this.#outcome = done === null ? null : { text: done, bad: false };
    }
    this.#draw();
  }

  #draw() {
    render(this.#address === undefined ? html`<p class="muted">Available when Python has started.</p>` : html`
      <form class="limits" @submit=${(/** @type {SubmitEvent} */ event) => this.#save(event)}>
        <label>Lock file
          <input id="settings-package-list" name="address" type="text" inputmode="url" maxlength="2000" autocomplete="off"
            spellcheck="false" placeholder="Pyodide’s own" aria-invalid=${String(this.#outcome?.bad ?? false)}
            aria-describedby="settings-packages-outcome" .value=${this.#address ?? ""}></label>
        <button type="submit">Save lock file</button>
      </form>
      <p id="settings-packages-outcome" class="outcome ${this.#outcome?.bad ? "bad" : "good"}" role="status">${
        this.#outcome?.text ?? nothing}</p>`, this.#place);
  }

  /** @param {SubmitEvent} event */
  #save(event) {
    event.preventDefault();
    if (!event.isTrusted) return;
    const address = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("address"));
    void this.#ask({ address }, address.trim() ? "Saved. pip install looks there first." : "Saved. pip install uses Pyodide’s own.");
  }
}

/** @param {Store} store @param {Actions} actions */
export function showPackageList(store, actions) {
  new PackageList(actions).show(store);
}
