/**
 * Tickets for the companion's models. A press on Start or Send grants one, up to a limit from the settings. The page
 * requests it from the companion, and Python gets only its id.
 */

import type { ModelsRow } from "../../generated/types.ts";
import { isFailure } from "./kernel_calls.ts";
import { loadSaved, save } from "../../shared/local_state.ts";
import type { Store } from "./store.ts";
import type { Failure } from "./types.ts";

export type Ceiling = { dollars: number; tokens: number; requests: number };

export const CEILING = "models.ceiling";
/** The same as the companion's (py/gemini_companion/models/tickets.py). */
const DEFAULTS: Ceiling = { dollars: 1, tokens: 1_000_000, requests: 200 };
/** Agent names, by which the settings assign models. */
export const AGENT = "agent";
export const CHAT = "chat";

export function ceiling(): Ceiling {
  return { ...DEFAULTS, ...loadSaved<Partial<Ceiling>>(CEILING, {}) };
}

/**
 * Return the companion's model that a press would ask, or null for any other model.
 *
 * @param id - a model selected for this task only
 */
export function paidModel(
  models: ModelsRow | undefined,
  agent: string,
  id: string | null = null,
): { provider: string; model: string } | null {
  if (!models) return null;
  const wanted = id || models.agents[agent] || models.default;
  return ofCompanion(
    models,
    models.choices.find((each) => each.id === wanted),
  );
}

function ofCompanion(models: ModelsRow, choice: { provider: string; model: string } | null | undefined) {
  if (!choice || !models.providers.some(({ name }) => name === choice.provider)) return null;
  return { provider: choice.provider, model: choice.model };
}

/** Describe the limits per run or chat. */
export function allowance(models: ModelsRow | undefined, agent: string) {
  return allowed(paidModel(models, agent));
}

/** Describe the limits of one search by meaning. */
export function embeddingAllowance(models: ModelsRow) {
  return allowed(ofCompanion(models, models.embedding));
}

function allowed(found: { provider: string; model: string } | null) {
  if (found === null) return null;
  const { dollars, tokens } = ceiling();
  return `up to $${dollars.toFixed(2)}. Limit: ${tokens.toLocaleString("en")} tokens.`;
}

/** the companion */
interface Granting {
  onConnected(listener: () => void): void;
  ask<Result = object>(method: string, params: object): Promise<Result | Failure>;
}

export class ModelTickets {
  /** The chats that already have a ticket. */
  #chats = new Set<string>();
  link: Granting;
  store: Store;

  constructor(link: Granting, store: Store) {
    this.link = link;
    this.store = store;
    link.onConnected(() => {
      this.#chats.clear();
      void this.#sendCeiling();
    });
  }

  /** @returns empty if none is needed or available; Python reports why */
  async grant(agent: string, id: string | null = null): Promise<{ ticket?: string }> {
    return this.#grant(paidModel(this.store.state.models, agent, id));
  }

  /** Grant a ticket for the model for embeddings. */
  async grantEmbedding(): Promise<{ ticket?: string }> {
    const { models } = this.store.state;
    return this.#grant(ofCompanion(models, models.embedding));
  }

  async #grant(found: { provider: string; model: string } | null): Promise<{ ticket?: string }> {
    if (found === null) return {};
    const granted = await this.link.ask<{ ticket: string }>("models/grant", found);
    return isFailure(granted) ? {} : { ticket: granted.ticket };
  }

  /** Grant one ticket for each chat; Python asks for more. */
  async grantChat(chat: string | null): Promise<{ ticket?: string }> {
    return chat !== null && this.#chats.has(chat) ? {} : this.grant(CHAT);
  }

  /** @param chat - that has received a ticket */
  noteChat(chat: string) {
    this.#chats.add(chat);
  }

  /** @param wanted - for future tickets */
  async setCeiling(wanted: Ceiling) {
    save(CEILING, wanted);
    return this.#sendCeiling();
  }

  #sendCeiling() {
    return this.link.ask("models/ceiling", ceiling());
  }
}
