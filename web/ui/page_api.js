/**
 * `globalThis.gemini`: the surface for scripts and for the browser console.
 *
 * @import { Wire } from "./types.js"
 * @import { ErrorRow, ToolRow } from "../generated/types.js"
 * @import { Store } from "./store.js"
 */

import { callTool, isFailure } from "./call.js";

const MOST_PENDING = 50;
const PENDING = Symbol("pending");

/** Python code raised. The message is the last line of the traceback; `error` has all of it. */
class PythonFailure extends Error {
  /** @param {ErrorRow} error */
  constructor(error) {
    super(lastLine(error));
    this.name = "PythonFailure";
    this.error = error;
  }
}

/**
 * @typedef {object} PageApi
 * @property {Promise<void>} ready resolves when the kernel answers, rejects if it can't start; a replacement kernel
 *   has its own
 * @property {() => ToolRow[]} tools every tool that can be called now
 * @property {(name: string, args?: object, options?: {signal?: AbortSignal, within?: number}) => Promise<any>} callTool
 *   the tool's value, or `{isError: true, error: {type, message, hint?, data?}}`; never rejects. After `within` ms it is
 *   `{pending: id}`, for clients whose scripts may run only so long
 * @property {(id: string, options?: {within?: number}) => Promise<any>} result the value of a pending call, or
 *   `{pending: id}` again; a value can be read once
 * @property {(name?: string) => object} describe a tool with its schema, or the first sentence about each by name
 * @property {(code: string) => Promise<any>} python
 *   the value of the code's last expression; rejects with {@link PythonFailure} when it raises
 */

/**
 * @param {{connection: Wire, ready: Promise<void>}} kernel
 * @param {Store} store
 * @returns {PageApi}
 */
export function createPageApi(kernel, store) {
  const { connection } = kernel;
  const calls = new PendingCalls();
  const tools = () => structuredClone(store.state.tools);
  return Object.freeze({
    get ready() {
      return kernel.ready;
    },
    tools,
    callTool: (name, args = {}, { signal, within } = {}) =>
      calls.within(callTool(connection, name, args, { caller: "script", signal }), within),
    result: (id, { within = 0 } = {}) => calls.result(id, within),
    describe: (name) => describe(tools(), name),
    async python(code) {
      const answer = await connection.request("python/evaluate", { code });
      if (isFailure(answer)) throw new PythonFailure(answer.error);
      return answer.value;
    },
  });
}

/** @param {ErrorRow} error */
function lastLine({ message, data }) {
  const details = /** @type {{traceback?: unknown} | null | undefined} */ (data);
  const traceback = typeof details?.traceback === "string" ? details.traceback : message;
  return traceback.trimEnd().split("\n").at(-1) ?? message;
}

/** Calls that took longer than their callers could wait. */
class PendingCalls {
  /** @type {Map<string, Promise<any>>} */
  #calls = new Map();
  #last = 0;

  /** Return a call's value, or its id if it takes longer. @param {Promise<any>} call @param {number} [ms] */
  within(call, ms) {
    if (ms === undefined) return call;
    const id = `call-${++this.#last}`;
    this.#calls.set(id, call);
    // The oldest values are dropped if nobody asks for them.
    for (const first of this.#calls.keys()) if (this.#calls.size > MOST_PENDING) this.#calls.delete(first);
    return this.result(id, ms);
  }

  /** @param {string} id @param {number} ms */
  async result(id, ms) {
    const call = this.#calls.get(id);
    if (!call) return failure("InvalidArguments", `There is no pending call ${JSON.stringify(id)}; its value can be read once.`);
    const late = new Promise((resolve) => setTimeout(resolve, ms, PENDING));
    const value = await Promise.race([call, late]);
    if (value === PENDING) return { pending: id };
    this.#calls.delete(id);
    return value;
  }
}

/** @param {ToolRow[]} tools @param {string} [name] */
function describe(tools, name) {
  if (name === undefined) {
    return Object.fromEntries(tools.map((tool) => [tool.name, tool.description.split(/(?<=[.!?])\s/, 1)[0]]));
  }
  return tools.find((tool) => tool.name === name) ?? failure("UnknownTool", `There is no tool ${JSON.stringify(name)}.`);
}

/** @param {string} type @param {string} message */
function failure(type, message) {
  return { isError: true, error: { type, message } };
}
