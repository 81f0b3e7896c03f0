import { NetworkDoor } from "./door.ts";

export function openDoor(worker: ServiceWorkerGlobalScope): NetworkDoor {
  return new NetworkDoor({
    scope: worker.registration.scope,
    pages: () => worker.clients.matchAll({ type: "window", includeUncontrolled: true }),
    fetch: worker.fetch.bind(worker),
  });
}
