/**
 * `globalThis.gemini`: the surface for scripts and for the browser console.
 *
 * @import { Wire } from "./types.js"
 * @import { ErrorRow, ToolRow } from "../generated/types.js"
 * @import { Store } from "./store.js"
 */

import { callTool, isFailure } from "./call.js";

/** Python code raised. The message is the last line of the traceback; `error` has all of it. */
export class PythonFailure extends Error {
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
 * @property {(name: string, args?: object, options?: {signal?: AbortSignal}) => Promise<any>} callTool
 *   the tool's value, or `{isError: true, error: {type, message, hint?, data?}}`; never rejects
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
  return Object.freeze({
    get ready() {
      return kernel.ready;
    },
    tools: () => structuredClone(store.state.tools),
    callTool: (name, args = {}, { signal } = {}) =>
      callTool(connection, name, args, { caller: "script", signal }),
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
