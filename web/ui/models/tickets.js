/**
 * Tickets to the companion's models. A press on Run or Send grants one, up to a ceiling that the settings have: the page
 * asks the companion for it by itself, and Python gets no more than its id.
 *
 * @import { CompanionLink } from "../companion/link.js"
 * @import { Models } from "../types.js"
 * @import { Store } from "../store.js"
 */

import { isFailure } from "../call.js";
import { loadSaved, save } from "../saved.js";

/** @typedef {{dollars: number, tokens: number, requests: number}} Ceiling */

export const CEILING = "models.ceiling";
/** The companion's own, too (py/gemini_companion/gateway/tickets.py). @type {Ceiling} */
const USUAL = { dollars: 1, tokens: 1_000_000, requests: 200 };
/** Agents by the names that settings give them models by. */
export const AGENT = "agent";
export const CHAT = "chat";

/** @returns {Ceiling} */
export function ceiling() {
  return { ...USUAL, ...loadSaved(CEILING, /** @type {Partial<Ceiling>} */ ({})) };
}

/**
 * The model of the companion's that a press would ask.
 *
 * @param {Models | undefined} models
 * @param {string} agent
 * @param {string | null} [id] a model that was chosen for this once
 * @returns {{provider: string, model: string} | null}
 */
export function asked(models, agent, id = null) {
  if (!models) return null;
  const wanted = id || models.agents[agent] || models.default;
  const choice = models.choices.find((each) => each.id === wanted);
  if (!choice || !models.providers.some(({ name }) => name === choice.provider)) return null;
  return { provider: choice.provider, model: choice.model };
}

/** Limits per run or chat, in words. @param {Models | undefined} models @param {string} agent */
export function allowance(models, agent) {
  const found = asked(models, agent);
  if (found === null) return null;
  const { dollars, tokens } = ceiling();
  return `${found.model} of ${found.provider}: at most $${dollars.toFixed(2)} where its price is known, and ${tokens.toLocaleString("en")} tokens.`;
}

export class ModelTickets {
  /** Chats that have a ticket already. @type {Set<string>} */
  #chats = new Set();

  /** @param {CompanionLink} link @param {Store} store */
  constructor(link, store) {
    this.link = link;
    this.store = store;
    link.onConnected(() => {
      this.#chats.clear();
      void this.#tell();
    });
  }

  /**
   * @param {string} agent
   * @param {string | null} [id]
   * @returns {Promise<{ticket?: string}>} nothing where none is needed, or the companion can't give it: Python says why
   */
  async grant(agent, id = null) {
    const found = asked(this.store.state.models, agent, id);
    if (found === null) return {};
    const granted = await this.link.ask("models/grant", found);
    return isFailure(granted) ? {} : { ticket: granted.ticket };
  }

  /** @param {string | null} chat @returns {Promise<{ticket?: string}>} one for each chat; Python asks for more */
  async grantChat(chat) {
    return chat !== null && this.#chats.has(chat) ? {} : this.grant(CHAT);
  }

  /** @param {string} chat that has got a ticket */
  noteChat(chat) {
    this.#chats.add(chat);
  }

  /** @param {Ceiling} wanted of tickets from now on */
  async setCeiling(wanted) {
    save(CEILING, wanted);
    return this.#tell();
  }

  #tell() {
    return this.link.ask("models/ceiling", ceiling());
  }
}
