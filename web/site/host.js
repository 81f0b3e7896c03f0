// The surface's foot on the origin of a site: starts the worker that answers for it, and hands its requests on.
//
// A site's scripts can reach this document, and whatever is in it. So nothing here decides anything: the page answers for
// this site alone, and the worker writes the policy.

const { port1: surface, port2 } = new MessageChannel();

navigator.serviceWorker?.addEventListener("message", ({ data, ports }) => {
  // The answer goes straight from the surface to the worker.
  surface.postMessage({ path: data.path }, [...ports]);
});

surface.onmessage = async ({ data }) => {
  try {
    await start(data.surface);
    surface.postMessage({ ready: true });
  } catch (error) {
    surface.postMessage({ failed: String(error) });
  }
};

// At the root of an origin, the host says who may frame this document; beside the surface it is for the surface alone.
const beside = location.pathname !== "/host.html";
parent.postMessage({ geminiSites: "here" }, { targetOrigin: beside ? location.origin : "*", transfer: [port2] });

/** Returns when a worker answers for everything below this folder. @param {string} origin the surface's */
async function start(origin) {
  if (!("serviceWorker" in navigator)) throw new Error("Service workers need https:, or a page on this machine.");
  const script = `worker.js?${new URLSearchParams({ surface: origin })}`;
  const { active, installing, waiting } = await navigator.serviceWorker.register(script);
  navigator.serviceWorker.startMessages();
  const worker = installing ?? waiting ?? active;
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
