import { NetworkDoor } from "./door.js";

/** @param {ServiceWorkerGlobalScope} worker @returns {NetworkDoor} */
export function openDoor(worker) {
  return new NetworkDoor({
    scope: worker.registration.scope,
    pages: () => worker.clients.matchAll({ type: "window", includeUncontrolled: true }),
    fetch: worker.fetch.bind(worker),
  });
}
