// The service worker. The page works offline from its second visit on, and is cross-origin isolated on hosts that can't
// send the headers for it.
//
// A build's files are in folders named by the hash of their contents, so a saved copy is as good as the host's. The
// page itself, which names the folders, comes from the host if it answers: each load uses the newest build
// completely. This script contains nothing of a build, so it needs no change for a new one.
//
// If the kernel shares this origin, its code can change the copies. So a document is served from a copy only if its
// hash is recorded (saved_documents.ts), documents check their scripts by hash, and a copy's headers are never used.

import { openDoor } from "./network_door/open.ts";
import { SavedDocuments } from "./saved_documents.ts";

// The types of pages say `Window` here; this is a worker.
const worker = self as unknown as ServiceWorkerGlobalScope;
const scope = worker.registration.scope;
const FOLDER = /^[a-z]+-[0-9a-f]{16}$/;
// The model for search by meaning saves its folder here when the user turns it on, and deletes earlier ones (web/meaning).
const OF_MODEL = /^meaning-/;

const ISOLATION = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

// The kernel's policy on hosts that send none: it can reach only the page's origin.
const KERNEL_POLICY = "default-src 'self'; script-src 'self' 'unsafe-eval'; connect-src 'self'; worker-src 'self'";
const door = openDoor(worker);
const documents = new SavedDocuments(new URL(scope).pathname);
// Requests with these destinations create documents.
const DOCUMENTS = new Set(["document", "iframe", "frame", "object", "embed"]);
const WORKERS = new Set(["worker", "sharedworker"]);
const FRAME = "kernel.html";

// Every version of this script serves every build, so a new version needn't wait until the old one's pages are closed.
worker.addEventListener("install", () => worker.skipWaiting());

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (door.takes(request)) return event.respondWith(door.answer(request));
  const reads = request.method === "GET" || request.method === "HEAD";
  // Developer tools send such requests, which a service worker can't answer.
  const unanswerable = request.cache === "only-if-cached" && request.mode !== "same-origin";
  if (reads && !unanswerable && request.url.startsWith(scope)) event.respondWith(answer(request));
});

// A page sends `{save: build}`; the answer through the port says whether it can run offline. It sends `{used: file}` for a
// file that `save` leaves out, when it has used it.
worker.addEventListener("message", (event) => {
  const { used } = event.data;
  if (typeof used === "string") return event.waitUntil(saveUsed(used));
  event.waitUntil(
    save(event.data.save).then(
      (saved) => event.ports[0].postMessage({ saved }),
      (error) => event.ports[0].postMessage({ saved: false, reason: String(error) }),
    ),
  );
});

// Chrome on Android shows the page's notifications only by this worker (ui/panels/inbox/notifications.ts).
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPanel(event.notification.data?.panel));
});

/** Focus the page, which opens the panel, or open it. */
async function showPanel(panel: string) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url, frameType }) => frameType !== "nested" && isPage(url));
  if (page === undefined) {
    await worker.clients.openWindow(scope);
    return;
  }
  page.postMessage({ pressed: panel });
  await page.focus();
}

async function answer(request: Request): Promise<Response> {
  const folder = folderOf(request.url);
  const isDocument = DOCUMENTS.has(request.destination);
  const copy = folder && !isDocument && (await find(folder, request.url));
  if (copy) return fromCopy(request, copy);
  try {
    return withKernelPolicy(request, withIsolation(await fetch(request)));
  } catch (error) {
    const page = isDocument && (await savedDocument(request.url));
    if (page) return fromCopy(request, page);
    throw error;
  }
}

/** Return the saved page or kernel's frame, or null. */
async function savedDocument(url: string): Promise<Response | null> {
  const build = await documents.build();
  if (build === null) return null;
  if (isPage(url)) return documents.genuine("page", await find(build, scope));
  const frame = `${scope}${build}/${FRAME}`;
  return url === frame ? documents.genuine("frame", await find(build, frame)) : null;
}

/**
 * Save all files of a build, then delete other builds' files.
 *
 * @param build - the name of its folder
 * @returns false if the host has a newer build, which the next load will use
 */
async function save(build: string): Promise<boolean> {
  const list = await saveFile(`${build}/files.json`);
  const files: string[] = await list.json();
  if (!(await savedDocument(scope)) || (await documents.build()) !== build) {
    for (const file of files) await saveFile(file);
    const page = await fetched(scope, { cache: "no-cache" });
    if (!(await page.clone().text()).includes(`"${build}/"`)) return false;
    // Fetch it from the host, because the copy may have been changed.
    const frame = await fetched(`${scope}${build}/${FRAME}`, { cache: "no-cache" });
    const cache = await caches.open(scope + build);
    await cache.put(`${scope}${build}/${FRAME}`, frame.clone());
    await cache.put(scope, page.clone());
    // The record comes last, so that a recorded build is complete.
    await documents.record(build, { page, frame });
  }
  const wanted = new Set([build, ...files.map((file) => file.split("/")[0])].map((folder) => scope + folder));
  for (const name of await caches.keys()) {
    // Leave the caches of other surfaces on this origin.
    const folder = name.startsWith(scope) ? name.slice(scope.length) : "";
    const ours = FOLDER.test(folder) && !OF_MODEL.test(folder);
    if (ours && !wanted.has(name)) await caches.delete(name);
  }
  return true;
}

/** Save a file of a build for offline visits. */
async function saveUsed(file: string) {
  const isOfBuild = folderOf(scope + file) !== null && new URL(scope + file).href === scope + file;
  if (!isOfBuild) return;
  try {
    await saveFile(file);
  } catch (error) {
    // It was shown; it only isn't there offline, as for a full disk.
    console.info("A part of the page could not be saved for offline use.", error);
  }
}

/** @param file - its path relative to the page */
async function saveFile(file: string): Promise<Response> {
  const [folder] = file.split("/");
  const saved = await find(folder, scope + file);
  if (saved) return saved;
  const response = await fetched(scope + file);
  await (await caches.open(scope + folder)).put(scope + file, response.clone());
  return response;
}

async function fetched(url: string, options?: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return withIsolation(response);
}

function find(folder: string, url: string) {
  // Copies contain decoded content, so they fit any Accept-Encoding.
  return caches.match(url, { cacheName: scope + folder, ignoreVary: true });
}

/** Return the folder that a URL is in if its name has a hash, else null. */
function folderOf(url: string) {
  const [folder] = url.slice(scope.length).split("/");
  return FOLDER.test(folder) ? folder : null;
}

function isPage(url: string) {
  const { origin, pathname } = new URL(url);
  return [scope, `${scope}index.html`].includes(origin + pathname);
}

/** Create a response from a copy, with its own type but none of its other headers. */
function fromCopy({ destination, method }: Request, { body, headers: copied }: Response) {
  const headers = new Headers(ISOLATION);
  headers.set("Content-Type", copied.get("Content-Type") ?? "application/octet-stream");
  if (WORKERS.has(destination)) headers.set("Content-Security-Policy", KERNEL_POLICY);
  return new Response(method === "HEAD" ? null : body, { headers });
}

/** Add the kernel's policy to a worker's script that has no policy. */
function withKernelPolicy({ destination }: Request, response: Response) {
  const { status, statusText, body } = response;
  const done = response.headers.has("Content-Security-Policy") || !WORKERS.has(destination);
  if (status === 0 || done) return response;
  const headers = new Headers(response.headers);
  headers.set("Content-Security-Policy", KERNEL_POLICY);
  return new Response(body, { status, statusText, headers });
}

/** Add the headers of cross-origin isolation. */
function withIsolation(response: Response) {
  const { status, statusText, body } = response;
  // A redirect has status 0 here; the browser follows it.
  const done = response.headers.has("Cross-Origin-Embedder-Policy") && !response.redirected;
  if (status === 0 || done) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(body, { status, statusText, headers });
}
