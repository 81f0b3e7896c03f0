/**
 * The sandboxed page that fetches for the network door. Its origin is opaque and it has none of the extension's
 * permissions, so its requests carry no cookies and need the host's consent (CORS), as on any static host.
 */

import type { FetchOrder } from "./messages.ts";
import { answerOrder } from "./sent_order.ts";

addEventListener("message", ({ source, data, ports }) => {
  if (source !== parent || !data?.fetchOrder) return;
  const { address, options }: FetchOrder = data.fetchOrder;
  void answerOrder(ports[0], (signal) => fetch(address, { ...options, signal }));
});
parent.postMessage({ networkFrame: "up" }, "*");
