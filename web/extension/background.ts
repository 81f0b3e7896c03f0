/**
 * The extension's service worker. It opens the side panel, confines the extension's workers, passes the kernel's requests
 * to models on, and is the network door, which asks the page before each request (web/network_door/). It has no state.
 */

import { NetworkDoor } from "../network_door/door.ts";
import { confinedScript, isForWorker } from "./confined_workers.ts";
import { modelRequests } from "./model_requests.ts";
import { fetchInSandbox } from "./orders.ts";

// The types of pages say `Window` here; this is a worker.
const worker = self as unknown as ServiceWorkerGlobalScope;

const door = new NetworkDoor({
  scope: worker.registration.scope,
  pages: () => worker.clients.matchAll({ type: "window", includeUncontrolled: true }),
  fetch: fetchInSandbox(worker),
});
const models = modelRequests(worker);

worker.addEventListener("install", () => worker.skipWaiting());
// The first page is open before this worker is active.
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (door.takes(request)) event.respondWith(door.answer(request));
  else if (models.takes(request)) event.respondWith(models.answer(request));
  else if (isForWorker(request)) event.respondWith(confinedScript(request));
});
// A page's message, which is an event, delays the end of this worker while it streams an answer.
worker.addEventListener("message", () => {});
chrome.runtime.onInstalled.addListener(() => void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true }));
