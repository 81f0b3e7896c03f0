/** The lock file in which pip looks first. Python stores and validates it; a form shows and changes it. */

import { html, render } from "lit";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { byId } from "../../lib/elements.ts";
import type { Store } from "../../state/store.ts";
import { addressForm, type Outcome } from "./address_form.ts";
import { whenNeeded } from "./needed.ts";

class PackageList {
  #place = byId("settings-packages", HTMLElement);
  /** The saved address; undefined until Python has started. */
  #address: string | null | undefined;
  #outcome: Outcome | null = null;
  actions: Actions;

  constructor(actions: Actions) {
    this.actions = actions;
  }

  show(store: Store) {
    whenNeeded(store, { ask: () => void this.#ask({}, null), forget: () => this.#forget() });
  }

  #forget() {
    this.#address = undefined;
    this.#draw();
  }

  async #ask(changed: { address?: string }, done: string | null) {
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
    render(
      this.#address === undefined
        ? html`<p class="muted">Available when Python has started.</p>`
        : addressForm({
            id: "settings-package-list",
            section: "settings-packages",
            label: "Lock file",
            placeholder: "Pyodide’s own",
            button: "Save lock file",
            value: this.#address ?? "",
            outcome: this.#outcome,
            save: (address) => this.#save(address),
          }),
      this.#place,
    );
  }

  #save(address: string) {
    void this.#ask(
      { address },
      address.trim() ? "Saved. pip install looks there first." : "Saved. pip install uses Pyodide’s own.",
    );
  }
}

export function showPackageList(store: Store, actions: Actions) {
  new PackageList(actions).show(store);
}
