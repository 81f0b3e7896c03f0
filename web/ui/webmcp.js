/**
 * WebMCP as the browser has it, or else the polyfill.
 *
 * @import { WebMcpMode } from "./types.js"
 */

/** @returns {boolean} whether the document has a model context */
function present() {
  return "modelContext" in document && Boolean(document.modelContext);
}

/**
 * @returns {WebMcpMode | Promise<WebMcpMode>} at once where the browser has WebMCP, so that tools register
 *   without waiting; "missing" when the polyfill could not be loaded or refuses to run (an insecure context)
 */
export function ensureWebMcp() {
  return present() ? "native" : loadPolyfill();
}

/** @returns {Promise<WebMcpMode>} */
function loadPolyfill() {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = "./webmcp-polyfill.js";
    script.addEventListener("load", () => resolve(present() ? "polyfill" : "missing"));
    script.addEventListener("error", () => resolve("missing"));
    document.head.append(script);
  });
}
