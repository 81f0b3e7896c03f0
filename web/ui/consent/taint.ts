/**
 * Watches for untrusted text that reaches agents or clients. Python reports its own runs; for callers whose calls the
 * page relays, the page checks the tools' hints.
 */

import type { ToolRow } from "../../generated/types.ts";
import type { Wire } from "../state/types.ts";
import type { Consent } from "./consent.ts";

const HINT = "untrustedContentHint";

export class TaintWatch {
  /** The build's tools that return untrusted text, whatever Python lists later. */
  #known = new Set<string>();
  consent: Consent;
  tools: () => ToolRow[];

  /** @param tools - the tools that Python lists now */
  constructor(consent: Consent, tools: () => ToolRow[]) {
    this.consent = consent;
    this.tools = tools;
  }

  /** Record the build's tools. */
  learn(tools: ToolRow[]) {
    this.#known = new Set(tools.filter(isUntrusted).map(({ name }) => name));
  }

  /** Listen for Python's reports. */
  listen(connection: Wire) {
    connection.on("notifications/saved_code", () => this.consent.record.useSavedCode());
    connection.on("notifications/tainted", ({ run, origin }: { run: string; origin: string }) =>
      this.consent.noteTaint({ run, origin }),
    );
  }

  /** Return the same connection for components that relay calls of others, with those calls checked. */
  watch<Connection extends Wire>(connection: Connection): Connection {
    const request: Wire["request"] = <Result>(
      method: string,
      params: { name?: string; _meta?: { caller?: string } },
      options?: { signal?: AbortSignal },
    ) => {
      if (method === "tools/call") this.#check(params);
      return connection.request<Result>(method, params, options);
    };
    return Object.assign(Object.create(connection), { request });
  }

  #check({ name = "", _meta }: { name?: string; _meta?: { caller?: string } }) {
    const untrusted = this.#known.has(name) || this.tools().some((tool) => tool.name === name && isUntrusted(tool));
    if (untrusted) this.consent.noteTaint({ run: _meta?.caller ?? "", origin: name });
  }
}

function isUntrusted({ annotations }: ToolRow) {
  return annotations?.[HINT] === true;
}
