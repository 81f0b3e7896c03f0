/** `globalThis.gemini`: the surface for scripts and for the browser console. */

import type { ErrorRow, ToolRow } from "../../generated/types.ts";
import { callTool, isFailure } from "../state/kernel_calls.ts";
import type { Store } from "../state/store.ts";
import type { Failure, Wire } from "../state/types.ts";

const MOST_PENDING = 50;
const PENDING = Symbol("pending");

/** Python code raised. The message is the last line of the traceback; `error` has all of it. */
class PythonFailure extends Error {
  error: ErrorRow;

  constructor(error: ErrorRow) {
    super(lastLine(error));
    this.name = "PythonFailure";
    this.error = error;
  }
}

interface PageApi {
  /** resolves when the kernel answers, rejects if it can't start; a replacement kernel has its own */
  ready: Promise<void>;
  /** every tool that can be called now */
  tools: () => ToolRow[];
  /**
   * the tool's value, or `{isError: true, error: {type, message, hint?, data?}}`; never rejects. After `within` ms it
   * is `{pending: id}`, for clients whose scripts may run only so long
   */
  callTool: (name: string, args?: object, options?: { signal?: AbortSignal; within?: number }) => Promise<unknown>;
  /** the value of a pending call, or `{pending: id}` again; a value can be read once */
  result: (id: string, options?: { within?: number }) => Promise<unknown>;
  /** a tool with its schema, or the first sentence about each by name */
  describe: (name?: string) => object;
  /** the value of the code's last expression; rejects with {@link PythonFailure} when it raises */
  python: (code: string) => Promise<unknown>;
}

export function createPageApi(kernel: { connection: Wire; ready: Promise<void> }, store: Store): PageApi {
  const { connection } = kernel;
  const calls = new PendingCalls();
  const tools = () => structuredClone(store.state.tools);
  return Object.freeze<PageApi>({
    get ready() {
      return kernel.ready;
    },
    tools,
    callTool: (name, args = {}, { signal, within } = {}) =>
      calls.within(callTool(connection, name, args, { caller: "script", signal }), within),
    result: (id, { within = 0 } = {}) => calls.result(id, within),
    describe: (name) => describe(tools(), name),
    async python(code) {
      const answer = await connection.request<{ value: unknown } | Failure>("python/evaluate", { code });
      if (isFailure(answer)) throw new PythonFailure(answer.error);
      return answer.value;
    },
  });
}

function lastLine({ message, data }: ErrorRow) {
  const details: { traceback?: unknown } | null | undefined = data;
  const traceback = typeof details?.traceback === "string" ? details.traceback : message;
  return traceback.trimEnd().split("\n").at(-1) ?? message;
}

/** Calls that took longer than their callers could wait. */
class PendingCalls {
  #calls = new Map<string, Promise<unknown>>();
  #last = 0;

  /** Return a call's value, or its id if it takes longer. */
  within(call: Promise<unknown>, ms?: number) {
    if (ms === undefined) return call;
    const id = `call-${++this.#last}`;
    this.#calls.set(id, call);
    // The oldest values are dropped if nobody asks for them.
    for (const first of this.#calls.keys()) if (this.#calls.size > MOST_PENDING) this.#calls.delete(first);
    return this.result(id, ms);
  }

  async result(id: string, ms: number) {
    const call = this.#calls.get(id);
    if (!call)
      return failure("InvalidArguments", `There is no pending call ${JSON.stringify(id)}; its value can be read once.`);
    const late = new Promise((resolve) => setTimeout(resolve, ms, PENDING));
    const value = await Promise.race([call, late]);
    if (value === PENDING) return { pending: id };
    this.#calls.delete(id);
    return value;
  }
}

function describe(tools: ToolRow[], name?: string) {
  if (name === undefined) {
    return Object.fromEntries(tools.map((tool) => [tool.name, tool.description.split(/(?<=[.!?])\s/, 1)[0]]));
  }
  return (
    tools.find((tool) => tool.name === name) ?? failure("UnknownTool", `There is no tool ${JSON.stringify(name)}.`)
  );
}

function failure(type: string, message: string) {
  return { isError: true, error: { type, message } };
}
