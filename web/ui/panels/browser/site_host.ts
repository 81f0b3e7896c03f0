/**
 * The page's side of one origin of sites: its host.html and the answers to its requests (web/site/ is the other side).
 */

import { h } from "../../lib/elements.ts";
import { cut, requireSize } from "../../../shared/limits.ts";
import { bytesOf } from "../../lib/base64.ts";
import { confine } from "./confined.ts";
import { problem } from "../../../shared/document_link.ts";
import type { Found } from "../../../site/answers.ts";
import type { Asked, SiteRelay } from "../../companion/site_relay.ts";

const TIMEOUT_MS = 10_000;
// A frame that has loaded without a message is the browser's error page.
const SILENCE_MS = 2_000;
// The interval for checking that the worker still reads an answer.
const CHECK_MS = 10_000;

/** what only a server's answer has */
export type FromServer = { port: number; reason: string; headers: [string, string][] };

/**
 * `content` in base64; `hosts`: the other origins that the site may reach, added by the page, as `salt`; `rest`: the
 * rest of the content, which must be read or ended
 */
interface Answer {
  status: number;
  type: string;
  content: string;
  hosts: string[];
  salt: string;
  server?: FromServer;
  rest?: Rest | null;
}

/** `content` in base64 */
export type More = { content: string; ends: boolean; broken: boolean };

type Rest = { more(): Promise<More>; end(): void };

/** opens a WebSocket, and returns the port for its page; `signal` ends it */
export type Connect = (
  to: { path: string; search: string; protocols: string[] },
  signal: AbortSignal,
) => Promise<{ protocol: string; port: MessagePort }>;

/** returns the answer for a path, percent-encoded as in its URL; rejects if there is none */
type Read = (path: string, request: Asked) => Promise<Answer>;

export class SiteHost {
  #closed = new AbortController();
  /** The port of host.html. */
  #host: MessagePort | null = null;
  base: string;
  relay: SiteRelay | null;
  read: Read;
  connect: Connect;
  /** Resolves when the origin answers, rejects if it can't. */
  ready: Promise<void>;

  /**
   * @param base - the URL of `/`, with a trailing slash
   * @param relay - serves the origin if the browser refuses its worker
   */
  constructor(base: string, { read, connect }: { read: Read; connect: Connect }, relay: SiteRelay | null) {
    this.base = base;
    this.relay = relay;
    this.read = read;
    this.connect = connect;
    this.ready = this.#connect();
  }

  /** Stop answering. */
  close() {
    this.#closed.abort(new Error("The site was closed."));
  }

  #connect(): Promise<void> {
    const { origin } = new URL(this.base);
    const frame = h("iframe", {
      title: "The host of a site",
      src: `${this.base}host.html`,
      sandbox: "allow-scripts allow-same-origin",
    });
    return new Promise((resolve, reject) => {
      const { signal } = this.#closed;
      const fail = (reason: Error) => this.#closed.abort(reason);
      let timer = setTimeout(fail, TIMEOUT_MS, unreachable(this.base));
      let loaded = false;
      frame.addEventListener("load", () => {
        if (loaded) return;
        loaded = true;
        clearTimeout(timer);
        timer = setTimeout(fail, SILENCE_MS, unreachable(this.base));
      });
      // Stays for as long as the site is open, because the host may load again.
      const onMessage = ({ source, origin: sender, data, ports }: MessageEvent) => {
        if (source !== frame.contentWindow || sender !== origin || data?.geminiSites !== "here" || ports.length !== 1)
          return;
        loaded = true;
        clearTimeout(timer);
        timer = setTimeout(fail, TIMEOUT_MS, blocked(this.base, "It doesn't start."));
        this.#serve(
          ports[0],
          () => {
            clearTimeout(timer);
            resolve();
          },
          fail,
        );
      };
      const element = confine(document.body, frame, {
        origin,
        attributes: { hidden: "", title: frame.title },
        onMessage,
      });
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        element.remove();
        reject(signal.reason);
      });
    });
  }

  #serve(port: MessagePort, ready: () => void, fail: (reason: Error) => void) {
    const { signal } = this.#closed;
    this.#host = port;
    port.onmessage = ({ data, ports: [reply] }) => {
      if (reply && data.socket) void this.open(data.socket, reply);
      else if (reply) void this.#answer(data.path, data.request, reply);
      else if (data.ready === true) ready();
      else this.#passOn(cut(data.failed, "reason")).then(ready, fail);
    };
    port.postMessage({ surface: location.origin });
    signal.addEventListener("abort", () => port.close());
  }

  /** Let the companion pass the origin's requests on, since the browser has refused the worker. */
  async #passOn(refusal: string) {
    const { relay, base } = this;
    const { signal } = this.#closed;
    if (!relay?.connected) throw blocked(base, refusal);
    await relay.serve(base, (asked) => this.#found(asked), signal);
  }

  /** Answer a request as the worker would get it. */
  #found({ path, request }: { path: string; request: Asked }): Promise<Found> {
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve, reject) => {
      port1.onmessage = ({ data, ports: [port] }) => {
        port1.close();
        if (data.reason === undefined) resolve({ data, port: port ?? null });
        else reject(new Error(data.reason));
      };
      void this.#answer(path, request, port2);
    });
  }

  /** Return a port that answers "more" with a piece of the content, until it `ends` or is `broken`. */
  #portOf(rest: Rest) {
    const { port1, port2 } = new MessageChannel();
    const { signal } = this.#closed;
    let answers = true;
    const stop = () => {
      clearInterval(checking);
      signal.removeEventListener("abort", end);
      port1.close();
    };
    const end = () => {
      port1.postMessage({ broken: true });
      stop();
      rest.end();
    };
    // The browser ends a worker that has no events, and there is no event here when it has.
    const checking = setInterval(() => {
      if (!answers) return end();
      answers = false;
      port1.postMessage({ check: true });
      this.#host?.postMessage({ stay: true });
    }, CHECK_MS);
    signal.addEventListener("abort", end);
    port1.onmessage = async ({ data }) => {
      answers = true;
      if (data === "here") return;
      if (data !== "more") return end();
      try {
        const { content, ends, broken } = await rest.more();
        const { buffer } = bytesOf(content);
        port1.postMessage({ content: buffer, ends }, [buffer]);
        if (broken) end();
        else if (ends) stop();
      } catch {
        end();
      }
    };
    return port2;
  }

  /** Open a WebSocket, which a site's script could have asked for in any form. */
  async open({ path, search, protocols }: Opening, reply: MessagePort) {
    try {
      requireSize({ search, protocols }, "request", "The request of a site");
      const names = Array.from(protocols, String);
      const { protocol, port } = await this.connect(
        { path: addressed(path), search: String(search), protocols: names },
        this.#closed.signal,
      );
      reply.postMessage({ protocol }, [port]);
    } catch (error) {
      reply.postMessage({ reason: error instanceof Error ? error.message : String(error) });
    }
  }

  async #answer(path: unknown, request: Requested, reply: MessagePort) {
    try {
      const { status, type, content, hosts, salt, server, rest } = await this.read(addressed(path), checked(request));
      if (this.#closed.signal.aborted) rest?.end();
      this.#closed.signal.throwIfAborted();
      const bytes = bytesOf(content);
      const transferred = rest ? [bytes.buffer, this.#portOf(rest)] : [bytes.buffer];
      reply.postMessage({ status, type, content: bytes.buffer, hosts, salt, server }, transferred);
    } catch (error) {
      reply.postMessage({ reason: error instanceof Error ? error.message : String(error) });
    }
  }
}

function unreachable(base: string) {
  const { hostname, port } = new URL(base);
  const isLocal = hostname.endsWith(".localhost");
  return problem({
    type: "Unsupported",
    message: `Files and servers can't be shown as pages: the browser doesn't reach ${base}, their own origin.`,
    hint: isLocal
      ? `Use a browser that opens names below localhost, such as Chrome, Edge or Firefox. If this page's port is forwarded, forward port ${port}, too. Or read the files.`
      : "Tell the user who runs this host. Or read the files.",
  });
}

/** @param refusal - the browser's message */
function blocked(base: string, refusal: string) {
  return problem({
    type: "Unsupported",
    message: `Files and servers can't be shown as pages: the browser lets ${base}, their own origin, store nothing. ${refusal}`,
    hint: `Allow third-party cookies for ${location.origin}: press the icon for them in the browser's address bar, or add the address in its settings, then open the page again. Or read the files.`,
  });
}

function addressed(path: unknown): string {
  requireSize(path, "request", "The path of a site's request");
  return String(path);
}

/** of a WebSocket that a site's script asks for, in any form */
export interface Opening {
  path?: unknown;
  search?: unknown;
  protocols: Iterable<unknown>;
}

/** of a site's page, in any form */
interface Requested {
  method?: unknown;
  search?: unknown;
  headers: Iterable<[unknown, unknown]>;
  body?: ArrayBuffer | null;
  isDocument?: unknown;
}

/** Check a request, which a site's script could have sent. */
function checked({ method, search, headers, body, isDocument }: Requested): Asked {
  requireSize({ method, search, headers }, "request", "The request of a site");
  requireSize(body, "body", "The body of a site's request");
  return {
    method: String(method),
    isDocument: isDocument === true,
    search: String(search),
    headers: Array.from(headers, ([name, value]) => [String(name), String(value)]),
    // It belongs to the realm of the document in between (confined.ts), so it is no instance of this one's ArrayBuffer.
    body: body && Object.prototype.toString.call(body) === "[object ArrayBuffer]" ? body : null,
  };
}
