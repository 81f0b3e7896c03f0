/**
 * The WebSocket to the companion (py/gemini_companion/relay.py), with JSON-RPC in both directions. Tool calls of the
 * companion's clients go to Python like those of the page's own agents.
 *
 * @import { Connection } from "../../../webmcp_bridge.js"
 * @import { Framing } from "../../shared/outer_tabs.js"
 * @import { CompanionState } from "../types.js"
 * @import { Consent } from "../consent/consent.js"
 */

import { RemoteError } from "../../../webmcp_bridge.js";
import { SiteRelay } from "../browser/site_relay.js";
import { ask, isFailure } from "../call.js";
import { companionOrigin } from "../../shared/companion_address.js";
import { Entrance, EntryRefused } from "./entrance.js";
import { fits } from "../../shared/limits.js";
import { pageKey } from "./page_key.js";
import { CompanionTabs } from "./tabs.js";

/** @typedef {{id?: number | string, method?: string, params?: any, result?: any, error?: any}} Message */

// The companion's errors for servers that don't answer (py/gemini_companion/network/errors.py).
const UNREACHED = new Set(["HostUnknown", "HostUnreachable", "HostSlow"]);
const SUBPROTOCOL = "control-surface.v1";
const [SHORTEST_WAIT_MS, LONGEST_WAIT_MS] = [250, 10_000];
// The requests that MCP clients may send to this page's Python. Panels and approvals are the person's.
const RELAYED_METHODS = new Set([
  "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read", "prompts/list",
  "prompts/get", "completion/complete", "ping",
]);
// The notifications that Python sends.
const RELAYED_NOTIFICATIONS = ["tools/list_changed", "resources/list_changed", "resources/updated", "prompts/list_changed", "message"]
  .map((name) => `notifications/${name}`);
// Decisions that a person makes. Any other outcome, such as an unattended page, is a refusal.
const DECISIONS = new Set(["refuse", "once", "run", "program", "hour", "always"]);
// The callers that a relayed request may name. All others are in this page.
const RELAYED_CALLER = /^mcp:/;
// The requests that Python may send to the companion. Consent and settings are the person's and bypass Python.
const PYTHON_METHODS = new Set([
  "host/open", "host/read", "host/write", "host/answer", "host/resize", "host/signal", "host/execute", "host/output", "host/close",
  "caller/elicit", "caller/roots", "caller/sample", "models/access", "models/ticket", "models/window", "web/fetch", "web/search", "web/places",
  "dav/collections", "dav/changes", "dav/push",
  "notifications/cancelled",
]);

/** @type {CompanionState} */
const DISCONNECTED = { state: "none", reason: null, name: null, host: null, mcp: null };

/**
 * @typedef {object} Options
 * @property {Connection} connection to Python
 * @property {Consent} consent shows the companion's questions
 * @property {(port: MessagePort | null) => Promise<void>} attach lets Python send requests to the companion
 * @property {(state: CompanionState) => void} onState
 * @property {(attended: boolean, waits: boolean) => void} onAttended whether a person is at the page, which is true until the companion
 *   reports it, and whether questions wait for one
 */

export class CompanionLink {
  #entrance;
  #entering = false;
  /** @type {WebSocket | null} */
  #socket = null;
  #wait = SHORTEST_WAIT_MS;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;
  #wanted = false;
  /** @type {Map<number | string, AbortController>} */
  #running = new Map();
  /** This page's requests, by text ids; Python's ids are numbers. @type {Map<string, PromiseWithResolvers<any>>} */
  #asked = new Map();
  #lastId = 0;
  /** Tabs in the companion's browser. */
  tabs = new CompanionTabs((method, params, signal) => this.#request(method, params, signal));
  /** Sites whose requests the companion passes on. */
  sites = new SiteRelay((method, params) => this.#request(method, params));
  /** The companion's unanswered questions, by id. @type {Map<string, AbortController>} */
  #questions = new Map();
  /** @type {(() => void)[]} */
  #onConnected = [];
  /** The source of Python's requests. @type {MessagePort | null} */
  #python = null;
  /** @type {CompanionState} */
  #state = DISCONNECTED;

  /** @param {Options} options */
  constructor({ connection: kernel, consent: questions, attach, onState, onAttended }) {
    this.#entrance = new Entrance(() => this.#connectSoon(0));
    this.onAttended = onAttended;
    this.kernel = kernel;
    this.questions = questions;
    this.attach = attach;
    this.onState = onState;
    for (const method of RELAYED_NOTIFICATIONS) {
      kernel.on(method, (/** @type {object} */ params) => this.#notify(method, params));
    }
    let wasTainted = false;
    questions.subscribe(() => {
      const tainted = questions.taint !== null;
      if (tainted !== wasTainted) this.#notify("consent/tainted", { tainted });
      wasTainted = tainted;
    });
    const onLook = () => {
      if (document.visibilityState !== "visible") return;
      this.#notify("page/looked_at", {});
      // Another tab of this browser may have been admitted meanwhile.
      if (this.#state.state === "refused") this.#connectSoon(0);
    };
    addEventListener("focus", onLook);
    document.addEventListener("visibilitychange", onLook);
    // A frozen page answers nothing; closing the socket tells waiting callers immediately.
    document.addEventListener("freeze", () => this.#socket?.close());
    document.addEventListener("resume", () => this.#connectSoon(0));
  }

  /** Connect to the companion of an address that it printed. @param {string} address @returns {boolean} false if it is none */
  enter(address) {
    return this.#entrance.enter(address);
  }

  /** Set whether this page offers the tools, which it doesn't while another tab has them. @param {boolean} wanted */
  want(wanted) {
    if (this.#wanted === wanted) return;
    this.#wanted = wanted;
    if (wanted) this.#connectSoon(0);
    else this.#socket?.close();
  }

  /** Reconnect Python after a restart. */
  renew() {
    if (this.#state.state === "connected") this.#attachPython();
  }

  /**
   * Record the person's press for a terminal on their own computer.
   *
   * @returns {Promise<string>} the id that opens the terminal, once, and that the person's keys are sent with
   */
  async pressForTerminal() {
    const { press } = await this.#request("host/press", {});
    return press;
  }

  /** Send the person's own keys to a terminal that they opened. @param {string} press @param {string} data */
  async typeKeys(press, data) {
    await this.#request("host/keys", { press, data });
  }

  /** Revoke one grant for this computer, or all. @param {number} [grant] */
  async revokeHost(grant) {
    await this.#request("host/revoke", grant === undefined ? {} : { grant });
  }

  /**
   * Send a settings request of the person to the companion. Never rejects.
   *
   * @param {string} method of py/gemini_companion/settings/settings.py
   * @param {object} [params]
   * @returns {Promise<any>} its result, or a Failure
   */
  settings(method, params = {}) {
    return this.ask(`settings/${method}`, params);
  }

  /**
   * Send a request of the person to the companion. Never rejects.
   *
   * @param {string} method
   * @param {object} params
   * @returns {Promise<any>} its result, or a Failure
   */
  ask(method, params) {
    const wire = { request: (/** @type {string} */ name, /** @type {object} */ given) => this.#request(name, given), on() {} };
    return ask(wire, method, params);
  }

  /**
   * Return the header that forbids showing a page in this document, or why its server can't be reached. Call this only
   * for a URL that the person has allowed to be opened.
   *
   * @param {string} url
   * @returns {Promise<Framing | { unreachable: string }>}
   */
  async framing(url) {
    const answer = await this.ask("page/framing", { url, ancestors: [location.origin, ...location.ancestorOrigins ?? []] });
    if (!isFailure(answer)) return answer.forbidden_by;
    const { type, message } = answer.error;
    return UNREACHED.has(type) ? { unreachable: message } : "unknown";
  }

  /** Call `listener` on every connection, and now if connected. @param {() => void} listener */
  onConnected(listener) {
    this.#onConnected.push(listener);
    if (this.#state.state === "connected") listener();
  }

  /** @param {CompanionState} state */
  #setState(state) {
    this.#state = state;
    this.onState(state);
  }

  /** @param {number} ms */
  #connectSoon(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), ms);
  }

  async #connect() {
    if (!this.#wanted || this.#socket !== null || this.#entering) return;
    this.#entering = true;
    try {
      const pass = await this.#entrance.pass();
      if (pass === null) return;
      this.onAttended(pass.attended, pass.waits);
      if (this.#wanted) this.#open(pass.token);
    } catch (error) {
      if (error instanceof EntryRefused) this.#setState({ ...DISCONNECTED, state: "refused", reason: error.message });
      // fetch throws a TypeError if the server can't be reached.
      else if (error instanceof TypeError) this.#lost();
      else throw error;
    } finally {
      this.#entering = false;
    }
  }

  /** @param {string} token */
  #open(token) {
    this.#setState({ ...DISCONNECTED, state: "connecting" });
    const url = new URL("/page", (companionOrigin() ?? location.origin).replace("http", "ws"));
    const socket = new WebSocket(url, [SUBPROTOCOL, `token.${token}`]);
    this.#socket = socket;
    // A failed greeting closes the socket, which schedules another attempt.
    socket.onopen = () => this.#greet().catch(() => socket.close());
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = () => this.#lost();
  }

  #lost() {
    this.#socket = null;
    for (const controller of this.#running.values()) controller.abort(new DOMException("The companion disconnected.", "AbortError"));
    this.#running.clear();
    for (const controller of this.#questions.values()) controller.abort(new DOMException("The companion disconnected.", "AbortError"));
    this.#questions.clear();
    for (const { reject } of this.#asked.values()) reject(new Error("The companion disconnected."));
    this.#asked.clear();
    this.tabs.update(null);
    this.sites.lose();
    if (this.#python !== null) void this.attach(null);
    this.#python = null;
    this.#setState({ ...DISCONNECTED, state: this.#wanted ? "lost" : "none" });
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
    else if (method === "settings/changed") this.#setState({ ...this.#state, mcp: params });
    else if (method.startsWith("tabs/")) this.tabs.receive(method, params);
    else if (method === "consent/asks") void this.#askPerson(params);
    else if (method === "consent/withdrawn") this.#questions.get(params.id)?.abort(new DOMException("Withdrawn.", "AbortError"));
    else if (method === "notifications/cancelled") this.#running.get(params.requestId)?.abort();
    else if (id !== undefined) void this.#answer(id, method, params ?? {});
  }

  /**
   * Ask the person before the companion uses a power of its own.
   *
   * @param {{id: string, kind: string, facts: object, words?: object | null, answers?: any}} asked `words` are Python's
   */
  async #askPerson({ id, kind, facts, words, answers }) {
    const controller = new AbortController();
    this.#questions.set(id, controller);
    const outcome = await this.questions.ask({ kind, facts, words: words ?? {}, answers: answers ?? undefined }, controller.signal).catch((error) => {
      // A question that can't be drawn is refused; a withdrawn one needs no answer.
      if (!controller.signal.aborted) console.error("The companion's question can't be asked.", error);
      return null;
    });
    this.#questions.delete(id);
    if (controller.signal.aborted) return;
    const decision = outcome !== null && DECISIONS.has(outcome.decision) ? outcome.decision : "refuse";
    // The person wasn't asked, so the companion doesn't refuse others for it.
    const until = outcome?.decision === "full" ? Date.now() : outcome?.until;
    await this.#request("consent/answer", { id, decision, ...(until ? { until } : {}), ...(outcome?.entered ? { entered: outcome.entered } : {}) })
      .catch((error) => console.error("The answer could not be sent to the companion.", error));
  }

  /** @param {string} id @param {any} result @param {any} error */
  #settle(id, result, error) {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error) asked?.reject(new RemoteError({ type: "ProtocolError", message: error.message, ...error.data }));
    else asked?.resolve(result);
  }

  /** @param {string} method @param {object} params @param {AbortSignal} [signal] @returns {Promise<any>} */
  #request(method, params, signal) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error("The companion isn't connected."));
    const id = `page-${++this.#lastId}`;
    const asked = Promise.withResolvers();
    this.#asked.set(id, asked);
    const cancel = () => {
      this.#asked.delete(id);
      this.#notify("notifications/cancelled", { requestId: id });
      asked.reject(signal?.reason);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    this.#send({ id, method, params });
    return asked.promise.finally(() => signal?.removeEventListener("abort", cancel));
  }

  async #greet() {
    const { name, host, mcp, tabs } = await this.#request("page/hello", hello());
    this.#wait = SHORTEST_WAIT_MS;
    this.tabs.update(tabs);
    this.#setState({ state: "connected", reason: null, name, host, mcp });
    // Must reach the companion before any message of Python's.
    if (this.questions.taint !== null) this.#notify("consent/tainted", { tainted: true });
    this.sites.connect();
    for (const listener of this.#onConnected) listener();
    this.#attachPython();
    if (document.hasFocus()) this.#notify("page/looked_at", {});
  }

  #attachPython() {
    const { port1, port2 } = new MessageChannel();
    this.#python = port1;
    port1.onmessage = ({ data }) => {
      // The companion closes the page's socket at a larger one.
      if (typeof data !== "string" || !fits(data, "relayed")) return console.error("A message of Python's to the companion is too large.");
      const message = JSON.parse(data);
      const request = permitted(message);
      if (request !== null) this.#send(request);
      else if (message.id !== undefined) port1.postMessage(rejection(message));
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
      // The caller must get an answer, whatever went wrong here.
      const details = error instanceof RemoteError ? error.error : { type: "Cancelled", message: String(error) };
      this.#send({ id, error: { code: -32603, message: details.message, data: details } });
    } finally {
      this.#running.delete(id);
    }
  }

  /** @param {string} method @param {any} params @param {AbortSignal} signal */
  #ask(method, params, signal) {
    if (method.startsWith("sites/")) return this.sites.receive(method, params);
    const { progressToken, ...meta } = params._meta ?? {};
    if (!RELAYED_METHODS.has(method) || (method === "tools/call" && !RELAYED_CALLER.test(meta.caller))) {
      throw new RemoteError({ type: "ProtocolError", message: `A page doesn't accept ${method} in this form.` });
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

/**
 * Return Python's request if it is permitted. Ids must be numbers: an answer to a text id would settle the page's own
 * request. Only known members are copied, so duplicates and extras are dropped.
 *
 * @param {Message} message
 * @returns {Message | null}
 */
function permitted({ id, method, params }) {
  if (typeof method !== "string" || !PYTHON_METHODS.has(method)) return null;
  if (method === "notifications/cancelled") {
    return typeof params?.requestId === "number" ? { method, params: { requestId: params.requestId } } : null;
  }
  return typeof id === "number" ? { id, method, params } : null;
}

/** @param {Message} message @returns {string} */
function rejection({ id, method }) {
  const error = { code: -32601, message: `Python can't ask the companion for ${method}.` };
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

function hello() {
  return { key: pageKey(), title: document.title, url: location.origin + location.pathname };
}
