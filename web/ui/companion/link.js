/**
 * The WebSocket to the companion (py/gemini_companion/relay.py), JSON-RPC both ways. What the companion's clients ask
 * of the tools goes to Python like the calls of the page's own agents.
 *
 * @import { Connection } from "../../../webmcp_bridge.js"
 * @import { CompanionState } from "../types.js"
 */

import { RemoteError } from "../../../webmcp_bridge.js";
import { ask } from "../call.js";
import { companionToken, followToken, pageKey } from "./token.js";

/** @typedef {{id?: number | string, method?: string, params?: any, result?: any, error?: any}} Message */

const SUBPROTOCOL = "control-surface.v1";
const SHORTEST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
// What others may ask of this page's Python. Panels and approvals are the person's.
const ASKED = new Set([
  "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read", "prompts/list",
  "prompts/get", "completion/complete", "ping",
]);
// What Python tells of by itself.
const TOLD = ["tools/list_changed", "resources/list_changed", "resources/updated", "prompts/list_changed", "message"]
  .map((name) => `notifications/${name}`);
// The caller that a request may say it is for; everything else is somebody in this page.
const CALLER = /^mcp:/;
// What Python may ask of the companion. Consent and settings are the person's, whose answers don't go through Python.
const PYTHON_ASKS = /^(host\/(?!consent$)|caller\/|models\/|notifications\/cancelled$)/;

/**
 * @typedef {object} Ways
 * @property {Connection} connection to Python
 * @property {(port: MessagePort | null) => Promise<void>} attach lets Python ask the companion
 * @property {(state: CompanionState) => void} onState
 */

export class CompanionLink {
  #token = companionToken();
  /** @type {WebSocket | null} */
  #socket = null;
  #wait = SHORTEST_WAIT_MS;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;
  #wanted = false;
  /** @type {Map<number | string, AbortController>} */
  #running = new Map();
  /** What this page has asked, by ids that are text; Python's are numbers. @type {Map<string, PromiseWithResolvers<any>>} */
  #asked = new Map();
  #lastId = 0;
  /** Where Python's requests come from. @type {MessagePort | null} */
  #python = null;
  /** @type {CompanionState} */
  #state = { state: "none", name: null, host: null, mcp: null };

  /** @param {Ways} ways */
  constructor({ connection: kernel, attach, onState }) {
    this.kernel = kernel;
    this.attach = attach;
    this.onState = onState;
    for (const method of TOLD) {
      kernel.on(method, (/** @type {object} */ params) => this.#notify(method, params));
    }
    const look = () => document.visibilityState === "visible" && this.#notify("page/looked_at", {});
    addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    // A page that the browser puts to sleep answers nobody; whoever waits hears so at once.
    followToken();
    document.addEventListener("freeze", () => this.#socket?.close());
    document.addEventListener("resume", () => this.#connectSoon(0));
  }

  /** Whether this page has the tools to offer, as it hasn't while another tab has them. @param {boolean} wanted */
  want(wanted) {
    if (this.#wanted === wanted || this.#token === null) return;
    this.#wanted = wanted;
    if (wanted) this.#connectSoon(0);
    else this.#socket?.close();
  }

  /** Python has started anew. */
  renew() {
    if (this.#state.state === "connected") this.#attachPython();
  }

  /**
   * Tells the companion what the person agreed to: one command, or a shell where it is null; all of this session; or
   * nothing any more.
   *
   * @param {"once" | "session" | "nothing"} to
   * @param {string | null} [command]
   */
  async consent(to, command = null) {
    const { host } = this.#state;
    if (!host?.allowed) return;
    const { session } = await this.#request("host/consent", command === null ? { to } : { to, command });
    this.#become({ ...this.#state, host: { ...host, session } });
  }

  /**
   * Asks the companion for what its settings show, or has it do what the person decided there. Never rejects.
   *
   * @param {string} method of py/gemini_companion/settings/settings.py
   * @param {object} [params]
   * @returns {Promise<any>} its result, or a Failure
   */
  settings(method, params = {}) {
    const wire = { request: (/** @type {string} */ name, /** @type {object} */ given) => this.#request(name, given), on() {} };
    return ask(wire, `settings/${method}`, params);
  }

  /** @param {CompanionState} state */
  #become(state) {
    this.#state = state;
    this.onState(state);
  }

  /** @param {number} ms */
  #connectSoon(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), ms);
  }

  #connect() {
    if (!this.#wanted || this.#token === null || this.#socket !== null) return;
    this.#become({ state: "connecting", name: null, host: null, mcp: null });
    const url = new URL("/page", location.origin.replace("http", "ws"));
    const socket = new WebSocket(url, [SUBPROTOCOL, `token.${this.#token}`]);
    this.#socket = socket;
    // What keeps it from beginning ends it, which is told, and tried again.
    socket.onopen = () => this.#greet().catch(() => socket.close());
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = () => this.#lost();
  }

  #lost() {
    this.#socket = null;
    for (const controller of this.#running.values()) controller.abort(new DOMException("The companion is gone.", "AbortError"));
    this.#running.clear();
    for (const { reject } of this.#asked.values()) reject(new Error("The companion is gone."));
    this.#asked.clear();
    if (this.#python !== null) void this.attach(null);
    this.#python = null;
    this.#become({ state: this.#wanted ? "lost" : "none", name: null, host: null, mcp: null });
    if (!this.#wanted) return;
    this.#connectSoon(this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  /** @param {string} text */
  #receive(text) {
    /** @type {Message} */
    const { id, method, params, result, error } = JSON.parse(text);
    if (method === undefined && typeof id === "string") this.#settle(id, result, error);
    else if (method === undefined) this.#python?.postMessage(text);
    else if (method === "beat") this.#notify("beat", {});
    else if (method === "settings/changed") this.#become({ ...this.#state, mcp: params });
    else if (method === "notifications/cancelled") this.#running.get(params.requestId)?.abort();
    else if (id !== undefined) void this.#answer(id, method, params ?? {});
  }

  /** @param {string} id @param {any} result @param {any} error */
  #settle(id, result, error) {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error) asked?.reject(new RemoteError({ type: "ProtocolError", message: error.message, ...error.data }));
    else asked?.resolve(result);
  }

  /** @param {string} method @param {object} params @returns {Promise<any>} */
  #request(method, params) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error("The companion is gone."));
    const id = `page-${++this.#lastId}`;
    const asked = Promise.withResolvers();
    this.#asked.set(id, asked);
    this.#send({ id, method, params });
    return asked.promise;
  }

  async #greet() {
    const { name, host, mcp } = await this.#request("page/hello", hello());
    this.#wait = SHORTEST_WAIT_MS;
    this.#become({ state: "connected", name, host: { ...host, session: false }, mcp });
    this.#attachPython();
    if (document.hasFocus()) this.#notify("page/looked_at", {});
  }

  #attachPython() {
    const { port1, port2 } = new MessageChannel();
    this.#python = port1;
    port1.onmessage = ({ data }) => {
      if (PYTHON_ASKS.test(JSON.parse(data).method)) this.#socket?.send(data);
    };
    void this.attach(port2);
  }

  /** @param {number | string} id @param {string} method @param {any} params */
  async #answer(id, method, params) {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const result = await this.#ask(method, params, controller.signal);
      this.#send({ id, result });
    } catch (error) {
      // Whoever waits for an answer has to get one, whatever went wrong here.
      const told = error instanceof RemoteError ? error.error : { type: "Cancelled", message: String(error) };
      this.#send({ id, error: { code: -32603, message: told.message, data: told } });
    } finally {
      this.#running.delete(id);
    }
  }

  /** @param {string} method @param {any} params @param {AbortSignal} signal */
  #ask(method, params, signal) {
    const { progressToken, ...meta } = params._meta ?? {};
    if (!ASKED.has(method) || (method === "tools/call" && !CALLER.test(meta.caller))) {
      throw new RemoteError({ type: "ProtocolError", message: `A page isn't asked for ${method} in that way.` });
    }
    const onProgress = progressToken === undefined ? undefined : (/** @type {object} */ progress) =>
      this.#notify("notifications/progress", { ...progress, progressToken });
    return this.kernel.request(method, { ...params, _meta: meta }, { signal, onProgress });
  }

  /** @param {string} method @param {object} params */
  #notify(method, params) {
    this.#send({ method, params });
  }

  /** @param {Message} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }
}

function hello() {
  return { key: pageKey(), title: document.title, url: location.origin + location.pathname };
}
