/**
 * The kernel's requests to the companion's gateway of models. The kernel sends them to the extension's own address, the
 * service worker hands them to the surface's page, and the page to the companion that the user has entered
 * (companion_models.ts). The gateway requires a token, and a ticket that the user has granted.
 */

import { MODELS, type ModelOrder } from "./messages.ts";
import { asResponse, ordered } from "./orders.ts";

export function modelRequests(worker: ServiceWorkerGlobalScope) {
  return {
    takes({ url, destination }: Request) {
      const { origin, pathname } = new URL(url);
      return destination === "" && origin === worker.location.origin && pathname.startsWith(MODELS);
    },

    async answer(request: Request): Promise<Response> {
      const { url, method, headers, signal } = request;
      const { pathname, search } = new URL(url);
      const body = method === "GET" || method === "HEAD" ? undefined : await request.blob();
      const order: ModelOrder = { path: pathname + search, method, headers: [...headers], body };
      const answer = await ordered(worker, { modelOrder: order }, signal);
      return "problem" in answer ? Response.error() : asResponse(answer);
    },
  };
}
