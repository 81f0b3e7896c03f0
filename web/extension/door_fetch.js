/**
 * The `fetch` of the network door in the extension's service worker. The extension's policy lets no script of it reach
 * other origins, so the surface's page passes the request to its sandboxed page (network_frame.js).
 *
 * @import { FetchAnswer, FetchOrder } from "./network_messages.js"
 */

import { PAGE } from "./network_messages.js";

/** @param {ServiceWorkerGlobalScope} worker @returns {typeof globalThis.fetch} */
export function fetchInSandbox(worker) {
  return async (address, { signal, headers, ...options } = {}) => {
    const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    const page = pages.find(({ url }) => new URL(url).pathname === `/${PAGE}`);
    if (!page) throw new TypeError("No page of the extension is open.");
    const { port1, port2 } = new MessageChannel();
    /** @type {FetchOrder} */
    const order = { address: String(address), options: { ...options, headers: [...new Headers(headers)] } };
    /** @type {Promise<FetchAnswer>} */
    const answered = new Promise((resolve, reject) => {
      port1.onmessage = ({ data }) => resolve(data);
      signal?.addEventListener("abort", () => {
        port1.postMessage("abort");
        reject(signal.reason);
      });
    });
    page.postMessage({ fetchOrder: order }, [port2]);
    const answer = await answered;
    if ("problem" in answer) throw new TypeError(answer.problem);
    return asResponse(answer);
  };
}

/** @param {Extract<FetchAnswer, { head: object }>} answer @returns {Response} */
function asResponse({ head: { status, statusText, type, headers }, body }) {
  // A redirect that isn't followed has status 0, which no script can construct.
  if (type === "opaqueredirect") return Object.defineProperty(new Response(), "type", { value: type });
  const empty = [101, 103, 204, 205, 304].includes(status);
  return new Response(empty ? null : body, { status, statusText, headers });
}
