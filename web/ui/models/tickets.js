/**
 * Tickets for the companion's models. A press on Start or Send grants one, up to a limit from the settings. The page
 * requests it from the companion, and Python gets only its id.
 *
 * @import { CompanionLink } from "../companion/link.js"
 * @import { ModelsRow } from "../../generated/types.js"
 * @import { Store } from "../store.js"
 */

import { isFailure } from "../call.js";
import { loadSaved, save } from "../../shared/saved.js";

/** @typedef {{dollars: number, tokens: number, requests: number}} Ceiling */

export const CEILING = "models.ceiling";
/** The same as the companion's (py/gemini_companion/gateway/tickets.py). @type {Ceiling} */
const DEFAULTS = { dollars: 1, tokens: 1_000_000, requests: 200 };
/** Agent names, by which the settings assign models. */
export const AGENT = "agent";
export const CHAT = "chat";

/** @returns {Ceiling} */
export function ceiling() {
  return { ...DEFAULTS, ...loadSaved(CEILING, /** @type {Partial<Ceiling>} */ ({})) };
}

/**
 * Return the companion's model that a press would ask, or null for any other model.
 *
 * @param {ModelsRow | undefined} models
 * @param {string} agent
 * @param {string | null} [id] a model selected for this task only
 * @returns {{provider: string, model: string} | null}
 */
export function paidModel(models, agent, id = null) {
  if (!models) return null;
  const wanted = id || models.agents[agent] || models.default;
  return ofCompanion(models, models.choices.find((each) => each.id === wanted));
}

/** @param {ModelsRow} models @param {{provider: string, model: string} | null | undefined} choice */
function ofCompanion(models, choice) {
  if (!choice || !models.providers.some(({ name }) => name === choice.provider)) return null;
  return { provider: choice.provider, model: choice.model };
}

/** Describe the limits per run or chat. @param {ModelsRow | undefined} models @param {string} agent */
export function allowance(models, agent) {
  return allowed(paidModel(models, agent));
}

/** Describe the limits of one search by meaning. @param {ModelsRow} models */
export function embeddingAllowance(models) {
  return allowed(ofCompanion(models, models.embedding));
}

/** @param {{provider: string, model: string} | null} found */
function allowed(found) {
  if (found === null) return null;
  const { dollars, tokens } = ceiling();
  return `up to $${dollars.toFixed(2)} (if the price is known) and ${tokens.toLocaleString("en")} tokens for ${found.model} (${found.provider}).`;
}

export class ModelTickets {
  /** The chats that already have a ticket. @type {Set<string>} */
  #chats = new Set();

  /** @param {CompanionLink} link @param {Store} store */
  constructor(link, store) {
    this.link = link;
    this.store = store;
    link.onConnected(() => {
      this.#chats.clear();
      void this.#sendCeiling();
    });
  }

  /**
   * @param {string} agent
   * @param {string | null} [id]
   * @returns {Promise<{ticket?: string}>} empty if none is needed or available; Python reports why
   */
  async grant(agent, id = null) {
    return this.#grant(paidModel(this.store.state.models, agent, id));
  }

  /** Grant a ticket for the model for embeddings. @returns {Promise<{ticket?: string}>} */
  async grantEmbedding() {
    const { models } = this.store.state;
    return this.#grant(ofCompanion(models, models.embedding));
  }

  /** @param {{provider: string, model: string} | null} found @returns {Promise<{ticket?: string}>} */
  async #grant(found) {
    if (found === null) return {};
    const granted = await this.link.ask("models/grant", found);
    return isFailure(granted) ? {} : { ticket: granted.ticket };
  }

  /** Grant one ticket for each chat; Python asks for more. @param {string | null} chat @returns {Promise<{ticket?: string}>} */
  async grantChat(chat) {
    return chat !== null && this.#chats.has(chat) ? {} : this.grant(CHAT);
  }

  /** @param {string} chat that has received a ticket */
  noteChat(chat) {
    this.#chats.add(chat);
  }

  /** @param {Ceiling} wanted for future tickets */
  async setCeiling(wanted) {
    save(CEILING, wanted);
    return this.#sendCeiling();
  }

  #sendCeiling() {
    return this.link.ask("models/ceiling", ceiling());
  }
}
