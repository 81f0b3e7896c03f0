/**
 * The sandboxed page that fetches for the network door. Its origin is opaque and it has none of the extension's
 * permissions, so its requests carry no cookies and need the host's consent (CORS), as on any static host.
 *
 * @import { FetchOrder } from "./messages.js"
 */

import { answerOrder } from "./sent_order.js";

addEventListener("message", ({ source, data, ports }) => {
  if (source !== parent || !data?.fetchOrder) return;
  /** @type {FetchOrder} */
  const { address, options } = data.fetchOrder;
  void answerOrder(ports[0], (signal) => fetch(address, { ...options, signal }));
});
parent.postMessage({ networkFrame: "up" }, "*");
