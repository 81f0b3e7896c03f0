/**
 * The surface's page in the extension: it passes the network door's orders to the sandboxed page. Loaded only there.
 *
 * @import { FetchOrder } from "./network_messages.js"
 */

import { h } from "../ui/elements.js";

/** Start what only the extension's page has. */
export function start() {
  serveNetwork();
}

/** Carry out the orders of the network door, which come only after the user's consent. */
function serveNetwork() {
  const frame = sandboxedPage();
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
    /** @type {FetchOrder | undefined} */
    const fetchOrder = data.fetchOrder;
    // Its origin is opaque, so it can't be named.
    if (fetchOrder) void frame.then((view) => view.postMessage({ fetchOrder }, "*", [...ports]));
  });
  navigator.serviceWorker.startMessages();
}

/** @returns {Promise<Window>} once it listens */
function sandboxedPage() {
  const frame = h("iframe", { src: "/network.html", title: "Network", hidden: true, "aria-hidden": "true" });
  return new Promise((resolve) => {
    addEventListener("message", function onMessage({ source, data }) {
      const view = frame.contentWindow;
      if (view === null || source !== view || data?.networkFrame !== "up") return;
      removeEventListener("message", onMessage);
      resolve(view);
    });
    document.body.append(frame);
  });
}
