/**
 * Requests of the dialog that connects a model: to the companion, which has the network and saves keys, or else to Python
 * in this page. Keys go to Python only without a companion.
 */

import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { CompanionLink } from "../../companion/link.ts";
import type { FoundModels, LocalServer, Providers } from "../../companion/types.ts";
import type { Failure } from "../../state/types.ts";

export type Api = "openai" | "anthropic";

/** a provider of the companion, or an address */
export type Where = { provider?: string; address?: string; api?: Api; key?: string };

/** `facts` are sentences about what an agent can expect of it. */
export type Tried = { text: string; ms: number; facts?: string[] };

export const BUILTIN = "builtin";
const OWN = "own";

/** With the companion. */
export class CompanionFinder {
  /** True if it looks for models while the user types. */
  asTyped = true;
  link: CompanionLink;
  actions: Actions;

  constructor(link: CompanionLink, actions: Actions) {
    this.link = link;
    this.actions = actions;
  }

  providers(): Promise<Providers | Failure> {
    return this.link.settings("providers");
  }

  local(): Promise<{ servers: LocalServer[] } | Failure> {
    return this.link.settings("local_models");
  }

  lookUp(where: Where): Promise<FoundModels | Failure> {
    return this.link.settings("look_up", where);
  }

  async tryModel(where: Where, model: string): Promise<Tried | Failure> {
    const answer = await this.link.settings<{ text: string; facts: string[]; duration_ms: number }>("try_model", {
      ...where,
      model,
    });
    return isFailure(answer) ? answer : { text: answer.text, ms: answer.duration_ms, facts: answer.facts };
  }

  /**
   * Save the address and the key, then add the model as the default.
   *
   * @param inFile - whether a file stores the key
   */
  async connect({ provider, address, api, key }: Where, model: string, inFile: boolean): Promise<object | Failure> {
    const added =
      provider === undefined
        ? await this.link.settings<{ provider: string }>("add_server", { address, api: api ?? "openai" })
        : { provider };
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
  actions: Actions;

  constructor(actions: Actions) {
    this.actions = actions;
  }

  async providers(): Promise<null> {
    return null;
  }

  async local(): Promise<{ servers: LocalServer[] }> {
    return { servers: [] };
  }

  async lookUp({ address = "", api, key }: Where): Promise<FoundModels | Failure> {
    const answer = await this.actions.listModels({ provider: OWN, base_url: address, ...given(api, key) });
    return isFailure(answer)
      ? answer
      : { provider: null, base_url: address, api: api ?? null, models: answer.models, duration_ms: null };
  }

  tryModel({ address, api, key }: Where, model: string): Promise<Tried | Failure> {
    return this.actions.tryNewModel({ provider: OWN, model, base_url: address ?? "", ...given(api, key) });
  }

  connect({ address, api, key }: Where, model: string): Promise<object | Failure> {
    return this.actions.addModel({ provider: OWN, model, base_url: address ?? "", default: true, ...given(api, key) });
  }
}

function given(api: Api | undefined, key: string | undefined) {
  return { ...(api === undefined ? {} : { api }), ...(key === undefined ? {} : { key }) };
}
