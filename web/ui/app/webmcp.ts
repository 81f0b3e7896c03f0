/** WebMCP: the browser's, or the polyfill. */

import { modelContextOf } from "../../../webmcp_adapter.js";
import { integrityOf } from "../lib/integrity.ts";
import type { WebMcpMode } from "../state/types.ts";

/**
 * @param document - where agents look for tools
 * @returns synchronous if the browser has WebMCP, so that tools register without waiting; "missing" if the polyfill
 * can't be loaded or refuses to run (an insecure context)
 */
export function ensureWebMcp(document: Document): WebMcpMode | Promise<WebMcpMode> {
  return modelContextOf(document) ? "native" : loadPolyfill(document);
}

function loadPolyfill(document: Document): Promise<WebMcpMode> {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = new URL("webmcp-polyfill.js", window.document.baseURI).href;
    script.integrity = integrityOf("webmcp-polyfill.js");
    script.addEventListener("load", () => resolve(modelContextOf(document) ? "polyfill" : "missing"));
    script.addEventListener("error", () => resolve("missing"));
    document.head.append(script);
  });
}
