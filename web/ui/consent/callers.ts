/**
 * The callers of requests, by the page's own knowledge: the calls that it has passed to Python and that still run, and
 * the runs that the user can see. All other names are Python's, and count as one caller.
 */

import type { Wire } from "../state/types.ts";
import type { RemoteError } from "../../../webmcp_bridge.js";
import { callerInSentence } from "../lib/caller_names.ts";
import type { Words } from "./consent.ts";

export const UNKNOWN = "";

export class Callers {
  /** The calls that run, by caller. */
  #running = new Map<string, Set<AbortController>>();
  isRunning: (run: string) => boolean;

  /** @param isRunning - whether a run of an agent is listed and isn't over */
  constructor(isRunning: (run: string) => boolean) {
    this.isRunning = isRunning;
  }

  /** Follow the calls that pass through a connection. */
  follow(connection: Pick<Wire, "request">) {
    const request = connection.request.bind(connection);
    connection.request = <Result>(
      method: string,
      params: { _meta?: { caller?: unknown } },
      options: { signal?: AbortSignal } = {},
    ) => {
      const caller = method === "tools/call" ? params?._meta?.caller : undefined;
      if (typeof caller !== "string") return request<Result>(method, params, options);
      const controller = new AbortController();
      const calls = this.#running.get(caller) ?? new Set();
      this.#running.set(caller, calls.add(controller));
      const signal = options.signal ? AbortSignal.any([options.signal, controller.signal]) : controller.signal;
      return request<Result>(method, params, { ...options, signal }).finally(() => {
        calls.delete(controller);
        if (calls.size === 0) this.#running.delete(caller);
      });
    };
  }

  /** Return a request's caller; `UNKNOWN` for all that the page can't tell apart. */
  of({ run, caller }: Words) {
    if (run) return this.isRunning(String(run)) ? `run ${run}` : UNKNOWN;
    return caller !== undefined && this.#running.has(caller) ? `caller ${caller}` : UNKNOWN;
  }

  /** Cancel a caller's calls, or all calls for one that the page can't tell from others. */
  stop(caller: string, reason: RemoteError) {
    for (const [name, calls] of [...this.#running]) {
      if (caller !== UNKNOWN && caller !== `caller ${name}`) continue;
      for (const controller of [...calls]) controller.abort(reason);
    }
  }
}

/**
 * Return a caller in words.
 * @param caller - null: all of Python
 */
export function nameOf(caller: string | null) {
  if (caller === null) return "Python";
  if (caller === UNKNOWN) return "commands and other code";
  return caller.startsWith("run ") ? `the ${caller}` : callerInSentence(caller.replace(/^caller /, ""));
}
