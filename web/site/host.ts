// The surface's frame on a site's origin. It starts the site's service worker and forwards its requests to the surface.
//
// A site's scripts can access this document, so it decides nothing: the surface answers for this site only, and the
// worker writes the policy.

const { port1: surface, port2 } = new MessageChannel();

navigator.serviceWorker?.addEventListener("message", ({ data, ports }) => {
  // The answer goes straight from the surface to the worker.
  surface.postMessage({ path: data.path, request: data.request, socket: data.socket }, [...ports]);
});

surface.onmessage = async ({ data }) => {
  // The worker is streaming an answer. Each message is an event, which delays the end of the worker.
  if (data.stay) return registration?.active?.postMessage({ stay: true });
  try {
    await start(data.surface);
    surface.postMessage({ ready: true });
  } catch (error) {
    surface.postMessage({ failed: String(error) });
  }
};

let registration: ServiceWorkerRegistration | undefined;

// At the root of an origin, the host's headers say which pages may frame this document. Next to the surface, only the
// surface may.
const beside = location.pathname !== "/host.html";
parent.postMessage({ geminiSites: "here" }, { targetOrigin: beside ? location.origin : "*", transfer: [port2] });

/**
 * Resolve when a worker answers for everything below this folder.
 * @param origin - the surface's
 */
async function start(origin: string) {
  if (!("serviceWorker" in navigator)) throw new Error("Service workers need https: or localhost.");
  const script = `worker.js?${new URLSearchParams({ surface: origin })}`;
  registration = await navigator.serviceWorker.register(script);
  const { active, installing, waiting } = registration;
  navigator.serviceWorker.startMessages();
  const worker = installing ?? waiting ?? active;
  if (!worker || worker.state === "activated") return;
  await new Promise((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve(undefined);
      else if (worker.state === "redundant") reject(new Error("The sites' service worker could not be installed."));
    });
  });
}

// Makes this file a module for the type checker.
export {};
