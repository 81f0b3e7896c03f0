/**
 * The kernel's requests to the companion's gateway of models. The kernel sends them to the extension's own address, the
 * service worker hands them to the surface's page, and the page to the companion that the user has entered
 * (companion_models.js). The gateway requires a token, and a ticket that the user has granted.
 *
 * @import { ModelOrder } from "./messages.js"
 */

import { MODELS } from "./messages.js";
import { asResponse, ordered } from "./orders.js";

/** @param {ServiceWorkerGlobalScope} worker */
export function modelRequests(worker) {
  return {
    /** @param {Request} request */
    takes({ url, destination }) {
      const { origin, pathname } = new URL(url);
      return destination === "" && origin === worker.location.origin && pathname.startsWith(MODELS);
    },

    /** @param {Request} request @returns {Promise<Response>} */
    async answer(request) {
      const { url, method, headers, signal } = request;
      const { pathname, search } = new URL(url);
      const body = method === "GET" || method === "HEAD" ? undefined : await request.blob();
      /** @type {ModelOrder} */
      const order = { path: pathname + search, method, headers: [...headers], body };
      const answer = await ordered(worker, { modelOrder: order }, signal);
      return "problem" in answer ? Response.error() : asResponse(answer);
    },
  };
}
