// The service worker of a site. It requests files from the surface that has them, through the surface's host.html.
//
// It has no state, because the browser ends it whenever it is idle. Files directly in its folder are the host's own;
// everything below comes from the surface. For files it provides a status, a type and content, but no headers; for a
// server in the page, also the headers that policy.js lets through.

import { confirmedHosts, hostHeaders, redirectOf, saidHeaders, siteHeaders } from "./policy.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const here = new URL(worker.location.href);
const folder = new URL(".", here).href;
const surface = here.searchParams.get("surface") ?? "";
const OWN = /^(?:host\.html|host\.js|worker\.js|gemini-page[a-z-]*\.js)$/;
const TYPE = /^[\w.+-]+\/[\w.+-]+(?:; charset=[\w.:-]+)?$/;
const STATUSES = new Set([200, 301, 404, 405]);
// https://fetch.spec.whatwg.org/#null-body-status and #redirect-status
const NULL_BODY = new Set([204, 205, 304]);
const DOCUMENTS = new Set(["document", "iframe", "frame", "object", "embed"]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
// The interval for checking that a host still exists: there is no event when its process has crashed.
const CHECK_MS = 1_000;

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {string} type
 * @property {ArrayBuffer} content
 * @property {string[]} hosts the other origins that the site may reach, as its origin's name confirms
 * @property {{ port: number, reason: string, headers: [string, string][] } | null} server that answered, if it is no file
 * @property {MessagePort | null} rest answers "more" with the rest of the content
 *
 * @typedef {{ data: any, port: MessagePort | null }} Found an answer as the surface has sent it
 */

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const name = (origin + pathname).slice(folder.length);
  // Developer tools send such requests, which a service worker can't answer.
  const unanswerable = request.cache === "only-if-cached" && request.mode !== "same-origin";
  if (!request.url.startsWith(folder) || unanswerable) return;
  if (!OWN.test(name)) event.respondWith(answer(request, `/${name}`));
  // Documents and workers need a policy, which some hosts don't send.
  else if (request.mode === "navigate" || request.destination.endsWith("worker")) event.respondWith(hostFile(request));
});

// A page asks for a WebSocket to its server (web/page/sockets.js), and gets a port that leads to the surface.
worker.addEventListener("message", (event) => {
  const [reply] = event.ports;
  if (reply && event.data?.socket) event.waitUntil(openSocket(event.data.socket, reply));
});

/** @param {unknown} socket @param {MessagePort} reply */
async function openSocket(socket, reply) {
  try {
    const { data, port } = await askAll({ socket });
    reply.postMessage({ protocol: data.protocol }, port ? [port] : []);
  } catch (error) {
    reply.postMessage({ reason: reasonsOf(error).join(" ") });
  }
}

/** @param {Request} request @returns {Promise<Response>} */
async function hostFile(request) {
  const response = await fetch(request.url);
  const { status, headers, body } = response;
  // The host's own policy comes first, because a site's script may have registered this worker for another surface.
  if (headers.has("content-security-policy")) return response;
  const type = headers.get("content-type") ?? "application/octet-stream";
  return new Response(body, { status, headers: { ...hostHeaders({ folder, surface }), "content-type": type } });
}

/** @param {Request} request @param {string} path percent-encoded @returns {Promise<Response>} */
async function answer(request, path) {
  const asked = { path, request: await described(request) };
  try {
    const { data, port } = await askAll(asked);
    const file = { ...checked(data), hosts: await confirmedHosts(here.hostname, data), rest: port };
    return file.server ? serverResponse(request, path, file) : fileResponse(request, path, file);
  } catch (error) {
    const text = `Open the surface, then reload this page. ${reasonsOf(error).join(" ")}`;
    return errorPage(503, path, "The surface isn't open", text);
  }
}

/** Return the reasons of all surfaces. @param {unknown} error of `askAll`; others are thrown again @returns {string[]} */
function reasonsOf(error) {
  if (!(error instanceof AggregateError)) throw error;
  return error.errors.map(({ message }) => message);
}

/** Return what a server needs to know of a request. @param {Request} request */
async function described(request) {
  const { method, headers, url } = request;
  const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
  const isDocument = DOCUMENTS.has(request.destination);
  return { method, search: new URL(url).search, headers: [...headers, ["user-agent", navigator.userAgent]], body, isDocument };
}

/** @param {Request} request @param {string} path @param {Answer} answer @returns {Response} */
function serverResponse({ url, method }, path, { status, content, hosts, server, rest }) {
  const { port, reason, headers: said } = /** @type {NonNullable<Answer["server"]>} */ (server);
  const headers = new Headers(saidHeaders(said));
  for (const [name, value] of Object.entries(siteHeaders({ folder, path, surface, hosts }))) headers.set(name, value);
  const [, location] = said.find(([name]) => name.toLowerCase() === "location") ?? [];
  const redirects = location !== undefined && REDIRECTS.has(status);
  const isEmpty = method === "HEAD" || NULL_BODY.has(status) || redirects;
  if (isEmpty) rest?.postMessage("end");
  if (redirects) {
    const target = redirectOf(location, { url, port, hosts });
    if (target === null) {
      return errorPage(502, path, "Redirect refused", `The server redirects to ${location}, which its pages can't reach.`);
    }
    headers.set("location", target);
  }
  const body = rest === null ? content : withRest(content, rest);
  return new Response(isEmpty ? null : body, { status, statusText: reason, headers });
}

/**
 * Return content that continues; the port is asked for as much as is read. The worker lives as long because the surface
 * sends it events (host.js): an event of its own that lasts so long would end it after five minutes.
 *
 * @param {ArrayBuffer} content its beginning
 * @param {MessagePort} rest
 */
function withRest(content, rest) {
  let pulled = () => {};
  /** @type {UnderlyingDefaultSource<Uint8Array>} */
  const source = {
    start(controller) {
      if (content.byteLength > 0) controller.enqueue(new Uint8Array(content));
      rest.onmessage = ({ data }) => {
        if (data.check) return rest.postMessage("here");
        if (data.content instanceof ArrayBuffer && data.content.byteLength > 0) controller.enqueue(new Uint8Array(data.content));
        if (data.broken) controller.error(new TypeError("The server's answer broke off."));
        else if (data.ends) controller.close();
        if (data.broken || data.ends) rest.close();
        pulled();
      };
    },
    pull: () => new Promise((resolve) => {
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

/** @param {Request} request @param {string} path @param {Answer} file */
function fileResponse(request, path, { status, type, content, hosts }) {
  if (status === 405) {
    return errorPage(405, path, "Method not allowed", `Sites have no server that accepts ${request.method}. Use GET or HEAD.`);
  }
  const headers = { ...siteHeaders({ folder, path, surface, hosts }), "content-type": type };
  if (status !== 301) return new Response(request.method === "HEAD" ? null : content, { status, headers });
  // Relative links in a directory's page need the trailing slash.
  const { origin, pathname, search } = new URL(request.url);
  return new Response(null, { status, headers: { ...headers, location: `${origin}${pathname}/${search}` } });
}

/**
 * Ask the surfaces: there may be one in several tabs of the browser, and one of them has the site.
 * @param {object} asked
 * @returns {Promise<Found>} rejects with an AggregateError if none has it
 */
async function askAll(asked) {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const hosts = windows.filter(({ url }) => url.startsWith(`${folder}host.html`));
  return Promise.any(hosts.map((host) => ask(host, asked)));
}

/** @param {Client} host @param {object} asked @returns {Promise<Found>} rejects if that surface doesn't have the site */
function ask(host, asked) {
  const { port1, port2 } = new MessageChannel();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let checking;
  /** @type {Promise<Found>} */
  const answered = new Promise((resolve, reject) => {
    const closed = () => reject(new Error("It was closed before it answered."));
    port1.onmessage = ({ data, ports: [port] }) => {
      if (data.reason === undefined) resolve({ data, port: port ?? null });
      else reject(new Error(data.reason));
    };
    port1.addEventListener("close", closed);
    checking = setInterval(async () => (await worker.clients.get(host.id)) ?? closed(), CHECK_MS);
    host.postMessage(asked, [port2]);
  });
  return answered.finally(() => {
    clearInterval(checking);
    port1.close();
  });
}

/** @param {any} data @returns {Omit<Answer, "rest" | "hosts">} */
function checked({ status, type, content, server }) {
  const known = server ? Number.isInteger(status) && status >= 200 && status <= 599 : STATUSES.has(status);
  return {
    status: known ? status : 404,
    type: TYPE.test(type) ? type : "application/octet-stream",
    content: content instanceof ArrayBuffer ? content : new ArrayBuffer(0),
    server: server ? checkedServer(server) : null,
  };
}

// https://www.rfc-editor.org/rfc/rfc9110.html#name-field-values
const NAME = /^[!#$%&'*+.^`|~\w-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @param {any} server */
function checkedServer({ port, reason, headers }) {
  /** @type {[string, string][]} */
  const pairs = Array.isArray(headers) ? headers.map(([name, value]) => [String(name), String(value)]) : [];
  return {
    port: Number(port),
    reason: VALUE.test(reason) ? String(reason) : "",
    headers: pairs.filter(([name, value]) => NAME.test(name) && VALUE.test(value)),
  };
}

/** @param {number} status @param {string} path @param {string} title @param {string} text @returns {Response} */
function errorPage(status, path, title, text) {
  const escaped = text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const style = ":root{color-scheme:light dark;font-family:system-ui}body{margin:2rem}";
  const page = `<!doctype html><title>${title}</title><style>${style}</style><h1>${title}</h1><p>${escaped}</p>`;
  const policy = siteHeaders({ folder, path, surface, hosts: [] });
  return new Response(page, { status, headers: { ...policy, "content-type": "text/html; charset=utf-8" } });
}

// Makes this file a module for the type checker.
export {};
