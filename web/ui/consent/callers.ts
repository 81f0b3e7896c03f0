/**
 * The callers of requests, by what the page itself knows: the calls that it has passed to Python and that still run, and the runs that
 * the person can see. All other names are Python's, and count as one caller.
 *
 * @import { RemoteError } from "../../../webmcp_bridge.js"
 * @import { Words } from "./consent.js"
 */

export const UNKNOWN = "";

export class Callers {
  /** The calls that run, by caller. @type {Map<string, Set<AbortController>>} */
  #running = new Map();

  /** @param {(run: string) => boolean} isRunning whether a run of an agent is listed and isn't over */
  constructor(isRunning) {
    this.isRunning = isRunning;
  }

  /**
   * Follow the calls that pass through a connection.
   *
   * @param {{request: (method: string, params: any, options?: any) => Promise<any>}} connection
   */
  follow(connection) {
    const request = connection.request.bind(connection);
    connection.request = (method, params, options = {}) => {
      const caller = method === "tools/call" ? params?._meta?.caller : undefined;
      if (typeof caller !== "string") return request(method, params, options);
      const controller = new AbortController();
      const calls = this.#running.get(caller) ?? new Set();
      this.#running.set(caller, calls.add(controller));
      const signal = options.signal ? AbortSignal.any([options.signal, controller.signal]) : controller.signal;
      return request(method, params, { ...options, signal }).finally(() => {
        calls.delete(controller);
        if (calls.size === 0) this.#running.delete(caller);
      });
    };
  }

  /** Return a request's caller; `UNKNOWN` for all that the page can't tell apart. @param {Words} words */
  of({ run, caller }) {
    if (run) return this.isRunning(String(run)) ? `run ${run}` : UNKNOWN;
    return caller !== undefined && this.#running.has(caller) ? `caller ${caller}` : UNKNOWN;
  }

  /**
   * Cancel a caller's calls, or all calls for one that the page can't tell from others.
   *
   * @param {string} caller
   * @param {RemoteError} reason
   */
  stop(caller, reason) {
    for (const [name, calls] of [...this.#running]) {
      if (caller !== UNKNOWN && caller !== `caller ${name}`) continue;
      for (const controller of [...calls]) controller.abort(reason);
    }
  }
}

/** Return a caller in words. @param {string | null} caller null: all of Python */
export function nameOf(caller) {
  if (caller === null) return "Python";
  if (caller === UNKNOWN) return "code in Python whose caller this page can't tell";
  return caller.startsWith("run ") ? `the ${caller}` : `the ${caller.replace(/^caller /, "caller ")}`;
}
