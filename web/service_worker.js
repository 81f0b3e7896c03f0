// The service worker: with it the page works offline from its second visit on, and is isolated from other origins on
// hosts that can't send the headers for it.
//
// What a build loads stands in folders that are named by the hash of what is in them, so a copy that is kept is as good
// as the host's. The page itself, which names the folders, comes from the host as long as there is one: each load takes
// the newest build, and all of it. This script knows no build, and needs no change for a new one.
//
// Where the kernel shares this origin, its code can change the copies. So documents are served from a copy only if they are
// the very ones that were kept (kept_documents.js), these check their scripts by hash, and no header of a copy is passed on.

import { KeptDocuments } from "./kept_documents.js";
import { openDoor } from "./network_door/open.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const scope = worker.registration.scope;
const FOLDER = /^[a-z]+-[0-9a-f]{16}$/;

const ISOLATION = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

// What holds the kernel, on hosts that send no policy: the page's own origin, and nothing else.
const KERNEL_POLICY = "default-src 'self'; script-src 'self' 'unsafe-eval'; connect-src 'self'; worker-src 'self'";
const door = openDoor(worker);
const documents = new KeptDocuments(new URL(scope).pathname);
// What becomes a document. A copy of a script could be one, too, if its header said so.
const DOCUMENTS = new Set(["document", "iframe", "frame", "object", "embed"]);
const WORKERS = new Set(["worker", "sharedworker"]);
const FRAME = "kernel.html";

// Every version of this script serves every build, so a new one need not wait until the pages of the old one are gone.
worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (door.takes(request)) return event.respondWith(door.answer(request));
  const reads = request.method === "GET" || request.method === "HEAD";
  // The developer tools ask so for what they show, and get nothing through here.
  const unanswerable = request.cache === "only-if-cached" && request.mode !== "same-origin";
  if (reads && !unanswerable && request.url.startsWith(scope)) event.respondWith(answer(request));
});

// `{keep: build}` from a page that runs; the answer through the port says whether it will run offline, too.
worker.addEventListener("message", (event) => {
  event.waitUntil(
    keep(event.data.keep).then(
      (kept) => event.ports[0].postMessage({ kept }),
      (error) => event.ports[0].postMessage({ kept: false, reason: String(error) }),
    ),
  );
});

/** @param {Request} request @returns {Promise<Response>} */
async function answer(request) {
  const folder = folderOf(request.url);
  const isDocument = DOCUMENTS.has(request.destination);
  const kept = folder && !isDocument && (await find(folder, request.url));
  if (kept) return copied(request, kept);
  try {
    return held(request, isolated(await fetch(request)));
  } catch (error) {
    const page = isDocument && (await keptDocument(request.url));
    if (page) return copied(request, page);
    throw error;
  }
}

/** The page, or its kernel's frame, as they were kept. @param {string} url @returns {Promise<Response | null>} */
async function keptDocument(url) {
  const build = await documents.build();
  if (build === null) return null;
  if (isPage(url)) return documents.genuine("page", await find(build, scope));
  const frame = `${scope}${build}/${FRAME}`;
  return url === frame ? documents.genuine("frame", await find(build, frame)) : null;
}

/**
 * Keeps all of a build, and then nothing of others.
 *
 * @param {string} build the name of its folder
 * @returns {Promise<boolean>} false when the host has a newer one by now, which the next load will bring
 */
async function keep(build) {
  const list = await keepFile(`${build}/files.json`);
  /** @type {string[]} */
  const files = await list.json();
  if (!(await keptDocument(scope)) || (await documents.build()) !== build) {
    for (const file of files) await keepFile(file);
    const page = await fetched(scope, { cache: "no-cache" });
    if (!(await page.clone().text()).includes(`"${build}/"`)) return false;
    // From the host: the copy may have been changed by now.
    const frame = await fetched(`${scope}${build}/${FRAME}`, { cache: "no-cache" });
    const kept = await caches.open(scope + build);
    await kept.put(`${scope}${build}/${FRAME}`, frame.clone());
    await kept.put(scope, page.clone());
    // Last of all: a build that is remembered is whole.
    await documents.remember(build, { page, frame });
  }
  const wanted = new Set([build, ...files.map((file) => file.split("/")[0])].map((folder) => scope + folder));
  for (const name of await caches.keys()) {
    // Another surface may stand elsewhere on this origin.
    const ours = name.startsWith(scope) && FOLDER.test(name.slice(scope.length));
    if (ours && !wanted.has(name)) await caches.delete(name);
  }
  return true;
}

/** @param {string} file its path from the page @returns {Promise<Response>} */
async function keepFile(file) {
  const [folder] = file.split("/");
  const kept = await find(folder, scope + file);
  if (kept) return kept;
  const response = await fetched(scope + file);
  await (await caches.open(scope + folder)).put(scope + file, response.clone());
  return response;
}

/** @param {string} url @param {RequestInit} [options] @returns {Promise<Response>} */
async function fetched(url, options) {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return isolated(response);
}

/** @param {string} folder @param {string} url */
function find(folder, url) {
  // The copy is of the decoded content, whatever it varied by.
  return caches.match(url, { cacheName: scope + folder, ignoreVary: true });
}

/** The folder that a URL is in, if its name has a hash. @param {string} url */
function folderOf(url) {
  const [folder] = url.slice(scope.length).split("/");
  return FOLDER.test(folder) ? folder : null;
}

/** @param {string} url */
function isPage(url) {
  const { origin, pathname } = new URL(url);
  return [scope, `${scope}index.html`].includes(origin + pathname);
}

/** A copy with the headers that it has to have, and no others. @param {Request} request @param {Response} response */
function copied({ destination, method }, { body, headers: given }) {
  const headers = new Headers(ISOLATION);
  headers.set("Content-Type", given.get("Content-Type") ?? "application/octet-stream");
  if (WORKERS.has(destination)) headers.set("Content-Security-Policy", KERNEL_POLICY);
  return new Response(method === "HEAD" ? null : body, { headers });
}

/** The same answer with the kernel's policy, if it is a worker's script that has none. @param {Request} request @param {Response} response */
function held({ destination }, response) {
  const { status, statusText, body } = response;
  const bound = response.headers.has("Content-Security-Policy") || !WORKERS.has(destination);
  if (status === 0 || bound) return response;
  const headers = new Headers(response.headers);
  headers.set("Content-Security-Policy", KERNEL_POLICY);
  return new Response(body, { status, statusText, headers });
}

/** The same answer with the headers that isolate a page. @param {Response} response */
function isolated(response) {
  const { status, statusText, body } = response;
  // A redirection has status 0 here, and is the browser's to follow.
  const done = response.headers.has("Cross-Origin-Embedder-Policy") && !response.redirected;
  if (status === 0 || done) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(body, { status, statusText, headers });
}
