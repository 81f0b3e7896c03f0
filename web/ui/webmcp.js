/**
 * WebMCP as the browser has it, or else the polyfill.
 *
 * @import { WebMcpMode } from "./types.js"
 */

import { integrityOf } from "./integrity.js";

/** Whether the document has a model context. @param {Document} document */
function present(document) {
  return "modelContext" in document && Boolean(document.modelContext);
}

/**
 * @param {Document} document where agents look for tools
 * @returns {WebMcpMode | Promise<WebMcpMode>} at once where the browser has WebMCP, so that tools register
 *   without waiting; "missing" when the polyfill could not be loaded or refuses to run (an insecure context)
 */
export function ensureWebMcp(document) {
  return present(document) ? "native" : loadPolyfill(document);
}

/** @param {Document} document @returns {Promise<WebMcpMode>} */
function loadPolyfill(document) {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = new URL("webmcp-polyfill.js", window.document.baseURI).href;
    script.integrity = integrityOf("webmcp-polyfill.js");
    script.addEventListener("load", () => resolve(present(document) ? "polyfill" : "missing"));
    script.addEventListener("error", () => resolve("missing"));
    document.head.append(script);
  });
}
