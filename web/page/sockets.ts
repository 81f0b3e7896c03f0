// `WebSocket` for pages of a server in the page. The browser's own would look for the server on this computer, and a
// service worker doesn't see it. Ours asks the site's service worker, or the surface in a browser that refuses the worker,
// for a port whose other side speaks with the server (web/ui/panels/browser/page_sockets.ts). For every other address
// it passes calls on to the browser's.
//
// Behaves as https://websockets.spec.whatwg.org/ says; events aren't trusted (`isTrusted` is false).

import * as dom from "./dom.ts";
import { messageOf } from "./errors.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]"]);
const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/;
const STATES = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };
const { CONNECTING, OPEN, CLOSING, CLOSED } = STATES;
const EVENTS = ["open", "message", "error", "close"];
const BROKEN_OFF = 1006;
const NO_STATUS = 1005;
// What a frame of the end has room for.
const MAX_REASON = 123;

const BrowserSocket = globalThis.WebSocket;
/** The port of the page's server. */
let server = 0;
/** The origins of surfaces. */
let surfaces: string[] = [];

/**
 * Replace the page's `WebSocket`.
 * @param port - of its server
 * @param controllers - the origins of surfaces
 */
export function offerSockets(port: number, controllers: string[]) {
  server = port;
  surfaces = controllers;
  globalThis.WebSocket = asBrowsers(PageSocket);
}

class PageSocket extends EventTarget {
  #url: URL;
  #native: WebSocket | null = null;
  #port: MessagePort | null = null;
  #state = CONNECTING;
  #protocol = "";
  #unsent = 0;
  #binaryType: BinaryType = "blob";
  /** Keeps the order of messages: a Blob is read first. */
  #sending: Promise<void> = Promise.resolve();
  #handlers = new Map<string, { handler: Function; listener: (event: Event) => void }>();

  constructor(url: string | URL, protocols: string | string[] = []) {
    super();
    this.#url = parsed(url);
    const names = typeof protocols === "string" ? [protocols] : Array.from(protocols, String);
    const distinct = new Set(names.map((name) => name.toLowerCase()));
    if (distinct.size !== names.length || !names.every((name) => TOKEN.test(name))) {
      throw new DOMException(`The subprotocols ${names.join(", ")} are invalid or named twice.`, "SyntaxError");
    }
    if (isHere(this.#url)) void this.#connect(names);
    else this.#pass(new BrowserSocket(this.#url.href, names));
  }

  get url() {
    return this.#url.href;
  }

  get readyState() {
    return this.#native?.readyState ?? this.#state;
  }

  get protocol() {
    return this.#native?.protocol ?? this.#protocol;
  }

  get extensions() {
    return this.#native?.extensions ?? "";
  }

  get bufferedAmount() {
    return this.#native?.bufferedAmount ?? this.#unsent;
  }

  get binaryType() {
    return this.#binaryType;
  }

  set binaryType(type) {
    if (type !== "blob" && type !== "arraybuffer") return;
    this.#binaryType = type;
    if (this.#native) this.#native.binaryType = type;
  }

  send(data: string | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer>) {
    if (this.#native) return this.#native.send(data);
    if (this.#state === CONNECTING) throw new DOMException("The WebSocket isn't open yet.", "InvalidStateError");
    const message = copied(data);
    this.#unsent += sizeOf(message);
    if (this.#state !== OPEN) return;
    this.#queue(async () => {
      if (typeof message === "string") this.#port?.postMessage({ text: message });
      else {
        const binary = message instanceof Blob ? await message.arrayBuffer() : message;
        this.#port?.postMessage({ binary }, [binary]);
      }
    });
  }

  close(code?: number, reason?: string) {
    const number = code === undefined ? null : clamped(code);
    if (number !== null && number !== 1000 && !(number >= 3000 && number <= 4999)) {
      throw new DOMException(`The code ${code} is neither 1000 nor from 3000 to 4999.`, "InvalidAccessError");
    }
    const text = reason === undefined ? "" : String(reason).toWellFormed();
    if (new TextEncoder().encode(text).length > MAX_REASON) {
      throw new DOMException(`The reason is longer than ${MAX_REASON} bytes.`, "SyntaxError");
    }
    if (this.#native) return this.#native.close(code, reason);
    if (this.#state === CONNECTING) {
      this.#state = CLOSING;
      queueMicrotask(() => this.#fail());
    } else if (this.#state === OPEN) {
      this.#state = CLOSING;
      this.#queue(async () =>
        this.#port?.postMessage({ close: { code: number ?? (text ? 1000 : null), reason: text } }),
      );
    }
  }

  #queue(send: () => Promise<void>) {
    // A Blob whose file is gone can't be read.
    this.#sending = this.#sending.then(send).catch(() => this.#fail());
  }

  async #connect(protocols: string[]) {
    try {
      const { port: connected, protocol } = await asked({
        path: this.#url.pathname,
        search: this.#url.search,
        protocols,
      });
      if (this.#state !== CONNECTING) return connected.postMessage({ left: true });
      this.#port = connected;
      this.#protocol = protocol;
      this.#state = OPEN;
    } catch (error) {
      console.error(`WebSocket connection to '${this.#url.href}' failed: ${messageOf(error)}`);
      return this.#fail();
    }
    this.dispatchEvent(new Event("open"));
    // Not every browser tells a port that the other side is gone.
    addEventListener("pagehide", () => this.#port?.postMessage({ left: true }), { once: true });
    if (this.#port) this.#port.onmessage = ({ data }) => this.#receive(data);
  }

  #receive({
    text,
    binary,
    sent,
    closed,
  }: {
    text?: string;
    binary?: ArrayBuffer;
    sent?: number;
    closed?: { code: number; reason: string };
  }) {
    if (sent !== undefined) this.#unsent = Math.max(0, this.#unsent - sent);
    else if (closed !== undefined) this.#finish(closed, closed.code !== BROKEN_OFF);
    else if (this.#state === OPEN) {
      const data = text ?? (this.#binaryType === "blob" ? new Blob(binary ? [binary] : []) : binary);
      this.dispatchEvent(new MessageEvent("message", { data, origin: this.#url.origin }));
    }
  }

  #fail() {
    if (this.#state !== CLOSED) this.#finish({ code: BROKEN_OFF, reason: "" }, false);
  }

  #finish({ code, reason }: { code: number; reason: string }, wasClean: boolean) {
    this.#state = CLOSED;
    this.#port?.close();
    this.#port = null;
    if (!wasClean) this.dispatchEvent(new Event("error"));
    this.dispatchEvent(new CloseEvent("close", { code: code || NO_STATUS, reason, wasClean }));
  }

  /** Pass on events of the browser's own socket. */
  #pass(native: WebSocket) {
    this.#native = native;
    native.addEventListener("open", () => this.dispatchEvent(new Event("open")));
    native.addEventListener("error", () => this.dispatchEvent(new Event("error")));
    native.addEventListener("message", ({ data, origin }) =>
      this.dispatchEvent(new MessageEvent("message", { data, origin })),
    );
    native.addEventListener("close", ({ code, reason, wasClean }) =>
      this.dispatchEvent(new CloseEvent("close", { code, reason, wasClean })),
    );
  }

  /** Return the handler of an attribute such as `onopen`. */
  static handlerOf(socket: PageSocket, type: string) {
    return socket.#handlers.get(type)?.handler ?? null;
  }

  static setHandler(socket: PageSocket, type: string, handler: unknown) {
    const current = socket.#handlers.get(type);
    if (typeof handler === "function") {
      // The first one's place among the listeners stays.
      if (current) return void (current.handler = handler);
      const entry = { handler, listener: (event: Event) => void entry.handler.call(socket, event) };
      socket.#handlers.set(type, entry);
      socket.addEventListener(type, entry.listener);
    } else if (current) {
      socket.#handlers.delete(type);
      socket.removeEventListener(type, current.listener);
    }
  }
}

/**
 * Complete a class so that pages see what they see of the browser's.
 * @param kind - the class; `handlerOf` and `setHandler` become its attributes for handlers
 */
function asBrowsers(kind: typeof PageSocket): typeof WebSocket {
  const { handlerOf, setHandler } = kind;
  Reflect.deleteProperty(kind, "handlerOf");
  Reflect.deleteProperty(kind, "setHandler");
  for (const type of EVENTS) {
    Object.defineProperty(kind.prototype, `on${type}`, {
      get() {
        return handlerOf(this, type);
      },
      set(handler) {
        setHandler(this, type, handler);
      },
      configurable: true,
      enumerable: true,
    });
  }
  for (const [name, value] of Object.entries(STATES)) {
    for (const place of [kind, kind.prototype]) Object.defineProperty(place, name, { value, enumerable: true });
  }
  Object.defineProperty(kind, "name", { value: "WebSocket", configurable: true });
  Object.defineProperty(kind.prototype, Symbol.toStringTag, { value: "WebSocket", configurable: true });
  // It has what was defined here.
  return kind as unknown as typeof WebSocket;
}

function parsed(url: string | URL) {
  const found = URL.parse(String(url), dom.baseURI(document));
  if (found === null) throw new DOMException(`The URL '${url}' is invalid.`, "SyntaxError");
  if (found.protocol === "http:" || found.protocol === "https:") found.protocol = found.protocol.replace("http", "ws");
  if (found.protocol !== "ws:" && found.protocol !== "wss:") {
    throw new DOMException(
      `The URL's scheme must be 'ws' or 'wss'; '${found.protocol.slice(0, -1)}' isn't.`,
      "SyntaxError",
    );
  }
  if (found.hash || found.href.endsWith("#")) throw new DOMException(`The URL '${url}' has a fragment.`, "SyntaxError");
  return found;
}

/** Return whether a URL is the server's, by the name that it has in the page or by the site's own. */
function isHere(url: URL) {
  if (url.host === location.host) return true;
  return url.protocol === "ws:" && LOOPBACK.has(url.hostname) && Number(url.port || 80) === server;
}

/** Send a message to the site's service worker, or to the surface above. */
function send(message: object, reply: MessagePort) {
  const worker = navigator.serviceWorker?.controller;
  if (worker) return worker.postMessage(message, [reply]);
  let above = parent;
  for (const origin of location.ancestorOrigins ?? []) {
    if (surfaces.includes(origin)) return above.postMessage({ geminiSite: message }, origin, [reply]);
    above = above.parent;
  }
  throw new Error("The page's surface wasn't found.");
}

/**
 * Ask for the port of a socket.
 * @returns rejects if the server refuses
 */
function asked(socket: {
  path: string;
  search: string;
  protocols: string[];
}): Promise<{ port: MessagePort; protocol: string }> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data, ports: [port] }) => {
      port1.close();
      if (port) resolve({ port, protocol: String(data.protocol) });
      else reject(new Error(String(data.reason)));
    };
    send({ socket }, port2);
  });
}

/** Return a copy of the data, as it is now. */
function copied(data: unknown): string | Blob | ArrayBuffer {
  if (data instanceof Blob) return data;
  if (data instanceof ArrayBuffer) return data.slice(0);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice().buffer;
  return String(data).toWellFormed();
}

function sizeOf(message: string | Blob | ArrayBuffer) {
  if (typeof message === "string") return new TextEncoder().encode(message).length;
  return message instanceof Blob ? message.size : message.byteLength;
}

/** Convert to an unsigned short as `[Clamp]` says (https://webidl.spec.whatwg.org/#Clamp). */
function clamped(code: unknown) {
  return Math.min(Math.max(Math.round(Number(code)) || 0, 0), 65_535);
}
