/**
 * Providers of language models: their keys, and a test. Stored keys are never returned to the page.
 *
 * @import { Provider, Providers, ProviderTest } from "../companion/types.js"
 * @import { Failure } from "../types.js"
 * @import { Attempts } from "./attempts.js"
 */

import { html, nothing } from "lit";
import { counted, duration } from "../format.js";

/**
 * @typedef {object} ProviderCallbacks
 * @property {(provider: string) => Promise<ProviderTest | Failure>} test
 * @property {(provider: string, key: string, inFile: boolean) => Promise<object | Failure>} setKey
 * @property {(provider: string) => Promise<{deleted: boolean} | Failure>} deleteKey
 * @property {() => unknown} onKeysChanged
 */

// A provider can have many models.
const SHOWN_MODELS = 4;

export class ProvidersView {
  /** The provider whose key is being typed. @type {string | null} */
  #typing = null;

  /** @param {Attempts} attempts @param {ProviderCallbacks} callbacks */
  constructor(attempts, callbacks) {
    this.attempts = attempts;
    this.callbacks = callbacks;
  }

  /** @param {Providers} status */
  view({ keyring, file, providers }) {
    const variable = providers.flatMap(({ variables }) => variables)[0] ?? "OPENAI_API_KEY";
    return html`
      ${keyring === null ? html`<p id="no-keyring">This computer has no keyring. A key that you set here is saved as plain text in
        <code>${file}</code>, which only you, and the programs that you run, can read. Instead, you can start the companion with a key in an
        environment variable, such as <code>${variable}</code>.</p>` : html`<p class="muted">Keys are stored in
        the keyring of this computer (${keyring}), or come from the companion's environment variables. Pages can't read
        them.</p>`}
      <ul class="rows" id="providers" aria-label="Providers">${providers.map((each) => this.#row(each, keyring !== null))}</ul>`;
  }

  /** @param {Provider} provider @param {boolean} hasKeyring */
  #row(provider, hasKeyring) {
    const { name, base_url, takes_key, key_from, problem } = provider;
    const what = `provider-${name}`;
    return html`<li data-provider=${name}><div>
      <b>${name}</b> <span class="chip ${chipStyle(provider)}">${keyStatus(provider)}</span>
      <code class="muted">${base_url}</code>
      ${problem === null ? nothing : html`<p class="outcome bad">${problem}</p>`}
      ${hasKeyring ? nothing : variables(provider)}
      <div class="buttons">
        ${this.attempts.button("Test", () => this.#test(name), { of: what, name: `Test ${name}` })}
        ${takes_key && key_from !== "environment" ? this.attempts.button("Set key",
          () => this.#type(name), { of: what, name: `Set key for ${name}` }) : nothing}
        ${key_from === "keyring" || key_from === "file" ? this.attempts.button("Delete key", () => this.#delete(name),
          { of: what, name: `Delete key for ${name}` }) : nothing}
      </div>
      ${this.#typing === name ? this.#form(name, hasKeyring) : nothing}
      ${this.attempts.outcome(what)}
    </div></li>`;
  }

  /** @param {string} name @param {boolean} hasKeyring */
  #form(name, hasKeyring) {
    // A script can submit a form, but can't press its button.
    const save = (/** @type {PointerEvent} */ event) => {
      event.preventDefault();
      const field = /** @type {HTMLButtonElement} */ (event.currentTarget).form?.querySelector("input");
      if (event.isTrusted && field) void this.#save(name, field, !hasKeyring);
    };
    return html`<form class="key-form" @submit=${(/** @type {Event} */ event) => event.preventDefault()}
      @keydown=${(/** @type {KeyboardEvent} */ { key }) => key === "Escape" && this.#stop(name)}>
      <label>Key for ${name}
        <input type="password" class="mono" autocomplete="off" spellcheck="false" required maxlength="4096"></label>
      <button type="submit" class="primary" @click=${save}>${hasKeyring ? "Save to keyring" : "Save to file"}</button>
      <button type="button" @click=${() => this.#stop(name)}>Cancel</button>
    </form>`;
  }

  /** @param {string} name */
  #type(name) {
    this.#typing = name;
    this.attempts.draw();
    this.#in(name)?.querySelector("input")?.focus();
  }

  /** @param {string} name */
  #stop(name) {
    this.#typing = null;
    this.attempts.draw();
    this.#in(name)?.querySelector("button")?.focus();
  }

  /** @param {string} name @param {HTMLInputElement} field @param {boolean} inFile */
  async #save(name, field, inFile) {
    const key = field.value;
    field.value = "";
    if (key === "") {
      field.focus();
      return;
    }
    const saved = await this.attempts.follow(`provider-${name}`, "Saving the key…", this.callbacks.setKey(name, key, inFile),
      () => "Key saved. Test it to check that the provider accepts it.");
    if (!saved) return;
    this.callbacks.onKeysChanged();
    if (this.#typing === name) this.#stop(name);
  }

  /** @param {string} name */
  async #delete(name) {
    await this.attempts.follow(`provider-${name}`, "Deleting the key…", this.callbacks.deleteKey(name),
      ({ deleted }) => deleted ? "Key deleted." : "There was no key.");
    this.#in(name)?.querySelector("button")?.focus();
    this.callbacks.onKeysChanged();
  }

  /** @param {string} name */
  #test(name) {
    return this.attempts.follow(`provider-${name}`, "Testing…", this.callbacks.test(name), ({ models, duration_ms }) => {
      const shown = models.slice(0, SHOWN_MODELS).join(", ");
      const more = models.length > SHOWN_MODELS ? ", …" : "";
      return `It works: ${counted(models.length, "model")} in ${duration(duration_ms)}${shown === "" ? "" : ` (${shown}${more})`}.`;
    });
  }

  /** @param {string} name */
  #in(name) {
    return document.querySelector(`#providers [data-provider="${CSS.escape(name)}"]`);
  }
}

/** @param {Provider} provider */
function chipStyle({ needs_key, has_key }) {
  return has_key ? "busy" : needs_key ? "off" : "";
}

/** @param {Provider} provider */
function keyStatus({ needs_key, takes_key, has_key, key_from }) {
  if (has_key) return key_from === "environment" ? "key from the environment" : key_from === "file" ? "key in a file" : "key in the keyring";
  if (!takes_key) return "takes no key";
  return needs_key ? "no key" : "needs no key";
}

/** @param {Provider} provider */
function variables({ needs_key, has_key, variables }) {
  if (has_key || !needs_key) return nothing;
  return html`<p class="muted">Set it with ${variables.map((each, index) =>
    html`${index > 0 ? " or " : nothing}<code>${each}</code>`)}.</p>`;
}
