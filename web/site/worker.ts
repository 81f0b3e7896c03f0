// The service worker of a site. It requests files from the surface that has them, through the surface's host.html.
//
// It has no state, because the browser ends it whenever it is idle. Files directly in its folder are the host's own;
// everything below comes from the surface.

import { errorPage, respond, type Found } from "./answers.ts";
import { hostHeaders } from "./policy.ts";

// The types of pages say `Window` here; this is a worker.
const worker = self as unknown as ServiceWorkerGlobalScope;
const here = new URL(worker.location.href);
const folder = new URL(".", here).href;
const surface = here.searchParams.get("surface") ?? "";
const OWN = /^(?:host\.html|host\.js|worker\.js|gemini-page[a-z-]*\.js)$/;
const DOCUMENTS = new Set(["document", "iframe", "frame", "object", "embed"]);
// The interval for checking that a host still exists: there is no event when its process has crashed.
const CHECK_MS = 1_000;

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

// A page asks for a WebSocket to its server (web/page/sockets.ts), and gets a port that leads to the surface.
worker.addEventListener("message", (event) => {
  const [reply] = event.ports;
  if (reply && event.data?.socket) event.waitUntil(openSocket(event.data.socket, reply));
});

async function openSocket(socket: unknown, reply: MessagePort) {
  try {
    const { data, port } = await askAll({ socket });
    reply.postMessage({ protocol: data.protocol }, port ? [port] : []);
  } catch (error) {
    reply.postMessage({ reason: reasonsOf(error).join(" ") });
  }
}

async function hostFile(request: Request): Promise<Response> {
  const response = await fetch(request.url);
  const { status, headers, body } = response;
  // The host's own policy comes first, because a site's script may have registered this worker for another surface.
  if (headers.has("content-security-policy")) return response;
  const type = headers.get("content-type") ?? "application/octet-stream";
  return new Response(body, { status, headers: { ...hostHeaders({ folder, surface }), "content-type": type } });
}

/** @param path - percent-encoded */
async function answer(request: Request, path: string): Promise<Response> {
  const asked = { path, request: await described(request) };
  const { url, method } = request;
  try {
    return await respond({ folder, surface }, { url, method, path }, await askAll(asked));
  } catch (error) {
    const text = `Open the surface, then reload this page. ${reasonsOf(error).join(" ")}`;
    return errorPage({ folder, surface }, path, 503, "The surface isn't open", text);
  }
}

/**
 * Return the reasons of all surfaces.
 * @param error - of `askAll`; others are thrown again
 */
function reasonsOf(error: unknown): string[] {
  if (!(error instanceof AggregateError)) throw error;
  return error.errors.map(({ message }) => message);
}

/** Return what a server needs to know of a request. */
async function described(request: Request) {
  const { method, headers, url } = request;
  const body = method === "GET" || method === "HEAD" ? null : await request.arrayBuffer();
  const isDocument = DOCUMENTS.has(request.destination);
  return {
    method,
    search: new URL(url).search,
    headers: [...headers, ["user-agent", navigator.userAgent]],
    body,
    isDocument,
  };
}

/**
 * Ask the surfaces: there may be one in several tabs of the browser, and one of them has the site.
 * @returns rejects with an AggregateError if none has it
 */
async function askAll(asked: object): Promise<Found> {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const hosts = windows.filter(({ url }) => url.startsWith(`${folder}host.html`));
  return Promise.any(hosts.map((host) => ask(host, asked)));
}

/** @returns rejects if that surface doesn't have the site */
function ask(host: Client, asked: object): Promise<Found> {
  const { port1, port2 } = new MessageChannel();
  let checking: ReturnType<typeof setInterval> | undefined;
  const answered = new Promise<Found>((resolve, reject) => {
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
