// Records a page's requests, for agents, which can't open developer tools. The browser's own record has no methods and no
// bodies, so this script must be loaded before the page's own.

import * as dom from "./dom.ts";
import { NotFound } from "./errors.ts";
import { watchCalls } from "./hooks.ts";

interface Request {
  id: number;
  method: string;
  url: string;
  /** what has sent it: `fetch`, `xmlhttprequest`, `img`, `script`, … */
  type: string;
  /** null while it is pending, if it failed, and if the browser doesn't report it */
  status: number | null;
  /** of the body, in bytes */
  size: number | null;
  ms: number | null;
  failed?: string;
  /** whether its body can be read */
  has_body?: boolean;
}

const MOST_REQUESTS = 300;
const MOST_BODIES = 30;
const LONGEST_BODY = 100_000;
const DEFAULT_LIMIT = 50;
const TEXT = /json|text|xml|javascript|urlencoded/i;

/** The requests of a page. */
export class NetworkLog {
  #requests: Request[] = [];
  #bodies = new Map<number, string>();
  #last = 0;

  /** Start recording. */
  watch(realm: typeof globalThis) {
    watchCalls(realm, "fetch", (_, [input, init], answer) => this.#onFetch(input, init, answer));
    const opened = new WeakMap();
    watchCalls(realm.XMLHttpRequest.prototype, "open", (request, [method, url]) =>
      opened.set(request, { method, url }),
    );
    watchCalls(realm.XMLHttpRequest.prototype, "send", (request) => this.#onSend(request, opened.get(request)));
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry instanceof PerformanceResourceTiming) this.#onResource(entry);
    });
    observer.observe({ type: "resource", buffered: true });
  }

  /**
   * Return requests, the latest last.
   * @param options - `url`: a part of the URL; `body`: the id of a request whose body to return
   */
  read({
    since,
    url,
    limit = DEFAULT_LIMIT,
    body,
  }: {
    since?: number | null;
    url?: string | null;
    limit?: number;
    body?: number | null;
  } = {}) {
    if (typeof body === "number") return this.#body(body);
    const found = this.#requests.filter((one) => one.id > (since ?? 0) && (!url || one.url.includes(url)));
    const requests = found.slice(-limit).map((one) => (this.#bodies.has(one.id) ? { ...one, has_body: true } : one));
    return { requests, total: found.length, next: this.#last };
  }

  #body(id: number) {
    const text = this.#bodies.get(id);
    const request = this.#requests.find((one) => one.id === id);
    if (text !== undefined && request) return { requests: [request], total: 1, next: this.#last, body: text };
    throw new NotFound(`The body of request ${id} isn't recorded.`, {
      hint: `Only the latest ${MOST_BODIES} texts that scripts have requested are, up to ${LONGEST_BODY} characters.`,
    });
  }

  #add(given: unknown, url: unknown, type: string): Request {
    const method = String(given ?? "GET").toUpperCase();
    const request = { id: ++this.#last, method, url: absolute(url), type, status: null, size: null, ms: null };
    this.#requests.push(request);
    if (this.#requests.length > MOST_REQUESTS) this.#requests.shift();
    return request;
  }

  #onFetch(input: RequestInfo | URL, init: RequestInit | undefined, answer: Promise<Response>) {
    const given: { method?: string; url?: string } = typeof input === "object" && "method" in input ? input : {};
    const request = this.#add(init?.method ?? given.method, given.url ?? input, "fetch");
    const start = performance.now();
    answer.then(
      (response) => {
        request.status = response.status || null;
        request.ms = Math.round(performance.now() - start);
        if (isShortText(response.headers))
          void response
            .clone()
            .text()
            .then(
              (text) => this.#noteBody(request, text),
              () => {},
            );
      },
      (error) => {
        request.failed = String(error?.message ?? error);
        request.ms = Math.round(performance.now() - start);
      },
    );
  }

  #onSend(sent: XMLHttpRequest, opened: { method: string; url: string } | undefined) {
    const request = this.#add(opened?.method, opened?.url ?? "", "xmlhttprequest");
    const start = performance.now();
    sent.addEventListener(
      "loadend",
      () => {
        request.status = sent.status || null;
        request.ms = Math.round(performance.now() - start);
        if (!sent.status) request.failed = "there was no answer";
        else if (sent.responseType === "" || sent.responseType === "text") this.#noteBody(request, sent.responseText);
        else if (sent.responseType === "json") this.#noteBody(request, JSON.stringify(sent.response));
      },
      { once: true },
    );
  }

  #noteBody(request: Request, text: string) {
    request.size ??= new Blob([text]).size;
    this.#bodies.set(request.id, text.slice(0, LONGEST_BODY));
    for (const id of this.#bodies.keys()) {
      if (this.#bodies.size <= MOST_BODIES) break;
      this.#bodies.delete(id);
    }
  }

  /** Add what only the browser knows: sizes, and the requests that no script has sent. */
  #onResource({ name, initiatorType, responseStatus, decodedBodySize, duration }: PerformanceResourceTiming) {
    const byScript = initiatorType === "fetch" || initiatorType === "xmlhttprequest";
    const known = byScript
      ? this.#requests.findLast((one) => one.url === name && one.type === initiatorType)
      : undefined;
    const request = known ?? this.#add("GET", name, initiatorType);
    request.status ??= responseStatus || null;
    request.size ??= decodedBodySize || null;
    request.ms ??= Math.round(duration);
  }
}

function absolute(url: unknown) {
  return URL.parse(String(url), dom.baseURI(document))?.href ?? String(url);
}

function isShortText(headers: Headers) {
  const length = Number(headers.get("content-length") ?? 0);
  return TEXT.test(headers.get("content-type") ?? "") && length <= 10 * LONGEST_BODY;
}
