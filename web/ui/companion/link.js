/**
 * The WebSocket to the companion (py/gemini_companion/relay.py), JSON-RPC both ways. What the companion's clients ask
 * of the tools goes to Python like the calls of the page's own agents.
 *
 * @import { Connection } from "../../../webmcp_bridge.js"
 * @import { CompanionState } from "../types.js"
 * @import { Consent } from "../consent/consent.js"
 */

import { RemoteError } from "../../../webmcp_bridge.js";
import { ask } from "../call.js";
import { Entrance, NotLetIn } from "./entrance.js";
import { pageKey } from "./page_key.js";

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
// Answers that a person gives. Where nobody attends the page, or too much is asked, that is a refusal.
const PRESSED = new Set(["refuse", "once", "run", "program", "hour", "always"]);
// The caller that a request may say it is for; everything else is somebody in this page.
const CALLER = /^mcp:/;
// What Python may ask of the companion. Consent and settings are the person's, whose answers don't go through Python.
const PYTHON_ASKS = new Set([
  "host/open", "host/read", "host/write", "host/answer", "host/resize", "host/signal", "host/execute", "host/output", "host/close",
  "caller/elicit", "caller/sample", "models/access", "models/ticket", "notifications/cancelled",
]);

/** @type {CompanionState} */
const NOBODY_THERE = { state: "none", reason: null, name: null, host: null, mcp: null };

/**
 * @typedef {object} Ways
 * @property {Connection} connection to Python
 * @property {Consent} consent where the companion's questions are shown
 * @property {(port: MessagePort | null) => Promise<void>} attach lets Python ask the companion
 * @property {(state: CompanionState) => void} onState
 * @property {(attended: boolean) => void} onAttended whether a person is here, as the companion knows: before it tells, one is
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
  /** What this page has asked, by ids that are text; Python's are numbers. @type {Map<string, PromiseWithResolvers<any>>} */
  #asked = new Map();
  #lastId = 0;
  /** The companion's questions that the person hasn't answered, by their ids. @type {Map<string, AbortController>} */
  #questions = new Map();
  /** @type {(() => void)[]} */
  #onConnected = [];
  /** Where Python's requests come from. @type {MessagePort | null} */
  #python = null;
  /** @type {CompanionState} */
  #state = NOBODY_THERE;

  /** @param {Ways} ways */
  constructor({ connection: kernel, consent: questions, attach, onState, onAttended }) {
    this.#entrance = new Entrance(() => this.#connectSoon(0));
    this.onAttended = onAttended;
    this.kernel = kernel;
    this.questions = questions;
    this.attach = attach;
    this.onState = onState;
    for (const method of TOLD) {
      kernel.on(method, (/** @type {object} */ params) => this.#notify(method, params));
    }
    let wasTainted = false;
    questions.subscribe(() => {
      const tainted = questions.taint !== null;
      if (tainted !== wasTainted) this.#notify("consent/tainted", { tainted });
      wasTainted = tainted;
    });
    const look = () => {
      if (document.visibilityState !== "visible") return;
      this.#notify("page/looked_at", {});
      // Another tab of this browser may have been let in meanwhile.
      if (this.#state.state === "refused") this.#connectSoon(0);
    };
    addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    // A page that the browser puts to sleep answers nobody; whoever waits hears so at once.
    document.addEventListener("freeze", () => this.#socket?.close());
    document.addEventListener("resume", () => this.#connectSoon(0));
  }

  /** Whether this page has the tools to offer, as it hasn't while another tab has them. @param {boolean} wanted */
  want(wanted) {
    if (this.#wanted === wanted) return;
    this.#wanted = wanted;
    if (wanted) this.#connectSoon(0);
    else this.#socket?.close();
  }

  /** Python has started anew. */
  renew() {
    if (this.#state.state === "connected") this.#attachPython();
  }

  /**
   * The person pressed for a terminal of their own computer.
   *
   * @returns {Promise<string>} what opens it, once, and by which their keys go there
   */
  async pressForTerminal() {
    const { press } = await this.#request("host/press", {});
    return press;
  }

  /** Types the person's own keys into a terminal that they pressed for. @param {string} press @param {string} data */
  async typeKeys(press, data) {
    await this.#request("host/keys", { press, data });
  }

  /** Takes back what was granted of this computer: one grant, or all. @param {number} [grant] */
  async revokeHost(grant) {
    await this.#request("host/revoke", grant === undefined ? {} : { grant });
  }

  /**
   * Asks the companion for what its settings show, or has it do what the person decided there. Never rejects.
   *
   * @param {string} method of py/gemini_companion/settings/settings.py
   * @param {object} [params]
   * @returns {Promise<any>} its result, or a Failure
   */
  settings(method, params = {}) {
    return this.ask(`settings/${method}`, params);
  }

  /**
   * Asks the companion for what the person pressed. Never rejects.
   *
   * @param {string} method
   * @param {object} params
   * @returns {Promise<any>} its result, or a Failure
   */
  ask(method, params) {
    const wire = { request: (/** @type {string} */ name, /** @type {object} */ given) => this.#request(name, given), on() {} };
    return ask(wire, method, params);
  }

  /** Call `listener` whenever the companion has been reached from now on. @param {() => void} listener */
  onConnected(listener) {
    this.#onConnected.push(listener);
    if (this.#state.state === "connected") listener();
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

  async #connect() {
    if (!this.#wanted || this.#socket !== null || this.#entering) return;
    this.#entering = true;
    try {
      const pass = await this.#entrance.pass();
      if (pass === null) return;
      this.onAttended(pass.attended);
      if (this.#wanted) this.#open(pass.token);
    } catch (error) {
      if (error instanceof NotLetIn) this.#become({ ...NOBODY_THERE, state: "refused", reason: error.message });
      // So fetch tells that nobody answers.
      else if (error instanceof TypeError) this.#lost();
      else throw error;
    } finally {
      this.#entering = false;
    }
  }

  /** @param {string} token */
  #open(token) {
    this.#become({ ...NOBODY_THERE, state: "connecting" });
    const url = new URL("/page", location.origin.replace("http", "ws"));
    const socket = new WebSocket(url, [SUBPROTOCOL, `token.${token}`]);
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
    for (const controller of this.#questions.values()) controller.abort(new DOMException("The companion is gone.", "AbortError"));
    this.#questions.clear();
    for (const { reject } of this.#asked.values()) reject(new Error("The companion is gone."));
    this.#asked.clear();
    if (this.#python !== null) void this.attach(null);
    this.#python = null;
    this.#become({ ...NOBODY_THERE, state: this.#wanted ? "lost" : "none" });
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
    else if (method === "consent/asks") void this.#askPerson(params);
    else if (method === "consent/withdrawn") this.#questions.get(params.id)?.abort(new DOMException("Withdrawn.", "AbortError"));
    else if (method === "notifications/cancelled") this.#running.get(params.requestId)?.abort();
    else if (id !== undefined) void this.#answer(id, method, params ?? {});
  }

  /**
   * The companion asks before it uses a power of its own.
   *
   * @param {{id: string, kind: string, facts: object, words?: object | null, answers?: any}} asked `words` are Python's
   */
  async #askPerson({ id, kind, facts, words, answers }) {
    const controller = new AbortController();
    this.#questions.set(id, controller);
    const outcome = await this.questions.ask({ kind, facts, words: words ?? {}, answers: answers ?? undefined }, controller.signal).catch((error) => {
      // A question that can't be drawn is refused; one that was withdrawn needs no answer.
      if (!controller.signal.aborted) console.error("The companion's question can't be asked.", error);
      return null;
    });
    this.#questions.delete(id);
    if (controller.signal.aborted) return;
    const decision = outcome !== null && PRESSED.has(outcome.decision) ? outcome.decision : "refuse";
    await this.#request("consent/answer", { id, decision, ...(outcome?.until ? { until: outcome.until } : {}) })
      .catch((error) => console.error("The answer did not reach the companion.", error));
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
    this.#become({ state: "connected", reason: null, name, host, mcp });
    // Before anything of Python's reaches the companion.
    if (this.questions.taint !== null) this.#notify("consent/tainted", { tainted: true });
    for (const listener of this.#onConnected) listener();
    this.#attachPython();
    if (document.hasFocus()) this.#notify("page/looked_at", {});
  }

  #attachPython() {
    const { port1, port2 } = new MessageChannel();
    this.#python = port1;
    port1.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      const asked = pythonAsks(message);
      if (asked !== null) this.#send(asked);
      else if (message.id !== undefined) port1.postMessage(notForPython(message));
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

/**
 * What Python asks, if it may ask that. Its ids are numbers: an answer to one that is text would settle what the page
 * itself has asked. Members that stand twice are gone, and so is what else there was.
 *
 * @param {Message} message
 * @returns {Message | null}
 */
function pythonAsks({ id, method, params }) {
  if (typeof method !== "string" || !PYTHON_ASKS.has(method)) return null;
  if (method === "notifications/cancelled") {
    return typeof params?.requestId === "number" ? { method, params: { requestId: params.requestId } } : null;
  }
  return typeof id === "number" ? { id, method, params } : null;
}

/** @param {Message} message @returns {string} */
function notForPython({ id, method }) {
  const error = { code: -32601, message: `Python can't ask the companion for ${method}.` };
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

function hello() {
  return { key: pageKey(), title: document.title, url: location.origin + location.pathname };
}
