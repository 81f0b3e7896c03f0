/**
 * Cross-origin isolation on static hosts, which can't send the headers: a service worker adds them, and the page
 * reloads under its control.
 */

import { IN_EXTENSION } from "../../shared/in_extension.ts";
import { startServiceWorker } from "../lib/offline.ts";

// A reload takes less, unless it never comes.
const STAYS_MS = 20_000;
const RELOADED = "gemini:isolation-reloaded";

/**
 * Isolate the page if possible, by a reload.
 *
 * @returns null if the page is already isolated; else it settles when the page may start, which a reload prevents
 */
export function isolate(): Promise<void> | null {
  if (!globalThis.crossOriginIsolated && !IN_EXTENSION) return isolateByWorker();
  rememberReload(false);
  return null;
}

async function isolateByWorker() {
  // A frame is isolated only if its parent is, so its own worker would not help.
  if (window.top !== window || !rememberReload(true)) return;
  if (!(await startServiceWorker())) return;
  location.reload();
  // A page that is still here then has no host to load from; it starts without isolation.
  await new Promise((resolve) => setTimeout(resolve, STAYS_MS));
}

/**
 * Record that the page reloads for isolation. The record survives the reload, so a host where the worker doesn't help
 * costs one reload instead of a loop.
 *
 * @returns false if already recorded, or storage is denied
 */
function rememberReload(reloading: boolean): boolean {
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
