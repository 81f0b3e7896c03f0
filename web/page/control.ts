// Control from outside the document. A page of the same origin calls `geminiPage.serve`. A page of another origin
// sends a message; only origins that the script tag lists are answered.

import * as dom from "./dom.ts";

/** Announce the document to the controllers, and serve any that asks. */
export function offerControl(origins: string[], serve: (port: MessagePort) => void) {
  if (parent === window) return;
  addEventListener("message", ({ data, origin, source, ports }) => {
    if (isAbove(source) && origins.includes(origin) && data?.geminiPage === "control") serve(ports[0]);
  });
  for (const origin of origins) parent.postMessage({ geminiPage: "here", url: location.href }, origin);
}

/** Return whether a window is an ancestor of this one. */
function isAbove(source: unknown) {
  for (let at: Window = window; at !== at.parent; at = at.parent) if (at.parent === source) return true;
  return false;
}

/** Return the document's URL and title. With `loaded`, wait until it has loaded. */
export async function about({ loaded = false }: { loaded?: boolean } = {}) {
  if (loaded && dom.readyState(document) !== "complete") {
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  }
  return { url: location.href, title: dom.title(document) };
}

/**
 * Prevent navigation to other origins, for a document that may not send requests to them; no browser policy does
 * this. The listener comes first, and the page can't undo its `preventDefault`. It doesn't see documents from
 * `javascript:` URLs or documents other than HTML.
 */
export function stayHere(report: (text: string) => void) {
  globalThis.navigation?.addEventListener("navigate", (event) => {
    // A `blob:` document has the same origin, but would lack this listener, so compare the protocol, too.
    const { origin, protocol } = new URL(event.destination.url);
    if ((origin === location.origin && protocol === location.protocol) || !event.cancelable) return;
    event.preventDefault();
    report(`Blocked navigation to ${event.destination.url}: the page may not reach other origins.`);
  });
}
