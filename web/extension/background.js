/**
 * The extension's service worker. It opens the side panel and is the network door of the extension's pages, which asks
 * the page before each request (web/network_door/). It has no state.
 */

import { NetworkDoor } from "../network_door/door.js";
import { fetchInSandbox } from "./door_fetch.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const door = new NetworkDoor({
  scope: worker.registration.scope,
  pages: () => worker.clients.matchAll({ type: "window", includeUncontrolled: true }),
  fetch: fetchInSandbox(worker),
});

worker.addEventListener("install", () => worker.skipWaiting());
// The first page is open before this worker is active.
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  if (door.takes(event.request)) event.respondWith(door.answer(event.request));
});
chrome.runtime.onInstalled.addListener(() => void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true }));
