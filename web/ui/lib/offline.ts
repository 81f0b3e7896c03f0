/** The page's side of the service worker, web/service_worker.ts. */

import { IN_EXTENSION } from "../../shared/in_extension.ts";

const TIMEOUT_MS = 5000;

/** @returns active for this page's address; null if unavailable */
export async function startServiceWorker(): Promise<ServiceWorker | null> {
  if (!globalThis.isSecureContext || !("serviceWorker" in navigator)) return null;
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, TIMEOUT_MS, null));
  try {
    // The document's base is the folder of the build.
    // The browser registers an extension's.
    // Without a host, a registration can stay pending, so it has the time limit, too.
    const registered = IN_EXTENSION ? null : register();
    const registration = await Promise.race([
      Promise.resolve(registered).then(() => navigator.serviceWorker.ready),
      timeout,
    ]);
    return registration && registration.active;
  } catch (error) {
    console.info("No service worker is available, so the page doesn't work offline.", error);
    return null;
  }
}

const register = () => navigator.serviceWorker.register(new URL("../service_worker.js", document.baseURI));

/** Cache this build for offline visits. Reports the result in the document's `data-offline`. */
export async function cacheForOffline() {
  const worker = await startServiceWorker();
  if (!worker) return;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data: { saved, reason } }) => {
    document.documentElement.dataset.offline = saved ? "saved" : "not saved";
    if (reason) console.info("This build could not be cached for offline use.", reason);
    port1.close();
  };
  const build = new URL(document.baseURI).pathname.split("/").at(-2);
  worker.postMessage({ save: build }, [port2]);
}

/**
 * Save a file of the build that the offline copy has only once it was used, because of its size.
 *
 * @param name - in the build's folder
 */
export async function saveUsed(name: string) {
  const worker = await startServiceWorker();
  const build = new URL(document.baseURI).pathname.split("/").at(-2);
  worker?.postMessage({ used: `${build}/${name}` });
}

/**
 * Delete the saved copies of builds, which code in the kernel can change if it shares this origin.
 * @returns false if the host doesn't answer, so the copies are needed
 */
export async function deleteCopies(): Promise<boolean> {
  if (!("caches" in globalThis)) return true;
  const scope = new URL("../", document.baseURI).href;
  try {
    await fetch(scope, { method: "HEAD", cache: "no-store" });
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
  for (const name of await caches.keys()) if (name.startsWith(scope)) await caches.delete(name);
  return true;
}
