// The service worker of the kernel's origin on hosts without a companion. It contains only the network door.
import { openDoor } from "./open.ts";

// The types of pages say `Window` here; this is a worker.
const worker = self as unknown as ServiceWorkerGlobalScope;

// The policy of this script allows other origins, so it must do nothing in other kinds of workers.
if ("ServiceWorkerGlobalScope" in self && self instanceof ServiceWorkerGlobalScope) {
  worker.addEventListener("install", () => worker.skipWaiting());
  // On a first visit Python's worker opens before this one is registered, and without a claim its requests never come here.
  worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
  const door = openDoor(worker);
  worker.addEventListener("fetch", (event) => {
    if (door.takes(event.request)) event.respondWith(door.answer(event.request));
  });
}
