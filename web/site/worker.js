// The service worker of a site. It requests files from the surface that has them, through the surface's host.html.
//
// It has no state, because the browser ends it whenever it is idle. Files directly in its folder are the host's own;
// everything below comes from the surface, which provides a status, a type and content, but no headers.

import { hostHeaders, reachesOut, siteHeaders } from "./policy.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const here = new URL(worker.location.href);
const folder = new URL(".", here).href;
const surface = here.searchParams.get("surface") ?? "";
const OWN = /^(?:host\.html|host\.js|worker\.js|gemini-page[a-z-]*\.js)$/;
const TYPE = /^[\w.+-]+\/[\w.+-]+(?:; charset=[\w.:-]+)?$/;
const STATUSES = new Set([200, 301, 404]);
// The interval for checking that a host still exists: there is no event when its process has crashed.
const CHECK_MS = 1_000;

/**
 * @typedef {{ status: number, type: string, content: ArrayBuffer, outside: boolean }} Answer `outside` counts only if
 *   all sites share an origin
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
  if (request.method !== "GET" && request.method !== "HEAD") {
    return errorPage(405, path, "Method not allowed", `Sites have no server that accepts ${request.method}. Use GET or HEAD.`);
  }
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const hosts = windows.filter(({ url }) => url.startsWith(`${folder}host.html`));
  try {
    // With surfaces in several tabs, one of them has the files.
    const file = await Promise.any(hosts.map((host) => requestFile(host, path)));
    return fileResponse(request, path, file);
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    const reasons = error.errors.map(({ message }) => message);
    return errorPage(503, path, "The surface isn't open", `Open the surface, then reload this page. ${reasons.join(" ")}`);
  }
}

/** @param {Request} request @param {string} path @param {Answer} file */
function fileResponse(request, path, { status, type, content, outside }) {
  const headers = { ...siteHeaders({ folder, path, surface, outside: allowed(outside) }), "content-type": type };
  if (status !== 301) return new Response(request.method === "HEAD" ? null : content, { status, headers });
  // Relative links in a directory's page need the trailing slash.
  const { origin, pathname, search } = new URL(request.url);
  return new Response(null, { status, headers: { ...headers, location: `${origin}${pathname}/${search}` } });
}

/** Return whether the site may reach other origins. Its origin decides if it says so: a site could forge a message. @param {boolean} outside */
function allowed(outside) {
  return reachesOut(here.hostname) ?? outside;
}

/** @param {Client} host @param {string} path @returns {Promise<Answer>} rejects if that surface doesn't have the files */
function requestFile(host, path) {
  const { port1, port2 } = new MessageChannel();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let checking;
  /** @type {Promise<Answer>} */
  const answered = new Promise((resolve, reject) => {
    const closed = () => reject(new Error("It was closed before it answered."));
    port1.onmessage = ({ data }) => (data.reason === undefined ? resolve(checked(data)) : reject(new Error(data.reason)));
    port1.addEventListener("close", closed);
    checking = setInterval(async () => (await worker.clients.get(host.id)) ?? closed(), CHECK_MS);
    host.postMessage({ path }, [port2]);
  });
  return answered.finally(() => {
    clearInterval(checking);
    port1.close();
  });
}

/** @param {any} data @returns {Answer} */
function checked({ status, type, content, outside }) {
  return {
    status: STATUSES.has(status) ? status : 404,
    type: TYPE.test(type) ? type : "application/octet-stream",
    content: content instanceof ArrayBuffer ? content : new ArrayBuffer(0),
    outside: outside === true,
  };
}

/** @param {number} status @param {string} path @param {string} title @param {string} text @returns {Response} */
function errorPage(status, path, title, text) {
  const escaped = text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const style = ":root{color-scheme:light dark;font-family:system-ui}body{margin:2rem}";
  const page = `<!doctype html><title>${title}</title><style>${style}</style><h1>${title}</h1><p>${escaped}</p>`;
  const policy = siteHeaders({ folder, path, surface, outside: false });
  return new Response(page, { status, headers: { ...policy, "content-type": "text/html; charset=utf-8" } });
}

// Makes this file a module for the type checker.
export {};
