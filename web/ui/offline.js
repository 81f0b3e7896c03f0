/** The page's side of its service worker, web/service_worker.js. */

const PATIENCE_MS = 5000;

/** @returns {Promise<ServiceWorker | null>} active for this page's address; null where there can be none */
export async function startServiceWorker() {
  if (!globalThis.isSecureContext || !("serviceWorker" in navigator)) return null;
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, null));
  try {
    // The document's base is the folder of the build.
    await navigator.serviceWorker.register(new URL("../service_worker.js", document.baseURI));
    const registration = await Promise.race([navigator.serviceWorker.ready, patience]);
    return registration && registration.active;
  } catch (error) {
    console.info("No service worker here, so nothing works offline.", error);
    return null;
  }
}

/** Keeps this build for visits without a network, and says so in `data-offline` of the document. */
export async function keepForOffline() {
  const worker = await startServiceWorker();
  if (!worker) return;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data: { kept, reason } }) => {
    document.documentElement.dataset.offline = kept ? "kept" : "not kept";
    if (reason) console.info("This build could not be kept for offline use.", reason);
    port1.close();
  };
  const build = new URL(document.baseURI).pathname.split("/").at(-2);
  worker.postMessage({ keep: build }, [port2]);
}
