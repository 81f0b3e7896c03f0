// Requests from the kernel to other origins. fetch and XMLHttpRequest send them to the door, a URL of the kernel's own
// origin, which asks the user and then fetches (docs/network.md).
//
// The kernel's policy, connect-src 'self', enforces this. The code here only makes the door look like the network.

import { localServers } from "./local_servers.ts";
import { ANSWER, PROBLEM, REQUEST } from "../network_door/protocol.ts";

/** the door's URL, or the reason why there is none */
export type Network = { door: string | null; problem: string };

/** the remote server's answer, as the door describes it */
interface RemoteAnswer {
  status: number;
  reason: string;
  url: string;
  redirected: boolean;
  headers: [string, string][];
}

type Call = { url: string; method: string; headers: Headers; redirect: string };

// Browsers open six connections to an origin. Pending requests must leave some for the packages that Python loads.
const MAX_CONNECTIONS = 4;
const MAX_DESCRIPTION = 48 * 1024;
// https://fetch.spec.whatwg.org/#null-body-status
const NULL_BODY = [101, 103, 204, 205, 304];
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_REDIRECTS = 20;
const SECRET = ["authorization", "cookie", "proxy-authorization"];
const BLOCKED = {
  WebSocket: "WebSockets",
  WebSocketStream: "WebSockets",
  WebTransport: "WebTransport",
  EventSource: "EventSource",
};

let network: Network = { door: null, problem: "The network isn't connected yet." };
/** Returns JSON in which Python describes the caller and the reason of a request. */
let describeCaller: () => string = () => "{}";

let hold = () => () => {};

const direct = self.fetch.bind(self);
const NativeRequest = self.XMLHttpRequest;

/** Replace the network with the door. */
export function installNetwork() {
  self.fetch = fetchThroughDoor;
  self.XMLHttpRequest = DoorRequest;
  for (const [name, what] of Object.entries(BLOCKED)) {
    if (name in self) Object.defineProperty(self, name, { value: blocked(what), configurable: false });
  }
}

/** @param interrupts - is notified while a request blocks the kernel */
export function useNetwork(found: Network, interrupts: { hold(): () => void } | null) {
  network = found;
  if (interrupts !== null) hold = () => interrupts.hold();
}

/**
 * Set the function with which Python describes a request's caller.
 * @param describe - returns JSON
 */
export function describeCallerBy(describe: () => string) {
  describeCaller = describe;
}

/** @returns a constructor that throws */
function blocked(what: string): Function {
  return function () {
    throw new DOMException(
      `${what} can't be used from the page's Python. Use fetch or XMLHttpRequest, or a host terminal.`,
      "NotSupportedError",
    );
  };
}

async function fetchThroughDoor(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const address = input instanceof Request ? input.url : String(input);
  if (!isOutside(address)) return direct(input, init);
  const request = new Request(input, init);
  const { method, redirect, signal, integrity } = request;
  const headers = new Headers(request.headers);
  // Chromium leaves it out of a Request, although fetch allows it.
  const agent = new Headers(init?.headers).get("user-agent");
  if (agent !== null) headers.set("user-agent", agent);
  if (localServers.has(request.url)) return fetchHere(request, headers, init);
  const sending = description({ url: request.url, method, headers, redirect });
  const body = method === "GET" || method === "HEAD" ? undefined : await request.blob();
  const release = await acquireConnection(signal);
  try {
    const answer = await direct(sending.door, {
      method: "POST",
      headers: { [REQUEST]: sending.text },
      body: body?.size ? body : undefined,
      signal,
      integrity: integrity || undefined,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
    });
    const problem = answer.headers.get(PROBLEM);
    const remote = parseAnswer(answer.headers.get(ANSWER));
    if (remote === null) noteFailure(request.url, problem && JSON.parse(problem).type, problemOf(problem));
    return toResponse(answer, remote, networkError(problem));
  } finally {
    release();
  }
}

/** Send a request to a server in the page, and follow its redirects. */
async function fetchHere(request: Request, headers: Headers, init?: RequestInit): Promise<Response> {
  const again = request.redirect === "follow" ? request.clone() : request;
  const { status, reason, headers: got, body } = await localServers.send(request, headers);
  const redirects = REDIRECTS.includes(status) && request.redirect !== "manual" && new Headers(got).has("location");
  const content = NULL_BODY.includes(status) || request.method === "HEAD" || redirects ? null : body;
  if (content === null) await body.cancel();
  const response = new Response(content, { status, statusText: reason, headers: got });
  const location = redirects ? response.headers.get("location") : null;
  if (location === null) {
    return withNetworkProperties(response, { status, reason, headers: got, url: request.url, redirected: false });
  }
  if (request.redirect === "error") throw new TypeError(`${request.url} redirects to ${location}.`);
  return follow(again, headers, new URL(location, request.url), status, init);
}

/** Send a request again to where a redirect leads (https://fetch.spec.whatwg.org/#http-redirect-fetch). */
async function follow(
  request: Request,
  headers: Headers,
  url: URL,
  status: number,
  init?: RequestInit & { redirects?: number },
) {
  const redirects = (init?.redirects ?? 0) + 1;
  if (redirects > MAX_REDIRECTS) throw new TypeError(`${request.url} redirects more than ${MAX_REDIRECTS} times.`);
  const { method, signal } = request;
  const becomesGet = (status === 303 && method !== "HEAD") || (status < 303 && method === "POST");
  const body = becomesGet || method === "GET" || method === "HEAD" ? undefined : await request.blob();
  const sent = new Headers(headers);
  if (becomesGet) sent.delete("content-type");
  if (url.origin !== new URL(request.url).origin) for (const name of SECRET) sent.delete(name);
  const next = { method: becomesGet ? "GET" : method, headers: sent, body, signal, redirects };
  const response = await fetchThroughDoor(url.href, next);
  return Object.defineProperty(response, "redirected", { value: true, configurable: true });
}

/** An error as fetch throws it; `problem` is the door's own name for it. */
const networkError = (header: string | null) =>
  Object.assign(new TypeError(problemOf(header)), { problem: header && JSON.parse(header).type });

const MAX_FAILURES = 20;
const failures: { host: string; problem: string; message: string }[] = [];

function noteFailure(url: string, problem: string, message: string) {
  failures.push({ host: new URL(url).host, problem, message });
  if (failures.length > MAX_FAILURES) failures.shift();
}

/** Return, as JSON, the requests that failed since the last call: libraries often drop the reason. */
export const takeFailures = (): string => JSON.stringify(failures.splice(0));

/** @param answer - the door's */
function toResponse(answer: Response, remote: RemoteAnswer | null, problem: Error): Response {
  if (remote === null) throw problem;
  const { status, reason, headers } = remote;
  const body = NULL_BODY.includes(status) ? null : answer.body;
  return withNetworkProperties(new Response(body, { status, statusText: reason, headers }), remote);
}

/** Define the properties that only the browser can set. */
function withNetworkProperties(answer: Response, { url, redirected, headers, ...rest }: RemoteAnswer): Response {
  const { clone } = answer;
  return Object.defineProperties(answer, {
    // In the server's order, for `curl -i`. Headers are sorted.
    headersInOrder: { value: headers },
    url: { value: url },
    redirected: { value: redirected, configurable: true },
    type: { value: "cors" },
    clone: { value: () => withNetworkProperties(clone.call(answer), { url, redirected, headers, ...rest }) },
  });
}

let connections = 0;
const waiting: (() => void)[] = [];

/**
 * Wait for a free connection.
 * @returns releases it
 */
async function acquireConnection(signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted();
  if (connections >= MAX_CONNECTIONS) {
    await new Promise((resolve, reject) => {
      const next = () => {
        signal.removeEventListener("abort", abort);
        resolve(undefined);
      };
      const abort = () => {
        waiting.splice(waiting.indexOf(next), 1);
        reject(signal.reason);
      };
      waiting.push(next);
      signal.addEventListener("abort", abort, { once: true });
    });
  } else {
    connections += 1;
  }
  return () => {
    // The connection passes to the request that has waited longest.
    const next = waiting.shift();
    if (next) next();
    else connections -= 1;
  };
}

/** An XMLHttpRequest that reaches other origins through the door, also synchronously. */
class DoorRequest extends NativeRequest {
  /** Null for a request to the kernel's own origin. */
  #call: Call | null = null;
  #remote: RemoteAnswer | null = null;
  #synchronous = false;

  constructor() {
    super();
    // This listener comes first, so that the others see a failure at the door as an error.
    super.addEventListener("load", (event) => {
      if (this.#call === null || this.#remoteAnswer() !== null) return;
      event.stopImmediatePropagation();
      this.dispatchEvent(Object.assign(new ProgressEvent("error"), { message: this.#problem() }));
    });
  }

  /** @param args - as for XMLHttpRequest's own `open` */
  open(
    ...args: [method: string, address: string | URL, async?: boolean, user?: string | null, password?: string | null]
  ) {
    const [method, address] = args;
    this.#call = this.#remote = null;
    if (!isOutside(address)) {
      Reflect.apply(super.open, this, args);
      return;
    }
    // Request checks and normalizes the method and the URL.
    const { url, method: normalized } = new Request(address, { method });
    this.#call = { url, method: normalized, headers: new Headers(), redirect: "follow" };
    this.#synchronous = args.length > 2 && !args[2];
    super.open("POST", door(), !this.#synchronous);
  }

  setRequestHeader(name: string, value: string) {
    if (this.#call === null) super.setRequestHeader(name, value);
    else this.#call.headers.append(name, value);
  }

  send(body: XMLHttpRequestBodyInit | null = null) {
    if (this.#call === null) return super.send(body);
    const { method, headers } = this.#call;
    const sent = method === "GET" || method === "HEAD" ? null : body;
    // A form's type contains its boundary, which only the browser knows. The door reads it from the request.
    const type = sent === null || sent instanceof FormData ? null : new Response(sent).headers.get("content-type");
    if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
    super.setRequestHeader(REQUEST, description(this.#call).text);
    if (!this.#synchronous) return super.send(sent);
    const release = hold();
    try {
      super.send(sent);
    } finally {
      release();
    }
    if (this.#remoteAnswer() === null) throw new DOMException(this.#problem(), "NetworkError");
  }

  /** @returns null before the headers arrive, and if the request failed */
  #remoteAnswer(): RemoteAnswer | null {
    if (this.#remote === null && this.readyState >= this.HEADERS_RECEIVED)
      this.#remote = parseAnswer(super.getResponseHeader(ANSWER));
    return this.#remote;
  }

  #problem() {
    return problemOf(super.getResponseHeader(PROBLEM));
  }

  /** True if the request went to the door and has no answer. */
  get #failed() {
    return this.#call !== null && this.#remoteAnswer() === null;
  }

  get status() {
    return this.#call === null ? super.status : (this.#remoteAnswer()?.status ?? 0);
  }

  get statusText() {
    return this.#call === null ? super.statusText : (this.#remoteAnswer()?.reason ?? "");
  }

  get responseURL() {
    return this.#call === null ? super.responseURL : (this.#remoteAnswer()?.url ?? "");
  }

  get responseText() {
    return this.#failed ? "" : super.responseText;
  }

  get response() {
    if (this.#failed) return this.responseType === "" || this.responseType === "text" ? "" : null;
    const { response } = { response: super.response };
    const type = this.#call === null ? null : this.getResponseHeader("content-type");
    return type !== null && response instanceof Blob ? response.slice(0, response.size, type) : response;
  }

  getResponseHeader(name: string) {
    return this.#call === null ? super.getResponseHeader(name) : new Headers(this.#remoteAnswer()?.headers).get(name);
  }

  getAllResponseHeaders() {
    if (this.#call === null) return super.getAllResponseHeaders();
    return [...new Headers(this.#remoteAnswer()?.headers)].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  }
}

/** Return whether a URL is an HTTP URL of another origin. */
function isOutside(address: string | URL) {
  const url = URL.parse(String(address), self.location.href);
  // The browser reports an invalid URL.
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== self.location.origin;
}

/** @throws {TypeError} there is no door */
function door(): string {
  if (network.door === null) throw new TypeError(network.problem);
  return network.door;
}

function description({ url, method, headers, redirect }: Call): { door: string; text: string } {
  const address = new URL(url);
  address.hash = "";
  const asked = { url: address.href, method, headers: [...headers], redirect, words: JSON.parse(describeCaller()) };
  // Headers must be ASCII.
  const text = JSON.stringify(asked).replaceAll(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  if (text.length > MAX_DESCRIPTION)
    throw new TypeError("The URL and headers of the request are too long. Send data as a body.");
  return { door: door(), text };
}

function parseAnswer(header: string | null): RemoteAnswer | null {
  return header === null ? null : JSON.parse(header);
}

function problemOf(header: string | null): string {
  if (header === null) return "The network can't be reached: the page's own host doesn't answer. Reload the page.";
  const { message, hint } = JSON.parse(header);
  return [message, hint]
    .filter(Boolean)
    .join(". ")
    .replace(/^./, (letter) => letter.toUpperCase());
}
