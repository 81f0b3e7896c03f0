// The surface's foot on the origin of the sites: starts the worker that answers for them, and hands its requests on.

/** @type {MessagePort | null} */
let surface = null;

navigator.serviceWorker?.addEventListener("message", ({ data, ports }) => {
  // The answer goes straight from the surface to the worker.
  if (surface) surface.postMessage(data, [...ports]);
  else ports[0].postMessage({ reason: "The surface has not connected yet." });
});

addEventListener("message", ({ data, ports, source }) => {
  if (source === parent && data?.geminiSites === "serve") [surface] = ports;
});

try {
  await start();
  parent.postMessage({ geminiSites: "ready" }, "*");
} catch (error) {
  parent.postMessage({ geminiSites: "failed", reason: String(error) }, "*");
}

/** Returns when a worker answers for everything below this folder. */
async function start() {
  if (!("serviceWorker" in navigator)) throw new Error("Service workers need https:, or a page on this machine.");
  const { active, installing, waiting } = await navigator.serviceWorker.register("worker.js");
  navigator.serviceWorker.startMessages();
  const worker = active ?? waiting ?? installing;
  if (!worker || worker.state === "activated") return;
  await new Promise((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve(undefined);
      else if (worker.state === "redundant") reject(new Error("The worker of the sites could not be installed."));
    });
  });
}

// Names of its own for the checker; the build leaves no trace of it.
export {};
