// The kernel's way to other origins. fetch and XMLHttpRequest ask one address of the kernel's own origin, the door, which
// asks the person and then fetches (docs/network.md).
//
// What holds the kernel back is its policy, connect-src 'self'. This only makes the door look like the network.

/**
 * @typedef {{ door: string | null, problem: string }} Network the door's address, or why there is none
 *
 * @typedef {object} Told what the door says of the far side's answer
 * @property {number} status
 * @property {string} reason
 * @property {string} url
 * @property {boolean} redirected
 * @property {[string, string][]} headers
 *
 * @typedef {{ url: string, method: string, headers: Headers, redirect: string }} Call
 */

import { ANSWER, PROBLEM, REQUEST } from "../network_door/protocol.js";

// A browser keeps six connections to an origin. Held requests must leave some for the packages that Python loads.
const MOST_HELD = 4;
const LONGEST_DESCRIPTION = 48 * 1024;
// https://fetch.spec.whatwg.org/#null-body-status
const NULL_BODY = [101, 103, 204, 205, 304];
const SHUT = {
  WebSocket: "WebSockets", WebSocketStream: "WebSockets", WebTransport: "WebTransport", EventSource: "EventSource",
};

/** @type {Network} */
let network = { door: null, problem: "The network isn't connected yet." };
/** What Python says about a request: JSON of who asks, and why. @type {() => string} */
let describeCaller = () => "{}";

let hold = () => () => {};

const direct = self.fetch.bind(self);
const NativeRequest = self.XMLHttpRequest;

/** Put the door in place of the network. */
export function installNetwork() {
  self.fetch = fetchThroughDoor;
  self.XMLHttpRequest = DoorRequest;
  for (const [name, what] of Object.entries(SHUT)) {
    if (name in self) Object.defineProperty(self, name, { value: shut(what), configurable: false });
  }
}

/** @param {Network} found @param {{ hold(): () => void } | null} waits notes that a request holds the kernel up */
export function useNetwork(found, waits) {
  network = found;
  if (waits !== null) hold = () => waits.hold();
}

/** Have Python say who asks. @param {() => string} describe gives JSON */
export function describeCallerBy(describe) {
  describeCaller = describe;
}

/** @param {string} what @returns {any} a constructor that throws */
function shut(what) {
  return function () {
    throw new DOMException(`${what} can't leave the page's Python. Use fetch or XMLHttpRequest, or a host terminal.`, "NotSupportedError");
  };
}

/** @param {RequestInfo | URL} input @param {RequestInit} [init] @returns {Promise<Response>} */
async function fetchThroughDoor(input, init) {
  const address = input instanceof Request ? input.url : String(input);
  if (!isOutside(address)) return direct(input, init);
  const request = new Request(input, init);
  const { method, headers, redirect, signal, integrity } = request;
  const sending = description({ url: request.url, method, headers, redirect });
  const body = method === "GET" || method === "HEAD" ? undefined : await request.blob();
  const end = await turn(signal);
  try {
    const answer = await direct(sending.door, {
      method: "POST", headers: { [REQUEST]: sending.text }, body: body?.size ? body : undefined, signal,
      integrity: integrity || undefined, cache: "no-store", credentials: "omit", redirect: "error",
    });
    return passedOn(answer, told(answer.headers.get(ANSWER)), problemOf(answer.headers.get(PROBLEM)));
  } finally {
    end();
  }
}

/** @param {Response} answer @param {Told | null} told @param {string} problem @returns {Response} */
function passedOn(answer, told, problem) {
  if (told === null) throw new TypeError(problem);
  const { status, reason, headers } = told;
  const body = NULL_BODY.includes(status) ? null : answer.body;
  return dressed(new Response(body, { status, statusText: reason, headers }), told);
}

/** Gives a Response what only a browser's own has. @param {Response} answer @param {Told} told @returns {Response} */
function dressed(answer, { url, redirected, ...rest }) {
  const { clone } = answer;
  return Object.defineProperties(answer, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: "cors" },
    clone: { value: () => dressed(clone.call(answer), { url, redirected, ...rest }) },
  });
}

let held = 0;
/** @type {(() => void)[]} */
const waiting = [];

/** Waits for one of few connections. @param {AbortSignal} signal @returns {Promise<() => void>} ends the turn */
async function turn(signal) {
  signal.throwIfAborted();
  if (held >= MOST_HELD) {
    await new Promise((resolve, reject) => {
      const next = () => {
        signal.removeEventListener("abort", give);
        resolve(undefined);
      };
      const give = () => {
        waiting.splice(waiting.indexOf(next), 1);
        reject(signal.reason);
      };
      waiting.push(next);
      signal.addEventListener("abort", give, { once: true });
    });
  } else {
    held += 1;
  }
  return () => {
    // The turn passes on to the one that has waited longest.
    const next = waiting.shift();
    if (next) next();
    else held -= 1;
  };
}

/** An XMLHttpRequest that takes other origins through the door, synchronous ones too. */
class DoorRequest extends NativeRequest {
  /** Null for the kernel's own origin. @type {Call | null} */
  #call = null;
  /** @type {Told | null} */
  #told = null;
  #waits = false;

  constructor() {
    super();
    // The first listener: what failed at the door is an error for all others.
    super.addEventListener("load", (event) => {
      if (this.#call === null || this.#answer() !== null) return;
      event.stopImmediatePropagation();
      this.dispatchEvent(Object.assign(new ProgressEvent("error"), { message: this.#problem() }));
    });
  }

  /** @param {any[]} given as `open` of every XMLHttpRequest takes them */
  open(...given) {
    const [method, address] = given;
    this.#call = this.#told = null;
    if (!isOutside(address)) {
      super.open(.../** @type {[string, string, boolean]} */ (given));
      return;
    }
    // It checks method and URL, and spells them as browsers do.
    const { url, method: named } = new Request(address, { method });
    this.#call = { url, method: named, headers: new Headers(), redirect: "follow" };
    this.#waits = given.length > 2 && !given[2];
    super.open("POST", door(), !this.#waits);
  }

  /** @param {string} name @param {string} value */
  setRequestHeader(name, value) {
    if (this.#call === null) super.setRequestHeader(name, value);
    else this.#call.headers.append(name, value);
  }

  /** @param {any} [body] */
  send(body = null) {
    if (this.#call === null) return super.send(body);
    const { method, headers } = this.#call;
    const sent = method === "GET" || method === "HEAD" ? null : body;
    // A form's type names its boundary, which only the browser knows; the door takes it from the request itself.
    const type = sent === null || sent instanceof FormData ? null : new Response(sent).headers.get("content-type");
    if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
    super.setRequestHeader(REQUEST, description(this.#call).text);
    if (!this.#waits) return super.send(sent);
    const release = hold();
    try {
      super.send(sent);
    } finally {
      release();
    }
    if (this.#answer() === null) throw new DOMException(this.#problem(), "NetworkError");
  }

  /** @returns {Told | null} null where it failed */
  #answer() {
    if (this.#told === null && this.readyState >= this.HEADERS_RECEIVED) this.#told = told(super.getResponseHeader(ANSWER));
    return this.#told;
  }

  #problem() {
    return problemOf(super.getResponseHeader(PROBLEM));
  }

  /** Whether the far side's answer is shown in place of the browser's. */
  get #failed() {
    return this.#call !== null && this.#answer() === null;
  }

  get status() {
    return this.#call === null ? super.status : (this.#answer()?.status ?? 0);
  }

  get statusText() {
    return this.#call === null ? super.statusText : (this.#answer()?.reason ?? "");
  }

  get responseURL() {
    return this.#call === null ? super.responseURL : (this.#answer()?.url ?? "");
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

  /** @param {string} name */
  getResponseHeader(name) {
    return this.#call === null ? super.getResponseHeader(name) : new Headers(this.#answer()?.headers).get(name);
  }

  getAllResponseHeaders() {
    if (this.#call === null) return super.getAllResponseHeaders();
    return [...new Headers(this.#answer()?.headers)].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  }
}

/** Whether an address is of the web, and of another origin. @param {string | URL} address */
function isOutside(address) {
  const url = URL.parse(String(address), self.location.href);
  // What is no URL is the browser's to complain about.
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== self.location.origin;
}

/** @returns {string} @throws {TypeError} there is none */
function door() {
  if (network.door === null) throw new TypeError(network.problem);
  return network.door;
}

/** @param {Call} call @returns {{ door: string, text: string }} */
function description({ url, method, headers, redirect }) {
  const address = new URL(url);
  address.hash = "";
  const asked = { url: address.href, method, headers: [...headers], redirect, words: JSON.parse(describeCaller()) };
  // As ASCII, since it is a header.
  const text = JSON.stringify(asked).replaceAll(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  if (text.length > LONGEST_DESCRIPTION) throw new TypeError("The URL and headers of the request are too long. Send data as a body.");
  return { door: door(), text };
}

/** @param {string | null} header @returns {Told | null} */
function told(header) {
  return header === null ? null : JSON.parse(header);
}

/** @param {string | null} header @returns {string} */
function problemOf(header) {
  if (header === null) return "The network can't be reached: nothing answers for it at the page's own address.";
  const { message, hint } = JSON.parse(header);
  return [message, hint].filter(Boolean).join(". ").replace(/^./, (letter) => letter.toUpperCase());
}
