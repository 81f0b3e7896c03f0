/**
 * Cross-origin isolation on static hosts, which can't send the headers: a service worker adds them, and the page
 * reloads under its control.
 */

import { IN_EXTENSION } from "../../shared/in_extension.ts";
import { startServiceWorker } from "../lib/offline.ts";

const RELOADED = "gemini:isolation-reloaded";

/**
 * Isolate the page if possible.
 *
 * @returns true if the page is about to reload and must not start anything else; synchronous if the page is already
 * isolated
 */
export function isolate(): boolean | Promise<boolean> {
  if (!globalThis.crossOriginIsolated && !IN_EXTENSION) return isolateByWorker();
  rememberReload(false);
  return false;
}

/** @returns true when the page is about to reload */
async function isolateByWorker(): Promise<boolean> {
  // A frame is isolated only if its parent is, so its own worker would not help.
  if (window.top !== window || !rememberReload(true)) return false;
  if (!(await startServiceWorker())) return false;
  location.reload();
  return true;
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
