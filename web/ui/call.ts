/**
 * Tool calls and page requests to the kernel.
 *
 * @import { Failure, Wire } from "./types.js"
 * @import { ErrorRow } from "../generated/types.js"
 */

/**
 * Call a tool. Never rejects; a call that could not be made returns a failure.
 *
 * @param {Wire} connection
 * @param {string} name
 * @param {object} args
 * @param {{caller: string, signal?: AbortSignal}} options
 * @returns {Promise<any>} the tool's value, or a {@link Failure}
 */
export function callTool(connection, name, args, { caller, signal }) {
  return ask(connection, "tools/call", { name, arguments: args, _meta: { caller } }, signal);
}

/**
 * Send a request that only the page may make. Never rejects.
 *
 * @param {Wire} connection
 * @param {string} method
 * @param {object} params
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} its result, or a {@link Failure}
 */
export async function ask(connection, method, params, signal) {
  try {
    return await connection.request(method, params, { signal });
  } catch (error) {
    return failure(error, signal);
  }
}

/**
 * @param {unknown} value
 * @returns {value is Failure}
 */
export function isFailure(value) {
  return typeof value === "object" && value !== null && "isError" in value && value.isError === true;
}

/**
 * @param {unknown} error
 * @param {AbortSignal} [signal]
 * @returns {Failure}
 */
function failure(error, signal) {
  return { isError: true, error: detailsOf(error, signal) };
}

/**
 * @param {unknown} error
 * @param {AbortSignal} [signal]
 * @returns {ErrorRow}
 */
function detailsOf(error, signal) {
  if (signal?.aborted) return { type: "Cancelled", message: "The caller cancelled the call." };
  if (!(error instanceof Error)) return { type: "Error", message: String(error) };
  const { error: details } = /** @type {{error?: ErrorRow}} */ (error);
  return details ?? { type: error.name, message: error.message };
}
