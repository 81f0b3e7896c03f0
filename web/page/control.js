// Who may control the document from outside. A page of the surface's own origin calls `geminiPage.serve` by itself; one of
// another origin is asked by a message, and only those that the script tag names are answered.

/**
 * Tell the controllers that the document is here, and serve the one that asks for it.
 * @param {string[]} origins
 * @param {(port: MessagePort) => void} serve
 */
export function offerControl(origins, serve) {
  if (parent === window) return;
  addEventListener("message", ({ data, origin, source, ports }) => {
    if (isAbove(source) && origins.includes(origin) && data?.geminiPage === "control") serve(ports[0]);
  });
  for (const origin of origins) parent.postMessage({ geminiPage: "here", url: location.href }, origin);
}

/** Whether a window is one that the document is framed in, at whatever depth. @param {unknown} source */
function isAbove(source) {
  for (let at = /** @type {Window} */ (window); at !== at.parent; at = at.parent) if (at.parent === source) return true;
  return false;
}

/**
 * What the document is, without a look at what is in it; with `loaded`, when it has loaded.
 * @param {{ loaded?: boolean }} [options]
 */
export async function about({ loaded = false } = {}) {
  if (loaded && document.readyState !== "complete") {
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
  }
  return { url: location.href, title: document.title };
}

/**
 * Keep the document on its origin: what may reach no other one by requests may not do so by leaving, either, as no policy
 * of the browser's can say. The listener is the page's first one, and what it prevents nobody can allow again; a `javascript:`
 * URL that gives a document, and one that isn't HTML, get by without it.
 * @param {(text: string) => void} tell
 */
export function stayHere(tell) {
  /** @type {any} */ (globalThis).navigation?.addEventListener("navigate", (/** @type {any} */ event) => {
    // A document in a `blob:` is of this origin, too, and wouldn't have this listener.
    const { origin, protocol } = new URL(event.destination.url);
    if ((origin === location.origin && protocol === location.protocol) || !event.cancelable) return;
    event.preventDefault();
    tell(`Refused to leave for ${event.destination.url}: the page may not reach other origins.`);
  });
}
