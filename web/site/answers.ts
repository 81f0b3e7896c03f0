// The responses of a site, made of the surface's answers. The site's service worker uses this, and the surface itself
// where the companion passes requests on (web/ui/companion/site_relay.ts), so both give a page the same policy.
//
// For files the surface provides a status, a type and content, but no headers; for a server in the page, also the headers
// that policy.ts lets through.

import { confirmedHosts, redirectOf, saidHeaders, siteHeaders } from "./policy.ts";

const TYPE = /^[\w.+-]+\/[\w.+-]+(?:; charset=[\w.:-]+)?$/;
const STATUSES = new Set([200, 301, 404, 405]);
// https://fetch.spec.whatwg.org/#null-body-status and #redirect-status
const NULL_BODY = new Set([204, 205, 304]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

interface Answer {
  status: number;
  type: string;
  content: ArrayBuffer;
  /** the other origins that the site may reach, as its origin's name confirms */
  hosts: string[];
  /** that answered, if it is no file */
  server: { port: number; reason: string; headers: [string, string][] } | null;
  /** answers "more" with the rest of the content */
  rest: MessagePort | null;
}

/** what may be in it, since it passes pages */
interface Sent {
  status?: unknown;
  type?: unknown;
  content?: unknown;
  hosts?: unknown;
  salt?: unknown;
  /** of a WebSocket */
  protocol?: unknown;
  server?: { port?: unknown; reason?: unknown; headers?: unknown } | null;
}

/** an answer as the surface has sent it */
export type Found = { data: Sent; port: MessagePort | null };

/** `folder`: the URL of the site; `surface`: the origin that may frame it */
type Place = { folder: string; surface: string };

/** `path`: percent-encoded, below the folder */
type Request = { url: string; method: string; path: string };

/** Return the response to a request. */
export async function respond(place: Place, request: Request, { data, port }: Found): Promise<Response> {
  const answer = { ...checked(data), hosts: await confirmedHosts(new URL(place.folder).hostname, data), rest: port };
  const { server } = answer;
  return server ? serverResponse(place, request, { ...answer, server }) : fileResponse(place, request, answer);
}

function serverResponse(
  place: Place,
  { url, method, path }: Request,
  { status, content, hosts, server, rest }: Answer & { server: NonNullable<Answer["server"]> },
): Response {
  const { port, reason, headers: said } = server;
  const headers = new Headers(saidHeaders(said));
  for (const [name, value] of Object.entries(siteHeaders({ ...place, path, hosts }))) headers.set(name, value);
  const [, location] = said.find(([name]) => name.toLowerCase() === "location") ?? [];
  const redirects = location !== undefined && REDIRECTS.has(status);
  const isEmpty = method === "HEAD" || NULL_BODY.has(status) || redirects;
  if (isEmpty) rest?.postMessage("end");
  if (redirects) {
    const target = redirectOf(location, { url, port, hosts });
    if (target === null) {
      return errorPage(
        place,
        path,
        502,
        "Redirect refused",
        `The server redirects to ${location}, which its pages can't reach.`,
      );
    }
    headers.set("location", target);
  }
  const body = rest === null ? content : withRest(content, rest);
  return new Response(isEmpty ? null : body, { status, statusText: reason, headers });
}

/**
 * Return content that continues; the port is asked for as much as is read. A worker lives as long because the surface
 * sends it events (host.ts): a separate event that lasts so long would end it after five minutes.
 *
 * @param content - its beginning
 */
function withRest(content: ArrayBuffer, rest: MessagePort) {
  let pulled = () => {};
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      if (content.byteLength > 0) controller.enqueue(new Uint8Array(content));
      rest.onmessage = ({ data }) => {
        if (data.check) return rest.postMessage("here");
        if (data.content instanceof ArrayBuffer && data.content.byteLength > 0)
          controller.enqueue(new Uint8Array(data.content));
        if (data.broken) controller.error(new TypeError("The server's answer broke off."));
        else if (data.ends) controller.close();
        if (data.broken || data.ends) rest.close();
        pulled();
      };
    },
    pull: () =>
      new Promise((resolve) => {
        pulled = () => resolve(undefined);
        rest.postMessage("more");
      }),
    cancel() {
      rest.postMessage("end");
      rest.close();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

function fileResponse(place: Place, { url, method, path }: Request, { status, type, content, hosts }: Answer) {
  if (status === 405) {
    return errorPage(
      place,
      path,
      405,
      "Method not allowed",
      `Sites have no server that accepts ${method}. Use GET or HEAD.`,
    );
  }
  const headers = { ...siteHeaders({ ...place, path, hosts }), "content-type": type };
  if (status !== 301) return new Response(method === "HEAD" ? null : content, { status, headers });
  // Relative links in a directory's page need the trailing slash.
  const { origin, pathname, search } = new URL(url);
  return new Response(null, { status, headers: { ...headers, location: `${origin}${pathname}/${search}` } });
}

function checked({ status, type, content, server }: Sent): Omit<Answer, "rest" | "hosts"> {
  const number = typeof status === "number" ? status : Number.NaN;
  const known = server ? Number.isInteger(number) && number >= 200 && number <= 599 : STATUSES.has(number);
  return {
    status: known ? number : 404,
    type: typeof type === "string" && TYPE.test(type) ? type : "application/octet-stream",
    content: content instanceof ArrayBuffer ? content : new ArrayBuffer(0),
    server: server ? checkedServer(server) : null,
  };
}

// https://www.rfc-editor.org/rfc/rfc9110.html#name-field-values
const NAME = /^[!#$%&'*+.^`|~\w-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

function checkedServer({ port, reason, headers }: NonNullable<Sent["server"]>) {
  const pairs: [string, string][] = Array.isArray(headers)
    ? headers.map(([name, value]) => [String(name), String(value)])
    : [];
  return {
    port: Number(port),
    reason: VALUE.test(String(reason)) ? String(reason) : "",
    headers: pairs.filter(([name, value]) => NAME.test(name) && VALUE.test(value)),
  };
}

export function errorPage(place: Place, path: string, status: number, title: string, text: string): Response {
  const escaped = text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const style = ":root{color-scheme:light dark;font-family:system-ui}body{margin:2rem}";
  const page = `<!doctype html><title>${title}</title><style>${style}</style><h1>${title}</h1><p>${escaped}</p>`;
  const policy = siteHeaders({ ...place, path, hosts: [] });
  return new Response(page, { status, headers: { ...policy, "content-type": "text/html; charset=utf-8" } });
}
