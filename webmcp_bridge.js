// Registers the tools of a Python registry as WebMCP page tools. It contains no tool names.
//
// The other end speaks JSON-RPC on a MessagePort with MCP's `tools/list` and `tools/call`: the surface's kernel, or
// `gemini.serve(port)` in any Pyodide (examples/plain-pyodide.html).

import { mayTakeFew, modelContextOf, registerTool } from "./webmcp_adapter.js";

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} description
 * @property {object} inputSchema
 * @property {object} [annotations]
 * @property {string} [title]
 * @property {boolean} [lean] whether clients that take few tools get it
 * @property {boolean} [code] whether only clients in code mode list it
 *
 * @typedef {"automatic" | "all" | "lean" | "code"} Choice the tools to register; automatic: all, or the lean ones for clients that take few; code: those that run code
 * @typedef {object} Registered
 * @property {number} count the tools that are registered
 * @property {number} total the tools that there are
 * @property {"few" | "limit" | null} reason the reason for a lean list that nobody chose: the client may take few tools, or refused more
 *
 * @typedef {{ signal?: AbortSignal, onProgress?: (progress: any) => void, asText?: boolean }} RequestOptions
 *   `asText`: resolve with the result as JSON text
 * @typedef {Record<string, (params: any) => unknown>} Handlers by method; they get the params and a `signal` for cancellation
 * @typedef {{ resolve: (value: any) => void, reject: (reason: Error) => void, asText: boolean }} Waiting
 */

/** The start of a response (JSON-RPC 2.0, section 5) as Python writes it. The result and a brace follow. */
const RESPONSE = /^\{"jsonrpc":"2\.0","id":(\d+),"result":/;
/** The start of a request, as Python and `Connection` write it. */
const REQUEST = /^\{"jsonrpc":\s?"2\.0",\s?"id":\s?(\d{1,15}),/;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/** An error from the other end; `error` is `{type, message, hint?, data?}`. */
export class RemoteError extends Error {
  /** @param {{ type: string, message: string, hint?: string, data?: any }} error */
  constructor(error) {
    super(error.message);
    this.name = this.type = error.type;
    this.error = error;
  }
}

/**
 * One end of JSON-RPC 2.0 (https://www.jsonrpc.org/specification) over a MessagePort, with MCP's notifications: it sends requests,
 * and answers the other end's requests with its handlers. Requests that are sent before a port is attached wait for it.
 */
export class Connection {
  /** @type {Map<unknown, AbortController>} */
  #running = new Map();

  /**
   * @param {MessagePort} [port]
   * @param {Handlers | null} [handlers] null: this end only sends requests
   * @param {number} [longest] characters of a message; a longer one isn't read
   */
  constructor(port, handlers = null, longest = Infinity) {
    this.handlers = handlers;
    this.longest = longest;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    /** @type {Map<string, Set<(params: any) => void>>} */
    this.listeners = new Map();
    /** @type {string[]} */
    this.unsent = [];
    /** @type {MessagePort | null} */
    this.port = null;
    /** @type {RemoteError | null} */
    this.failure = null;
    this.lastId = 0;
    if (port) this.attach(port);
  }

  /** Use `port` from now on, and send the waiting requests. @param {MessagePort} port */
  attach(port) {
    this.failure = null;
    this.port = port;
    port.onmessage = (event) => this.receive(event.data);
    for (const text of this.unsent.splice(0)) port.postMessage(text);
  }

  /**
   * Reject pending requests with `error`, because the other end has closed. With `forever`, also reject later requests
   * until a port is attached.
   * @param {RemoteError} error
   * @param {{ forever?: boolean }} [options]
   */
  detach(error, { forever = false } = {}) {
    // Its last messages may still be on their way.
    this.port?.close();
    this.port = null;
    this.failure = forever ? error : null;
    this.unsent.length = 0;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  /** @param {string} method @param {object} params @param {RequestOptions} [options] @returns {Promise<any>} */
  request(method, params, { signal, onProgress, asText = false } = {}) {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.failure) return Promise.reject(this.failure);
    const id = ++this.lastId;
    const token = `progress-${id}`;
    const meta = /** @type {any} */ (params)._meta;
    if (onProgress) {
      params = { ...params, _meta: { ...meta, progressToken: token } };
      this.on(token, onProgress);
    }
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.notify("notifications/cancelled", { requestId: id, reason: String(signal?.reason ?? "") });
        settle(reject)(signal?.reason);
      };
      /** @param {(value: any) => void} act */
      const settle = (act) => (/** @type {any} */ value) => {
        this.waiting.delete(id);
        this.listeners.delete(token);
        signal?.removeEventListener("abort", abort);
        act(value);
      };
      signal?.addEventListener("abort", abort);
      this.waiting.set(id, { resolve: settle(resolve), reject: settle(reject), asText });
      this.send({ jsonrpc: "2.0", id, method, params });
    });
  }

  /** @param {string} method @param {object} params */
  notify(method, params) {
    this.send({ jsonrpc: "2.0", method, params });
  }

  /** Call `listener` with the params of each notification `method`. @param {string} method @param {(params: any) => void} listener */
  on(method, listener) {
    const listeners = this.listeners.get(method) ?? new Set();
    this.listeners.set(method, listeners.add(listener));
  }

  /** @param {string} method @param {any} params */
  tell(method, params) {
    for (const listener of this.listeners.get(method) ?? []) listener(params);
  }

  /** @param {object} message */
  send(message) {
    const text = JSON.stringify(message);
    if (this.port) this.port.postMessage(text);
    else if (!this.failure) this.unsent.push(text);
  }

  /** @param {string} text */
  receive(text) {
    if (typeof text !== "string") return this.#fail(null, PARSE_ERROR, "the message is not a JSON object");
    if (text.length > this.longest) return this.#refuse(text);
    const [start, answered] = RESPONSE.exec(text) ?? [""];
    const asked = this.waiting.get(Number(answered));
    // A result that only passes through is not parsed: it may be large.
    if (asked?.asText) return asked.resolve(text.slice(start.length, -1));
    const message = parse(text);
    if (!message) return this.#fail(null, PARSE_ERROR, "the message is not a JSON object");
    const { id, method, params, result, error } = message;
    const isRequest = this.handlers && id !== undefined && id !== null;
    if (method === "notifications/progress") this.tell(params.progressToken, params);
    else if (method === "notifications/cancelled")
      this.#running.get(params?.requestId)?.abort(problem("Cancelled", "The request was cancelled."));
    else if (typeof method === "string")
      return isRequest ? void this.#serve(id, method, params) : this.tell(method, params);
    else if (error) this.waiting.get(id)?.reject(new RemoteError({ type: "ProtocolError", ...error, ...error.data }));
    else if (isRequest && result === undefined) this.#fail(id, INVALID_REQUEST, "the request has no method");
    else this.#settle(id, result);
  }

  /** Answer a request. @param {number | string} id @param {string} method @param {any} params */
  async #serve(id, method, params) {
    const { handlers, port } = this;
    if (!handlers || !Object.hasOwn(handlers, method))
      return this.#fail(id, METHOD_NOT_FOUND, `there is no method ${JSON.stringify(method)}`);
    const controller = new AbortController();
    this.#running.set(id, controller);
    let answer;
    try {
      answer = { id, result: (await handlers[method]?.({ ...params, signal: controller.signal })) ?? null };
    } catch (error) {
      // Answer every request, because its caller would wait forever.
      answer = { id, error: errorOf(error) };
    }
    this.#running.delete(id);
    port?.postMessage(JSON.stringify({ jsonrpc: "2.0", ...answer }));
  }

  /** Answer a message that isn't a request for a handler. @param {unknown} id @param {number} code @param {string} message */
  #fail(id, code, message) {
    // An end without handlers gets answers only; an answer to one could start an endless exchange.
    if (this.handlers)
      this.send({ jsonrpc: "2.0", id, error: { code, message, data: { type: "ProtocolError", message } } });
  }

  /** Reject the request that a too long message answers, or answer the one that it is. @param {string} text */
  #refuse(text) {
    if (this.handlers && !RESPONSE.test(text)) {
      const [, id = "null"] = REQUEST.exec(text) ?? [];
      const reason = problem("InvalidArguments", `The message has more than ${this.longest} characters.`);
      return this.send({ jsonrpc: "2.0", id: JSON.parse(id), error: errorOf(reason) });
    }
    const message = `The answer has ${text.length.toLocaleString("en")} characters, more than the ${this.longest.toLocaleString("en")} that are read.`;
    const asked = this.waiting.get(Number(RESPONSE.exec(text)?.[1]));
    if (asked)
      asked.reject(
        new RemoteError({ type: "ProtocolError", message, hint: "Ask for a part of it, or save it as a file." }),
      );
    else console.error("A message was dropped.", message);
  }

  /** @param {number} id @param {any} result */
  #settle(id, result) {
    const asked = this.waiting.get(id);
    asked?.resolve(asked.asText ? JSON.stringify(result) : result);
  }
}

/** @param {string} text @returns {any} a JSON object, or null */
function parse(text) {
  try {
    const message = JSON.parse(text);
    return typeof message === "object" && !Array.isArray(message) ? message : null;
  } catch {
    return null;
  }
}

/** @param {string} type @param {string} message */
const problem = (type, message) => new RemoteError({ type, message });

/** Return an error of a handler as JSON-RPC's; one with a `type` may also have a `hint` and `data`. @param {any} error */
function errorOf(error) {
  const isTyped = error instanceof Error && "type" in error;
  const { type, hint, data } = isTyped ? /** @type {any} */ (error) : { type: "PageFailure" };
  const named = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const message = isTyped ? error.message : named;
  return { code: INTERNAL_ERROR, message, data: { type, message, hint, data } };
}

/**
 * Registers the tools of the other end on a model context, and updates them when they change or the user chooses others.
 */
export class Bridge {
  /** @type {Map<string, { text: string, remove: () => void }>} */
  #registered = new Map();
  /** @type {Tool[]} */
  #tools = [];
  /** True after the client has refused all tools after some. */
  #limited = false;
  // One list is applied at a time, in the order of the requests: answers may arrive out of order.
  #changing = Promise.resolve();

  /**
   * @param {Pick<Connection, "on" | "request">} connection
   * @param {{ modelContext?: any, choice?: Choice, onRegistered?: (registered: Registered) => void }} [options]
   */
  constructor(
    connection,
    { modelContext = modelContextOf(document), choice = "automatic", onRegistered = () => {} } = {},
  ) {
    this.connection = connection;
    this.modelContext = modelContext;
    this.choice = choice;
    this.onRegistered = onRegistered;
    connection.on("notifications/tools/list_changed", () => void this.#refresh());
  }

  /**
   * @param {Tool[]} [tools] tools to register at once, without waiting for the other end
   * @returns {Promise<void>} when the first tools are registered
   */
  async start(tools) {
    if (!tools?.length) return this.#refresh();
    const first = this.#follow(tools);
    // Lists from the other end are applied after these, because they are newer.
    // The caller gets its failure.
    this.#changing = first.catch(() => {});
    await first;
  }

  /** Register other tools from now on. @param {Choice} choice */
  choose(choice) {
    this.choice = choice;
    this.#limited = false;
    return this.#afterwards(() => this.#follow(this.#tools));
  }

  #refresh() {
    return this.#afterwards(async () => this.#follow((await this.connection.request("tools/list", {})).tools));
  }

  /** @param {() => Promise<void>} change */
  #afterwards(change) {
    return (this.#changing = this.#changing
      .then(change)
      .catch((error) => console.error("Tools can't be registered:", error)));
  }

  /** @returns {Registered["reason"]} */
  get #reason() {
    if (this.choice !== "automatic") return null;
    return mayTakeFew(this.modelContext) ? "few" : this.#limited ? "limit" : null;
  }

  /** @param {Tool[]} tools */
  async #follow(tools) {
    this.#tools = tools;
    const wanted = this.#wanted(tools);
    const names = new Set(wanted.map(({ name }) => name));
    for (const name of this.#registered.keys()) if (!names.has(name)) this.#remove(name);
    const results = await Promise.allSettled(wanted.map((tool) => this.#register(tool)));
    const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    if (this.choice === "automatic" && !this.#isLean && isLimit(results)) {
      this.#limited = true;
      await this.#follow(tools);
      return;
    }
    const total = this.choice === "code" ? wanted.length : tools.filter(({ code }) => !code).length;
    this.onRegistered({ count: this.#registered.size, total, reason: this.#reason });
    if (failures.length) throw failures[0];
  }

  /** @param {Tool[]} tools */
  #wanted(tools) {
    if (this.choice === "code") return tools.filter(({ code }) => code);
    const others = tools.filter(({ code }) => !code);
    // The lean ones come first, for clients that take the first tools only.
    return [...others.filter(({ lean }) => lean), ...others.filter(({ lean }) => !lean && !this.#isLean)];
  }

  get #isLean() {
    return this.choice === "lean" || this.#reason !== null;
  }

  /** @param {Tool} tool */
  async #register({ lean, code, ...tool }) {
    const text = JSON.stringify(tool);
    if (this.#registered.get(tool.name)?.text === text) return;
    this.#remove(tool.name);
    const { name, title, description, inputSchema, annotations } = tool;
    const page = {
      name,
      ...(title ? { title } : {}),
      description,
      inputSchema,
      annotations,
      execute: this.#call(name),
    };
    this.#registered.set(name, { text, remove: await registerTool(this.modelContext, page) });
  }

  /** @param {string} name */
  #remove(name) {
    this.#registered.get(name)?.remove();
    this.#registered.delete(name);
  }

  /** @param {string} name */
  #call(name) {
    return async (/** @type {object} */ input, /** @type {RequestOptions | undefined} */ options) => {
      try {
        // Python cuts long answers to this caller, and says where the rest is.
        const params = { name, arguments: input ?? {}, _meta: { caller: "webmcp" } };
        return await this.connection.request("tools/call", params, { signal: options?.signal, asText: true });
      } catch (error) {
        // WebMCP drops the message of a thrown error, so return failures as answers.
        const { name: type, message, error: details } = /** @type {any} */ (error ?? {});
        return JSON.stringify({
          isError: true,
          error: details ?? { type: type ?? "Cancelled", message: message ?? "" },
        });
      }
    };
  }
}

/**
 * Return whether a client took the first tools only: it refused at least two, and all after the first refused one.
 * @param {PromiseSettledResult<void>[]} results
 */
function isLimit(results) {
  const first = results.findIndex(({ status }) => status === "rejected");
  const refused = first < 0 ? [] : results.slice(first);
  return refused.length > 1 && refused.every(({ status }) => status === "rejected");
}

/**
 * Register the tools of the other end on `document.modelContext`, and update them when they change.
 * @param {Connection} connection
 * @param {{ tools?: Tool[], modelContext?: any }} [options] `tools`: see `Bridge.start`; `modelContext`: WebMCP's
 *   or a polyfill's
 * @returns {Promise<void>} when the first tools are registered
 */
export async function bridge(connection, { tools, ...options } = {}) {
  await new Bridge(connection, options).start(tools);
}
