/**
 * The WebSocket to the companion (py/gemini_companion/serving/relay.py), with JSON-RPC in both directions. Tool calls
 * of the companion's clients go to Python like calls of the page's own agents.
 */

import { RemoteError, type Connection } from "../../../webmcp_bridge.js";
import { SiteRelay } from "./site_relay.ts";
import { ask, isFailure } from "../state/kernel_calls.ts";
import { companionOrigin } from "../../shared/companion_address.ts";
import { Entrance, EntryRefused } from "./entrance.ts";
import { fits } from "../../shared/limits.ts";
import { VERSION } from "../../shared/version.ts";
import type { Framing } from "../../shared/outer_tabs.ts";
import type { Consent } from "../consent/consent.ts";
import type { CompanionState, Failure, Wire } from "../state/types.ts";
import { pageKey } from "../lib/page_key.ts";
import { companionRuns } from "./pairing.ts";
import { CompanionTabs } from "./tabs.ts";

/** the companion's answer to this page */
type Welcome = Pick<CompanionState, "name" | "host" | "mcp"> & {
  tabs: { on: boolean; sites: string[] };
  /** missing before companions reported it */
  version?: string;
};

/** of JSON-RPC */
interface Message {
  id?: number | string;
  method?: string;
  /** the companion is trusted; of Python's, only known members are copied (`permitted`) */
  // biome-ignore lint/suspicious/noExplicitAny: each method has its own, which the branch for it reads.
  params?: any;
  result?: unknown;
  error?: { code: number; message: string; data?: object };
}

/** a question of the companion, before it uses one of its powers */
interface AskedConsent {
  id: string;
  kind: string;
  facts: object;
  words?: object | null;
  answers?: Parameters<Consent["ask"]>[0]["answers"] | null;
}

// The companion's errors for servers that don't answer (py/gemini_companion/network/errors.py).
const UNREACHED = new Set(["HostUnknown", "HostUnreachable", "HostSlow"]);
const SUBPROTOCOL = "control-surface.v1";
const [SHORTEST_WAIT_MS, LONGEST_WAIT_MS] = [250, 10_000];
// The requests that MCP clients may send to this page's Python. Panels and approvals are the user's.
const RELAYED_METHODS = new Set([
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
  "completion/complete",
  "ping",
  "sessions/end",
]);
// Those of them that name the client for which Python acts.
const OF_CALLERS = new Set(["tools/call", "sessions/end"]);
// The notifications that Python sends.
const RELAYED_NOTIFICATIONS = [
  "tools/list_changed",
  "resources/list_changed",
  "resources/updated",
  "prompts/list_changed",
  "message",
].map((name) => `notifications/${name}`);
// The companion's notifications for Python.
const PYTHON_NOTIFICATIONS = new Set(["mcp/changed", "mcp/progress"]);
// Decisions that a user makes. Any other outcome, such as an unattended page, is a refusal.
const DECISIONS = new Set(["refuse", "once", "run", "program", "hour", "always"]);
// The callers that a relayed request may name. All others are in this page.
const RELAYED_CALLER = /^mcp:/;
// The requests that Python may send to the companion. Consent and settings are the user's and bypass Python.
const PYTHON_METHODS = new Set([
  "host/open",
  "host/read",
  "host/write",
  "host/answer",
  "host/resize",
  "host/signal",
  "host/execute",
  "host/output",
  "host/close",
  "caller/elicit",
  "caller/roots",
  "caller/sample",
  "models/about",
  "models/access",
  "models/ticket",
  "web/fetch",
  "web/search",
  "web/places",
  "dav/collections",
  "dav/changes",
  "dav/push",
  "secrets/list",
  "mcp/servers",
  "mcp/tools",
  "mcp/call",
  "mcp/read",
  "notifications/cancelled",
]);

const DISCONNECTED: CompanionState = {
  state: "none",
  reason: null,
  name: null,
  host: null,
  mcp: null,
  version: null,
};

interface Options {
  /** to Python */
  connection: Connection;
  /** shows the companion's questions */
  consent: Consent;
  /** lets Python send requests to the companion */
  attach: (port: MessagePort | null) => Promise<void>;
  onState: (state: CompanionState) => void;
  /**
   * whether a user is at the page, which is true until the companion reports it, and whether questions wait for one
   */
  onAttended: (attended: boolean, waits: boolean) => void;
}

export class CompanionLink {
  #entrance: Entrance;
  #entering = false;
  #socket: WebSocket | null = null;
  #wait = SHORTEST_WAIT_MS;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  #wanted = false;
  #running = new Map<number | string, AbortController>();
  /** This page's requests, by text ids; Python's ids are numbers. */
  #asked = new Map<string, Omit<PromiseWithResolvers<unknown>, "promise">>();
  #lastId = 0;
  /** Tabs in the companion's browser. */
  tabs = new CompanionTabs((method, params, signal) => this.#request(method, params, signal));
  /** Sites whose requests the companion passes on. */
  sites = new SiteRelay((method, params) => this.#request(method, params));
  /** The companion's unanswered questions, by id. */
  #questions = new Map<string, AbortController>();
  #onConnected: (() => void)[] = [];
  /** The source of Python's requests. */
  #python: MessagePort | null = null;
  #state: CompanionState = DISCONNECTED;
  onAttended: (attended: boolean, waits: boolean) => void;
  kernel: Connection;
  questions: Consent;
  attach: (port: MessagePort | null) => Promise<void>;
  onState: (state: CompanionState) => void;

  constructor({ connection: kernel, consent: questions, attach, onState, onAttended }: Options) {
    this.#entrance = new Entrance(() => this.#connectSoon(0));
    this.onAttended = onAttended;
    this.kernel = kernel;
    this.questions = questions;
    this.attach = attach;
    this.onState = onState;
    for (const method of RELAYED_NOTIFICATIONS) {
      kernel.on(method, (params: object) => this.#notify(method, params));
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
      if (["refused", "unconnected"].includes(this.#state.state)) this.#connectSoon(0);
    };
    addEventListener("focus", onLook);
    document.addEventListener("visibilitychange", onLook);
    // A frozen page answers nothing; closing the socket tells waiting callers immediately.
    document.addEventListener("freeze", () => this.#socket?.close());
    document.addEventListener("resume", () => this.#connectSoon(0));
  }

  /**
   * Connect to the companion of an address that it printed.
   * @returns false if it is none
   */
  enter(address: string): boolean {
    return this.#entrance.enter(address);
  }

  /** Connect now, since the companion knows this browser from now on. */
  enterAgain() {
    this.#connectSoon(0);
  }

  /** Set whether this page offers the tools, which it doesn't while another tab has them. */
  want(wanted: boolean) {
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
   * Record the user's press for a terminal on their own computer.
   *
   * @returns the id that opens the terminal, once, and that the user's keys are sent with
   */
  async pressForTerminal(): Promise<string> {
    const { press } = await this.#request<{ press: string }>("host/press", {});
    return press;
  }

  /** Send the user's own keys to a terminal that they opened. */
  async typeKeys(press: string, data: string) {
    await this.#request("host/keys", { press, data });
  }

  /** Revoke one grant for this computer, or all. */
  async revokeHost(grant?: number) {
    await this.#request("host/revoke", grant === undefined ? {} : { grant });
  }

  /**
   * Send a settings request of the user to the companion. Never rejects.
   *
   * @param method - of py/gemini_companion/settings/settings.py
   * @returns its result, or a Failure
   */
  settings<Result = object | null>(method: string, params: object = {}): Promise<Result | Failure> {
    return this.ask(`settings/${method}`, params);
  }

  /**
   * Send a request of the user to the companion. Never rejects.
   *
   * @returns its result, or a Failure
   */
  ask<Result = object | null>(method: string, params: object): Promise<Result | Failure> {
    const wire: Wire = { request: (name, given) => this.#request(name, given), on() {} };
    return ask(wire, method, params);
  }

  /**
   * Return the header that forbids showing a page in this document, or why its server can't be reached. Call this only
   * for a URL that the user has allowed to be opened.
   */
  async framing(url: string): Promise<Framing | { unreachable: string }> {
    const answer = await this.ask<{ forbidden_by: Framing }>("page/framing", {
      url,
      ancestors: [location.origin, ...(location.ancestorOrigins ?? [])],
    });
    if (!isFailure(answer)) return answer.forbidden_by;
    const { type, message } = answer.error;
    return UNREACHED.has(type) ? { unreachable: message } : "unknown";
  }

  /** Call `listener` on every connection, and now if connected. */
  onConnected(listener: () => void) {
    this.#onConnected.push(listener);
    if (this.#state.state === "connected") listener();
  }

  #setState(state: CompanionState) {
    this.#state = state;
    this.onState(state);
  }

  #connectSoon(ms: number) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), ms);
  }

  async #connect() {
    if (!this.#wanted || this.#socket !== null || this.#entering) return;
    this.#entering = true;
    try {
      const pass = await this.#entrance.pass();
      if (pass === null) return await this.#withoutKey();
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

  /** Set the state of a page that never entered. Rejects with a TypeError if its companion has stopped. */
  async #withoutKey() {
    if (await companionRuns()) this.#setState({ ...DISCONNECTED, state: "unconnected" });
  }

  #open(token: string) {
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
    for (const controllers of [this.#running, this.#questions]) {
      for (const controller of controllers.values())
        controller.abort(new DOMException("The companion disconnected.", "AbortError"));
      controllers.clear();
    }
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

  #receive(text: string) {
    const { id, method, params, result, error }: Message = JSON.parse(text);
    if (method === undefined && typeof id === "string") this.#settle(id, result, error);
    else if (method === undefined || PYTHON_NOTIFICATIONS.has(method)) this.#python?.postMessage(text);
    else if (method === "beat") this.#notify("beat", {});
    else if (method === "settings/changed") this.#setState({ ...this.#state, mcp: params });
    else if (method.startsWith("tabs/")) this.tabs.receive(method, params);
    else if (method === "consent/asks") void this.#askPerson(params);
    else if (method === "consent/withdrawn")
      this.#questions.get(params.id)?.abort(new DOMException("Withdrawn.", "AbortError"));
    else if (method === "notifications/cancelled") this.#running.get(params.requestId)?.abort();
    else if (id !== undefined) void this.#answer(id, method, params ?? {});
  }

  /**
   * Ask the user before the companion uses one of its powers.
   *
   * @param asked - `words` are Python's
   */
  async #askPerson({ id, kind, facts, words, answers }: AskedConsent) {
    const controller = new AbortController();
    this.#questions.set(id, controller);
    const outcome = await this.questions
      .ask({ kind, facts, words: words ?? {}, answers: answers ?? undefined }, controller.signal)
      .catch((error) => {
        // A question that can't be drawn is refused; a withdrawn one needs no answer.
        if (!controller.signal.aborted) console.error("The companion's question can't be asked.", error);
        return null;
      });
    this.#questions.delete(id);
    if (controller.signal.aborted) return;
    const decision = outcome !== null && DECISIONS.has(outcome.decision) ? outcome.decision : "refuse";
    // The user wasn't asked, so the companion doesn't refuse others for it.
    const until = outcome?.decision === "full" ? Date.now() : outcome?.until;
    await this.#request("consent/answer", {
      id,
      decision,
      ...(until ? { until } : {}),
      ...(outcome?.entered ? { ["values" in outcome.entered ? "filled" : "entered"]: outcome.entered } : {}),
    }).catch((error) => console.error("The answer could not be sent to the companion.", error));
  }

  #settle(id: string, result: unknown, error: Message["error"]) {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (error) asked?.reject(new RemoteError({ type: "ProtocolError", message: error.message, ...error.data }));
    else asked?.resolve(result);
  }

  #request<Result>(method: string, params: object, signal?: AbortSignal): Promise<Result> {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error("The companion isn't connected."));
    const id = `page-${++this.#lastId}`;
    const asked = Promise.withResolvers<Result>();
    // The companion answers with the result of this method.
    this.#asked.set(id, { resolve: asked.resolve as (result: unknown) => void, reject: asked.reject });
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
    const { name, host, mcp, tabs, version = null } = await this.#request<Welcome>("page/hello", hello());
    this.#wait = SHORTEST_WAIT_MS;
    this.tabs.update(tabs);
    this.#setState({ state: "connected", reason: null, name, host, mcp, version });
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
      if (typeof data !== "string" || !fits(data, "relayed"))
        return console.error("A message of Python's to the companion is too large.");
      const message = JSON.parse(data);
      const request = permitted(message);
      if (request !== null) this.#send(request);
      else if (message.id !== undefined) port1.postMessage(rejection(message));
    };
    void this.attach(port2);
  }

  async #answer(id: number | string, method: string, params: Message["params"]) {
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

  #ask(method: string, params: Message["params"], signal: AbortSignal) {
    if (method.startsWith("sites/")) return this.sites.receive(method, params);
    const { progressToken, ...meta } = params._meta ?? {};
    if (!RELAYED_METHODS.has(method) || (OF_CALLERS.has(method) && !RELAYED_CALLER.test(meta.caller))) {
      throw new RemoteError({ type: "ProtocolError", message: `A page doesn't accept ${method} in this form.` });
    }
    const onProgress =
      progressToken === undefined
        ? undefined
        : (progress: object) => this.#notify("notifications/progress", { ...progress, progressToken });
    return this.kernel.request(method, { ...params, _meta: meta }, { signal, onProgress });
  }

  #notify(method: string, params: object) {
    this.#send({ method, params });
  }

  #send(message: Message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }
}

/**
 * Return Python's request if it is permitted. Ids must be numbers: an answer to a text id would settle the page's own
 * request. Only known members are copied, so duplicates and extras are dropped.
 */
function permitted({ id, method, params }: Message): Message | null {
  if (typeof method !== "string" || !PYTHON_METHODS.has(method)) return null;
  if (method === "notifications/cancelled") {
    return typeof params?.requestId === "number" ? { method, params: { requestId: params.requestId } } : null;
  }
  return typeof id === "number" ? { id, method, params } : null;
}

function rejection({ id, method }: Message): string {
  const error = { code: -32601, message: `Python can't ask the companion for ${method}.` };
  return JSON.stringify({ jsonrpc: "2.0", id, error });
}

function hello() {
  const url = location.origin + location.pathname;
  return { key: pageKey(), title: document.title, url, version: VERSION };
}
