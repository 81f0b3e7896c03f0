/**
 * Cross-origin isolation on static hosts, which can't send the headers: a service worker adds them, and the
 * page loads once more under its control.
 */

import { startServiceWorker } from "./offline.js";

const RELOADED = "gemini:isolation-reloaded";

/**
 * Becomes isolated if that is possible here.
 *
 * @returns {boolean | Promise<boolean>} true when the page is about to reload, so nothing else should start;
 *   at once where the page is isolated already
 */
export function isolate() {
  if (!globalThis.crossOriginIsolated) return isolateByWorker();
  rememberReload(false);
  return false;
}

/** @returns {Promise<boolean>} true when the page is about to reload */
async function isolateByWorker() {
  // A frame is isolated only if its parent is, so a worker of its own would change nothing.
  if (window.top !== window || !rememberReload(true)) return false;
  if (!(await startServiceWorker())) return false;
  location.reload();
  return true;
}

/**
 * Notes that the page reloads for isolation's sake. The note outlives the reload, so that a host where the
 * worker doesn't help costs one reload and not an endless row of them.
 *
 * @param {boolean} reloading
 * @returns {boolean} false when there is such a note already, or none can be kept
 */
function rememberReload(reloading) {
  try {
    if (!reloading) sessionStorage.removeItem(RELOADED);
    else if (sessionStorage.getItem(RELOADED) !== null) return false;
    else sessionStorage.setItem(RELOADED, "yes");
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
