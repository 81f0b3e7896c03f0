/**
 * The build's tools on WebMCP. Agents ask for tools first, so app/early.ts registers them while the page's own script still
 * loads; calls wait until that has connected them to Python.
 */

import { modelContextOf } from "../../../webmcp_adapter.js";
import { Bridge, type Registered } from "../../../webmcp_bridge.js";
import type { ToolRow } from "../../generated/types.ts";
import { chosenTools } from "../panels/settings/tool_choice.ts";

type Wire = Bridge["connection"];

// Shared by the page's scripts, of which each has its own copy of this module.
const TOOLS = Symbol.for("gemini.built-tools");
const shared: typeof globalThis & { [TOOLS]?: BuiltTools } = globalThis;

/** Return the tools of this page's build. Without app/early.ts they are those that Python lists. */
export function builtTools(): BuiltTools {
  if (!shared[TOOLS])
    console.error("The list of tools could not be read: early.js isn't this build's. Reload the page.");
  return (shared[TOOLS] ??= new BuiltTools([]));
}

/** Let the page's scripts have the tools of its build. */
export function shareBuiltTools(list: ToolRow[]): BuiltTools {
  return (shared[TOOLS] = new BuiltTools(list));
}

export class BuiltTools {
  readonly list: ToolRow[];
  #connected = Promise.withResolvers<Wire>();
  #registering: { bridge: Bridge; done: Promise<void> } | null = null;
  #registered: Registered | null = null;
  #onRegistered = (_: Registered) => {};

  constructor(list: ToolRow[]) {
    this.list = list;
  }

  /**
   * Register the tools, once.
   * @param host - the document whose agents use them; it has WebMCP or the polyfill
   */
  register(host: Document): { bridge: Bridge; done: Promise<void> } {
    this.#registering ??= this.#register(host);
    return this.#registering;
  }

  /** Call `listener` with the count of the registered tools, now if they are, and after each change. */
  follow(listener: (registered: Registered) => void) {
    this.#onRegistered = listener;
    if (this.#registered) listener(this.#registered);
  }

  /** Let calls through. */
  connect(connection: Wire) {
    this.#connected.resolve(connection);
  }

  #register(host: Document) {
    const { promise } = this.#connected;
    const connection: Wire = {
      on: (method, listener) => void promise.then((wire) => wire.on(method, listener)),
      request: async (method, params, options) => (await promise).request(method, params, options),
    };
    const bridge = new Bridge(connection, {
      modelContext: modelContextOf(host),
      choice: chosenTools(),
      onRegistered: (registered) => {
        this.#registered = registered;
        this.#onRegistered(registered);
      },
    });
    return { bridge, done: bridge.start(this.list) };
  }
}
