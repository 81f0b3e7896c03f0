/**
 * Orders of the extension's service worker to the surface's page, such as the `fetch` of the network door: the extension's
 * policy lets no script of it reach other sites, so the page passes the request to its sandboxed page (network_frame.ts).
 */

import { PAGE, type FetchAnswer, type FetchOrder, type Order } from "./messages.ts";

export function fetchInSandbox(worker: ServiceWorkerGlobalScope): typeof globalThis.fetch {
  return async (address, { signal, headers, ...options } = {}) => {
    const order: FetchOrder = { address: String(address), options: { ...options, headers: [...new Headers(headers)] } };
    const answer = await ordered(worker, { fetchOrder: order }, signal ?? null);
    if ("problem" in answer) throw new TypeError(answer.problem);
    return asResponse(answer);
  };
}

/** Have the surface's page send a request. */
export async function ordered(
  worker: ServiceWorkerGlobalScope,
  order: Order,
  signal: AbortSignal | null,
): Promise<FetchAnswer> {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname === `/${PAGE}`);
  if (!page) throw new TypeError("No page of the extension is open.");
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => resolve(data);
    signal?.addEventListener("abort", () => {
      port1.postMessage("abort");
      reject(signal.reason);
    });
    page.postMessage(order, [port2]);
  });
}

export function asResponse({
  head: { status, statusText, type, headers },
  body,
}: Extract<FetchAnswer, { head: object }>): Response {
  // A redirect that isn't followed has status 0, which no script can construct.
  if (type === "opaqueredirect") return Object.defineProperty(new Response(), "type", { value: type });
  const empty = [101, 103, 204, 205, 304].includes(status);
  return new Response(empty ? null : body, { status, statusText, headers });
}
