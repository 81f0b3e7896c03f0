/**
 * The network door in a service worker, for hosts without a companion. It holds a request from the kernel until the
 * page allows it, and then fetches it, without cookies, from hosts that allow other origins (CORS), or git's requests
 * through the proxy that the page names.
 */

import { accessOf, checkBody, parseCall, Problem, type Call, type Facts } from "./call.ts";
import { addressAt, hasCredentials, isOfGit, passed } from "./git.ts";
import { ANSWER, PATH, PROBLEM, REQUEST } from "./protocol.ts";

const KEY = /^[\w-]{1,64}$/;
// A page must claim its key within this time.
const CLAIM_MS = 5_000;
const INERT = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
};
// Headers that scripts can't read from another origin, or that are wrong for a body that the browser has decoded.
const HIDDEN = ["content-encoding", "content-length", "set-cookie"];

interface NetworkDoorOptions {
  /** the service worker's */
  scope: string;
  pages: () => Promise<readonly { postMessage(message: object, transfer: Transferable[]): void }[]>;
  fetch: typeof globalThis.fetch;
}

/** sent to pages, with a port */
export type Question = { networkDoor: { key: string; facts: Facts; words: object } };

export class NetworkDoor {
  address: string;
  pages: () => Promise<readonly { postMessage(message: object, transfer: Transferable[]): void }[]>;
  fetch: typeof globalThis.fetch;

  constructor({ scope, pages, fetch }: NetworkDoorOptions) {
    this.address = scope + PATH;
    this.pages = pages;
    this.fetch = fetch;
  }

  takes(request: Request) {
    return request.url.startsWith(this.address);
  }

  async answer(request: Request): Promise<Response> {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { name: type, message, hint } = error;
      return new Response(null, { status: 403, headers: { ...INERT, [PROBLEM]: ascii({ type, message, hint }) } });
    }
  }

  async #answer(request: Request) {
    const key = request.url.slice(this.address.length);
    // The door serves no scripts, workers, documents or images.
    const scripted = request.destination === "" && ["cors", "same-origin"].includes(request.mode);
    if (request.method !== "POST" || !scripted || !KEY.test(key))
      throw new Problem("RequestMalformed", "the door answers fetch and XMLHttpRequest only");
    const call = parseCall(request.headers.get(REQUEST) ?? "");
    const body = await request.blob();
    checkBody(call, body.size);
    const { url, method, words } = call;
    const facts: Facts = {
      url,
      method,
      bytes: body.size,
      origin: new URL(url).origin,
      access: accessOf(call, body.size),
    };
    if (isOfGit(call) && !hasCredentials(call)) facts.git = true;
    const proxy = await this.#ask({ key, facts, words }, request.signal);
    return this.#fetched(call, body, request, facts.git ? proxy : undefined);
  }

  /** @returns the proxy that the user has allowed, for git's requests */
  async #ask(question: { key: string; facts: Facts; words: object }, signal: AbortSignal): Promise<string | undefined> {
    const pages = await this.pages();
    const asked = new AbortController();
    const answered = new Promise<string | undefined>((resolve, reject) => {
      const unclaimed = () =>
        reject(new Problem("PageUnknown", "no page in this browser answers for the request", "Reload the page."));
      const timer = setTimeout(unclaimed, CLAIM_MS);
      for (const page of pages) {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => {
          clearTimeout(timer);
          if ("claimed" in data) return;
          if (data.allowed) resolve(data.proxy);
          else
            reject(
              new Problem(
                "ConsentRefused",
                `${question.facts.method} ${question.facts.origin} was not sent: ${data.problem}`,
              ),
            );
        };
        asked.signal.addEventListener("abort", () => port1.close());
        signal.addEventListener("abort", () => port1.postMessage({ withdrawn: true }));
        page.postMessage({ networkDoor: question }, [port2]);
      }
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    return answered.finally(() => asked.abort());
  }

  async #fetched(call: Call, body: Blob, request: Request, proxy?: string) {
    const { url, method, headers, redirect } = call;
    const sent = new Headers(headers);
    const type = request.headers.get("content-type");
    if (body.size && type && !sent.has("content-type")) sent.set("content-type", type);
    const address = proxy === undefined ? url : addressAt(proxy, url);
    const answer = await this.fetch(address, {
      method,
      headers: proxy === undefined ? sent : passed(sent),
      body: body.size ? body : undefined,
      signal: request.signal,
      mode: "cors",
      credentials: "omit",
      redirect: "manual",
      referrerPolicy: "no-referrer",
      cache: "no-store",
    }).catch((error) => {
      if (request.signal.aborted) throw error;
      const { origin } = new URL(address);
      throw new Problem(
        "HostUnreachable",
        `${origin} can't be reached from a page: it is down, or doesn't allow other origins (CORS)`,
        hintFor(call),
      );
    });
    // The user hasn't allowed the redirect's target, and the browser doesn't reveal it.
    if (answer.type === "opaqueredirect") {
      throw new Problem(
        "RedirectRefused",
        `${url} redirects elsewhere${redirect === "error" ? ", which the request forbids" : ""}`,
        "Request the final URL, or use the companion.",
      );
    }
    const head = {
      status: answer.status,
      reason: answer.statusText,
      url,
      redirected: false,
      headers: [...answer.headers].filter(([name]) => !HIDDEN.includes(name)),
    };
    const charset = /;\s*charset\s*=\s*"?([\w:.-]{1,40})/i.exec(answer.headers.get("content-type") ?? "");
    const kind = `application/octet-stream${charset ? `; charset=${charset[1]}` : ""}`;
    return new Response(answer.body, { headers: { ...INERT, [ANSWER]: ascii(head), "Content-Type": kind } });
  }
}

/** @param call - that can't be sent */
function hintFor(call: Call) {
  if (!isOfGit(call)) return "Use the companion to reach hosts without CORS.";
  if (hasCredentials(call)) return "Use the companion. Requests with credentials don't take the CORS proxy.";
  return "Use the companion, or enter a CORS proxy for git in the settings.";
}

/** Encode a value as ASCII JSON, for a header. */
function ascii(value: unknown) {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
