// The service worker of the sites: a request for a file goes to the surface that has it, through its host.html.
//
// It keeps no state, since the browser ends it whenever it has nothing to do. What stands directly in its folder is the
// host's own, everything below comes from the surface.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const { scope } = worker.registration;

// As the surface is isolated, so is what it frames (https://html.spec.whatwg.org/multipage/browsers.html#coep).
const ISOLATION = {
  "cross-origin-embedder-policy": "credentialless",
  "cross-origin-resource-policy": "cross-origin",
  "origin-agent-cluster": "?1",
};

/**
 * @typedef {{ status: number, headers: Record<string, string>, content: ArrayBuffer }} Answer
 */

worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = pathOf(request.url);
  // The developer tools ask so for what they show, and get nothing through here.
  const unanswerable = request.cache === "only-if-cached" && request.mode !== "same-origin";
  if (path !== null && !unanswerable) event.respondWith(answer(request, path));
});

/** The path of a file of the surface, percent-encoded; null for what is the host's own. @param {string} url */
function pathOf(url) {
  const { origin, pathname } = new URL(url);
  const path = (origin + pathname).slice(scope.length);
  return path.includes("/") ? `/${path}` : null;
}

/** @param {Request} request @param {string} path @returns {Promise<Response>} */
async function answer(request, path) {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return told(405, "Files can only be read", `There is no server that could take a ${request.method}.`);
  }
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const hosts = windows.filter(({ url }) => url.startsWith(`${scope}host.html`));
  try {
    // Surfaces in several tabs: one of them has the files.
    const { status, headers, content } = await Promise.any(hosts.map((host) => ask(host, path)));
    const { location } = headers;
    const to = location && { location: new URL(location + new URL(request.url).search, request.url).href };
    const shown = request.method === "HEAD" || to ? null : content;
    return new Response(shown, { status, headers: { ...headers, ...to, ...ISOLATION } });
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    const reasons = error.errors.map(({ message }) => message);
    return told(503, "The surface is not there", `Open the surface, then load this page again. ${reasons.join(" ")}`);
  }
}

/** @param {Client} host @param {string} path @returns {Promise<Answer>} rejects where the surface there hasn't the files */
function ask(host, path) {
  const { port1, port2 } = new MessageChannel();
  /** @type {Promise<Answer>} */
  const answered = new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => (data.reason === undefined ? resolve(data) : reject(new Error(data.reason)));
    port1.addEventListener("close", () => reject(new Error("It was closed while it answered.")));
    host.postMessage({ path }, [port2]);
  });
  return answered.finally(() => port1.close());
}

/** @param {number} status @param {string} title @param {string} text @returns {Response} */
function told(status, title, text) {
  const escaped = text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  const style = ":root{color-scheme:light dark;font-family:system-ui}body{margin:2rem}";
  const page = `<!doctype html><title>${title}</title><style>${style}</style><h1>${title}</h1><p>${escaped}</p>`;
  const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", ...ISOLATION };
  return new Response(page, { status, headers });
}

// Names of its own for the checker; the build leaves no trace of it.
export {};
