/** Tool calls and page requests to the kernel. */

import type { ErrorRow } from "../../generated/types.ts";
import type { Failure, Wire } from "./types.ts";

/**
 * Call a tool. Never rejects; a call that could not be made returns a failure.
 *
 * @returns the tool's value, or a {@link Failure}
 */
export function callTool<Result>(
  connection: Wire,
  name: string,
  args: object,
  { caller, signal }: { caller: string; signal?: AbortSignal },
): Promise<Result | Failure> {
  return ask(connection, "tools/call", { name, arguments: args, _meta: { caller } }, signal);
}

/**
 * Send a request that only the page may make. Never rejects.
 *
 * @returns its result, or a {@link Failure}
 */
export async function ask<Result>(
  connection: Wire,
  method: string,
  params: object,
  signal?: AbortSignal,
): Promise<Result | Failure> {
  try {
    return await connection.request<Result>(method, params, { signal });
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
  // A RemoteError, also of another bundle, has the other side's error.
  const { error: details }: Error & { error?: ErrorRow } = error;
  return details ?? { type: error.name, message: error.message };
}
