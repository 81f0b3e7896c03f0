/** Tool calls and page requests to the kernel. */

import type { ErrorRow } from "../generated/types.ts";
import type { Failure, Wire } from "./types.ts";

/**
 * Call a tool. Never rejects; a call that could not be made returns a failure.
 *
 * @returns the tool's value, or a {@link Failure}
 */
export function callTool(
  connection: Wire,
  name: string,
  args: object,
  { caller, signal }: { caller: string; signal?: AbortSignal },
): Promise<any> {
  return ask(connection, "tools/call", { name, arguments: args, _meta: { caller } }, signal);
}

/**
 * Send a request that only the page may make. Never rejects.
 *
 * @returns its result, or a {@link Failure}
 */
export async function ask(connection: Wire, method: string, params: object, signal?: AbortSignal): Promise<any> {
  try {
    return await connection.request(method, params, { signal });
  } catch (error) {
    return failure(error, signal);
  }
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "isError" in value && value.isError === true;
}

function failure(error: unknown, signal?: AbortSignal): Failure {
  return { isError: true, error: detailsOf(error, signal) };
}

function detailsOf(error: unknown, signal?: AbortSignal): ErrorRow {
  if (signal?.aborted) return { type: "Cancelled", message: "The caller cancelled the call." };
  if (!(error instanceof Error)) return { type: "Error", message: String(error) };
  const { error: details } = error as { error?: ErrorRow };
  return details ?? { type: error.name, message: error.message };
}
