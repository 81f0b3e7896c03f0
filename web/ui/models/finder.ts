/**
 * Requests of the dialog that connects a model: to the companion, which has the network and saves keys, or else to Python
 * in this page. Keys go to Python only without a companion.
 *
 * @import { Actions } from "../actions.js"
 * @import { CompanionLink } from "../companion/link.js"
 * @import { FoundModels, LocalServer, Providers } from "../companion/types.js"
 * @import { Failure } from "../types.js"
 */

import { isFailure } from "../call.js";

/** @typedef {"openai" | "anthropic"} Api */
/** @typedef {{provider?: string, address?: string, api?: Api, key?: string}} Where a provider of the companion, or an address */
/** @typedef {{text: string, ms: number}} Tried */

export const BUILTIN = "builtin";
const OWN = "own";

/** With the companion. */
export class CompanionFinder {
  /** True if it looks for models while the person types. */
  asTyped = true;

  /** @param {CompanionLink} link @param {Actions} actions */
  constructor(link, actions) {
    this.link = link;
    this.actions = actions;
  }

  /** @returns {Promise<Providers | Failure>} */
  providers() {
    return this.link.settings("providers");
  }

  /** @returns {Promise<{servers: LocalServer[]} | Failure>} */
  local() {
    return this.link.settings("local_models");
  }

  /** @param {Where} where @returns {Promise<FoundModels | Failure>} */
  lookUp(where) {
    return this.link.settings("look_up", where);
  }

  /** @param {Where} where @param {string} model @returns {Promise<Tried | Failure>} */
  async tryModel(where, model) {
    const answer = await this.link.settings("try_model", { ...where, model });
    return isFailure(answer) ? answer : { text: answer.text, ms: answer.duration_ms };
  }

  /**
   * Save the address and the key, then add the model as the default.
   *
   * @param {Where} where
   * @param {string} model
   * @param {boolean} inFile whether a file stores the key
   * @returns {Promise<object | Failure>}
   */
  async connect({ provider, address, api, key }, model, inFile) {
    const added = provider === undefined ? await this.link.settings("add_server", { address, api: api ?? "openai" }) : { provider };
    if (isFailure(added)) return added;
    if (key !== undefined) {
      const saved = await this.link.settings("set_key", { provider: added.provider, key, in_file: inFile });
      if (isFailure(saved)) return saved;
    }
    await this.actions.refreshModels();
    return this.actions.addModel({ provider: added.provider, model, default: true });
  }
}

/** Without the companion: addresses only, whose servers must allow this page (CORS). */
export class PageFinder {
  // Each request is asked about, so it waits for Enter.
  asTyped = false;

  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
  }

  /** @returns {Promise<null>} */
  async providers() {
    return null;
  }

  /** @returns {Promise<{servers: LocalServer[]}>} */
  async local() {
    return { servers: [] };
  }

  /** @param {Where} where @returns {Promise<FoundModels | Failure>} */
  async lookUp({ address = "", api, key }) {
    const answer = await this.actions.listModels({ provider: OWN, base_url: address, ...given(api, key) });
    return isFailure(answer) ? answer : { provider: null, base_url: address, api: api ?? null, models: answer.models, duration_ms: null };
  }

  /** @param {Where} where @param {string} model @returns {Promise<Tried | Failure>} */
  tryModel({ address, api, key }, model) {
    return this.actions.tryNewModel({ provider: OWN, model, base_url: address ?? "", ...given(api, key) });
  }

  /** @param {Where} where @param {string} model @returns {Promise<object | Failure>} */
  connect({ address, api, key }, model) {
    return this.actions.addModel({ provider: OWN, model, base_url: address ?? "", default: true, ...given(api, key) });
  }
}

/** @param {Api | undefined} api @param {string | undefined} key */
function given(api, key) {
  return { ...(api === undefined ? {} : { api }), ...(key === undefined ? {} : { key }) };
}
