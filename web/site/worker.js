// The service worker of a site: a request for a file goes to the surface that has it, through its host.html.
//
// It keeps no state, since the browser ends it whenever it has nothing to do. What stands directly in its folder is the
// host's own, everything below comes from the surface. It takes a status, a type and content from there, no headers.

import { hostHeaders, reachesOut, siteHeaders } from "./policy.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const here = new URL(worker.location.href);
const folder = new URL(".", here).href;
const surface = here.searchParams.get("surface") ?? "";
const OWN = /^(?:host\.html|host\.js|worker\.js|gemini-page[a-z-]*\.js)$/;
const TYPE = /^[\w.+-]+\/[\w.+-]+(?:; charset=[\w.:-]+)?$/;
const STATUSES = new Set([200, 301, 404]);
// How often a host that hasn't answered is looked for. The browser says nothing where its process has crashed.
const LOOK_MS = 1_000;

/**
 * @typedef {{ status: number, type: string, content: ArrayBuffer, outside: boolean }} Answer `outside` counts only where
 *   all sites share an origin
 */

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const name = (origin + pathname).slice(folder.length);
  // The developer tools ask so for what they show, and get nothing through here.
  const unanswerable = request.cache === "only-if-cached" && request.mode !== "same-origin";
  if (!request.url.startsWith(folder) || unanswerable) return;
  if (!OWN.test(name)) event.respondWith(answer(request, `/${name}`));
  // As a document or a worker it needs a policy, which not every host sends.
  else if (request.mode === "navigate" || request.destination.endsWith("worker")) event.respondWith(own(request));
});

/** @param {Request} request @returns {Promise<Response>} */
async function own(request) {
  const response = await fetch(request.url);
  const { status, headers, body } = response;
  // A site's script may have registered this worker for a surface that isn't there; the host's word lets the true one in.
  if (headers.has("content-security-policy")) return response;
  const type = headers.get("content-type") ?? "application/octet-stream";
  return new Response(body, { status, headers: { ...hostHeaders({ folder, surface }), "content-type": type } });
}

/** @param {Request} request @param {string} path percent-encoded @returns {Promise<Response>} */
async function answer(request, path) {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return told(405, path, "Files can only be read", `There is no server that could take a ${request.method}.`);
  }
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const hosts = windows.filter(({ url }) => url.startsWith(`${folder}host.html`));
  try {
    // Surfaces in several tabs: one of them has the files.
    const given = await Promise.any(hosts.map((host) => ask(host, path)));
    return shown(request, path, given);
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    const reasons = error.errors.map(({ message }) => message);
    return told(503, path, "The surface is not there", `Open the surface, then load this page again. ${reasons.join(" ")}`);
  }
}

/** @param {Request} request @param {string} path @param {Answer} given */
function shown(request, path, { status, type, content, outside }) {
  const headers = { ...siteHeaders({ folder, path, surface, outside: allowed(outside) }), "content-type": type };
  if (status !== 301) return new Response(request.method === "HEAD" ? null : content, { status, headers });
  // Relative links in a directory's page need the slash.
  const { origin, pathname, search } = new URL(request.url);
  return new Response(null, { status, headers: { ...headers, location: `${origin}${pathname}/${search}` } });
}

/** Where each site has an origin, that decides; a site could forge what a message says. @param {boolean} said */
function allowed(said) {
  return reachesOut(here.hostname) ?? said;
}

/** @param {Client} host @param {string} path @returns {Promise<Answer>} rejects where the surface there hasn't the files */
function ask(host, path) {
  const { port1, port2 } = new MessageChannel();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let looking;
  /** @type {Promise<Answer>} */
  const answered = new Promise((resolve, reject) => {
    const closed = () => reject(new Error("It was closed while it answered."));
    port1.onmessage = ({ data }) => (data.reason === undefined ? resolve(checked(data)) : reject(new Error(data.reason)));
    port1.addEventListener("close", closed);
    looking = setInterval(async () => (await worker.clients.get(host.id)) ?? closed(), LOOK_MS);
    host.postMessage({ path }, [port2]);
  });
  return answered.finally(() => {
    clearInterval(looking);
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
function told(status, path, title, text) {
  const escaped = text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const style = ":root{color-scheme:light dark;font-family:system-ui}body{margin:2rem}";
  const page = `<!doctype html><title>${title}</title><style>${style}</style><h1>${title}</h1><p>${escaped}</p>`;
  const policy = siteHeaders({ folder, path, surface, outside: false });
  return new Response(page, { status, headers: { ...policy, "content-type": "text/html; charset=utf-8" } });
}

// Names of its own for the checker; the build leaves no trace of it.
export {};
