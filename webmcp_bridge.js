// Registers the tools of a Python registry as WebMCP page tools. It contains no tool names.
//
// The other end speaks JSON-RPC on a MessagePort with MCP's `tools/list` and `tools/call`: the surface's kernel, or
// `gemini.serve(port)` in any Pyodide (examples/plain-pyodide.html).

/**
 * @typedef {{ name: string, description: string, inputSchema: object, annotations?: object, title?: string }} Tool
 * @typedef {{ signal?: AbortSignal, onProgress?: (progress: any) => void, asText?: boolean }} RequestOptions
 *   `asText`: resolve with the result as JSON text
 * @typedef {{ resolve: (value: any) => void, reject: (reason: Error) => void, asText: boolean }} Waiting
 */

/** The limit of one answer. Python cuts a longer one and says where the rest is. */
const MOST_CHARACTERS = 20_000;

/** The start of a response (JSON-RPC 2.0, section 5) as Python writes it. The result and a brace follow. */
const RESPONSE = /^\{"jsonrpc":"2\.0","id":(\d+),"result":/;

/** An error from the other end; `error` is `{type, message, hint?, data?}`. */
export class RemoteError extends Error {
  /** @param {{ type: string, message: string, hint?: string, data?: any }} error */
  constructor(error) {
    super(error.message);
    this.name = error.type;
    this.error = error;
  }
}

/** JSON-RPC 2.0 over a MessagePort. Requests that are sent before a port is attached wait for it. */
export class Connection {
  /** @param {MessagePort} [port] */
  constructor(port) {
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
    const [start, answered] = RESPONSE.exec(text) ?? [""];
    const asked = this.waiting.get(Number(answered));
    // A result that only passes through is not parsed: it may be large.
    if (asked?.asText) return asked.resolve(text.slice(start.length, -1));
    const { id, method, params, result, error } = JSON.parse(text);
    if (method === "notifications/progress") this.tell(params.progressToken, params);
    else if (method) this.tell(method, params);
    else if (error) this.waiting.get(id)?.reject(new RemoteError({ type: "ProtocolError", ...error, ...error.data }));
    else this.#settle(id, result);
  }

  /** @param {number} id @param {any} result */
  #settle(id, result) {
    const asked = this.waiting.get(id);
    asked?.resolve(asked.asText ? JSON.stringify(result) : result);
  }
}

/**
 * Register the tools of the other end on `document.modelContext`, and update them when they change.
 * @param {Connection} connection
 * @param {{ tools?: Promise<Response>, modelContext?: any }} [options] `tools`: a file `{tools}` with tools to register
 *   at once, without waiting for the other end; `modelContext`: WebMCP's or a polyfill's
 * @returns {Promise<void>} when the first tools are registered
 */
export async function bridge(connection, { tools, modelContext = /** @type {any} */ (document).modelContext } = {}) {
  /** @type {Map<string, { text: string, controller: AbortController }>} */
  const registered = new Map();

  /** @param {Tool[]} wanted */
  const follow = async (wanted) => {
    const names = new Set(wanted.map((tool) => tool.name));
    for (const [name, { controller }] of registered) if (!names.has(name)) controller.abort(), registered.delete(name);
    await Promise.all(wanted.map((tool) => register(tool)));
  };

  /** @param {Tool} tool */
  const register = async (tool) => {
    const text = JSON.stringify(tool);
    const known = registered.get(tool.name);
    if (known?.text === text) return;
    known?.controller.abort();
    const controller = new AbortController();
    registered.set(tool.name, { text, controller });
    const { name, title, description, inputSchema, annotations } = tool;
    const page = { name, ...(title ? { title } : {}), description, inputSchema, annotations };
    await modelContext.registerTool({ ...page, execute: call(name) }, { signal: controller.signal });
  };

  /** @param {string} name */
  const call = (name) => async (/** @type {object} */ input, /** @type {RequestOptions} */ options) => {
    try {
      const meta = { caller: "webmcp", maxChars: MOST_CHARACTERS };
      const params = { name, arguments: input ?? {}, _meta: meta };
      return await connection.request("tools/call", params, { signal: options?.signal, asText: true });
    } catch (error) {
      // WebMCP drops the message of a thrown error, so return failures as answers.
      const { name: type, message, error: details } = /** @type {any} */ (error ?? {});
      return JSON.stringify({ isError: true, error: details ?? { type: type ?? "Cancelled", message: message ?? "" } });
    }
  };

  // Apply one list at a time, in the order of the requests: answers may arrive out of order.
  let changing = Promise.resolve();
  const listed = async () => follow((await connection.request("tools/list", {})).tools);
  const refresh = () => (changing = changing.then(listed).catch((error) => console.error("tools/list failed:", error)));
  connection.on("notifications/tools/list_changed", refresh);

  if (!tools) return refresh();
  // Lists from the other end are applied after the file, because they are newer.
  changing = (async () => follow((await (await tools).json()).tools))();
  await changing;
}
