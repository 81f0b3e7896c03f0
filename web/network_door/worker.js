// The service worker of the kernel's own origin, where that has no companion: the network door, and nothing else.
import { openDoor } from "./open.js";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

// Its policy lets it reach other origins, so it does nothing in a worker of another kind.
if ("ServiceWorkerGlobalScope" in self && self instanceof ServiceWorkerGlobalScope) {
  worker.addEventListener("install", () => worker.skipWaiting());
  const door = openDoor(worker);
  worker.addEventListener("fetch", (event) => {
    if (door.takes(event.request)) event.respondWith(door.answer(event.request));
  });
}
