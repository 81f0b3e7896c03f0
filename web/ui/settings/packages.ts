/**
 * The lock file in which pip looks first. Python stores and validates it; a form shows and changes it.
 *
 * @import { Actions } from "../actions.js"
 * @import { Store } from "../store.js"
 * @import { Outcome } from "./address_form.js"
 */

import { html, render } from "lit";
import { isFailure } from "../call.js";
import { byId } from "../elements.js";
import { addressForm } from "./address_form.js";
import { whenNeeded } from "./needed.js";

class PackageList {
  #place = byId("settings-packages", HTMLElement);
  /** The saved address; undefined until Python has started. @type {string | null | undefined} */
  #address;
  /** @type {Outcome | null} */
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
    render(this.#address === undefined ? html`<p class="muted">Available when Python has started.</p>` : addressForm({
      id: "settings-package-list", section: "settings-packages", label: "Lock file", placeholder: "Pyodide’s own",
      button: "Save lock file", value: this.#address ?? "", outcome: this.#outcome, save: (address) => this.#save(address),
    }), this.#place);
  }

  /** @param {string} address */
  #save(address) {
    void this.#ask({ address }, address.trim() ? "Saved. pip install looks there first." : "Saved. pip install uses Pyodide’s own.");
  }
}

/** @param {Store} store @param {Actions} actions */
export function showPackageList(store, actions) {
  new PackageList(actions).show(store);
}
