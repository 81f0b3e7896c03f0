/**
 * WebMCP: the browser's, or the polyfill.
 *
 * @import { WebMcpMode } from "./types.js"
 */

import { modelContextOf } from "../../webmcp_adapter.js";
import { integrityOf } from "./integrity.js";

/**
 * @param {Document} document where agents look for tools
 * @returns {WebMcpMode | Promise<WebMcpMode>} synchronous if the browser has WebMCP, so that tools register without
 *   waiting; "missing" if the polyfill can't be loaded or refuses to run (an insecure context)
 */
export function ensureWebMcp(document) {
  return modelContextOf(document) ? "native" : loadPolyfill(document);
}

/** @param {Document} document @returns {Promise<WebMcpMode>} */
function loadPolyfill(document) {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = new URL("webmcp-polyfill.js", window.document.baseURI).href;
    script.integrity = integrityOf("webmcp-polyfill.js");
    script.addEventListener("load", () => resolve(modelContextOf(document) ? "polyfill" : "missing"));
    script.addEventListener("error", () => resolve("missing"));
    document.head.append(script);
  });
}
