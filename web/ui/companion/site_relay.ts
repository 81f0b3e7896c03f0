/**
 * Sites whose requests the companion passes on (py/gemini_companion/serving/site_relay.py), because the browser refuses
 * service workers to their frames: it blocks what frames of other sites store. Each site keeps its origin, and its
 * responses are those that its worker would create.
 */

import { respond, type Found } from "../../site/answers.ts";
import { base64, bytesOf } from "../lib/base64.ts";

/** a request of a site's page */
export interface Asked {
  method: string;
  search: string;
  headers: [string, string][];
  body: ArrayBuffer | null;
  isDocument: boolean;
}

// A message to the companion has at most 64 MB.
const PIECE = 8 * 1024 * 1024;

type Ask = (asked: { path: string; request: Asked }) => Promise<Found>;

/** a request for a file of a site */
interface Relayed {
  label: string;
  path: string;
  method: string;
  search: string;
  headers: [string, string][];
  /** in base64 */
  body: string;
  is_document: boolean;
}

export class SiteRelay {
  /** By their labels. */
  #sites = new Map<string, { base: string; ask: Ask }>();
  /** Contents that the companion hasn't read to their ends. */
  #contents = new Map<number, Content>();
  #lastContent = 0;

  /** Return whether the companion can be asked. */
  connected = false;
  request: (method: string, params: object) => Promise<unknown>;

  /** @param request - sends a request to the companion */
  constructor(request: (method: string, params: object) => Promise<unknown>) {
    this.request = request;
  }

  /** Serve a site until `signal`. */
  async serve(base: string, ask: Ask, signal: AbortSignal) {
    const [label] = new URL(base).hostname.split(".");
    signal.throwIfAborted();
    this.#sites.set(label, { base, ask });
    signal.addEventListener("abort", () => {
      this.#sites.delete(label);
      if (this.connected) this.request("sites/leave", { label }).catch(ignoreLost);
    });
    await this.request("sites/serve", { label });
  }

  /** The companion is connected, perhaps again. */
  connect() {
    this.connected = true;
    for (const label of this.#sites.keys()) this.request("sites/serve", { label }).catch(ignoreLost);
  }

  /** The companion is gone, and its requests with it. */
  lose() {
    this.connected = false;
    for (const content of this.#contents.values()) content.end();
    this.#contents.clear();
  }

  /** Answer a request of the companion. */
  async receive(method: string, params: Relayed & { content: number }): Promise<object> {
    if (method === "sites/request") return this.#answer(params);
    const content = this.#contents.get(params.content);
    if (!content) throw new Error("This content was read to its end.");
    if (method === "sites/more") return this.#more(params.content, content);
    this.#contents.delete(params.content);
    content.end();
    return {};
  }

  async #answer({ label, path, method, search, headers, body, is_document: isDocument }: Relayed) {
    const site = this.#sites.get(label);
    if (!site) throw new Error("No tab shows this site.");
    const request = { method, search, headers, body: body ? bytesOf(body).buffer : null, isDocument };
    const found = await site.ask({ path, request });
    const place = { folder: site.base, surface: location.origin };
    const response = await respond(place, { url: `${site.base}${path.slice(1)}${search}`, method, path }, found);
    const streams = found.port !== null && response.body !== null;
    const whole = streams ? new Uint8Array() : new Uint8Array(await response.arrayBuffer());
    const id = ++this.#lastContent;
    const content = new Content(whole, streams ? response.body : null);
    this.#contents.set(id, content);
    // What streams may not have begun.
    const first = streams ? { piece: "", ends: false } : await this.#more(id, content);
    return { status: response.status, headers: [...response.headers], content: id, ...first };
  }

  async #more(id: number, content: Content) {
    const { piece, ends } = await content.read().catch(() => {
      // The reason is the page's: the companion breaks the answer off.
      this.#contents.delete(id);
      throw new Error("The server's answer broke off.");
    });
    if (ends) this.#contents.delete(id);
    return { piece: base64(piece), ends };
  }
}

/** The content of a response, read in pieces that fit a message. */
class Content {
  #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBufferLike>> | null;
  #left: Uint8Array;

  /** @param rest - what follows, if it streams */
  constructor(whole: Uint8Array, rest: ReadableStream<Uint8Array> | null) {
    this.#left = whole;
    this.#reader = rest?.getReader() ?? null;
  }

  async read(): Promise<{ piece: Uint8Array; ends: boolean }> {
    if (this.#left.length === 0 && this.#reader) {
      const { value, done } = await this.#reader.read();
      if (done) return { piece: new Uint8Array(), ends: true };
      this.#left = value;
    }
    const piece = this.#left.subarray(0, PIECE);
    this.#left = this.#left.subarray(PIECE);
    return { piece, ends: this.#reader === null && this.#left.length === 0 };
  }

  end() {
    void this.#reader?.cancel().catch(ignoreLost);
  }
}

/** The companion disconnected, which has ended all this. */
function ignoreLost() {}
