/** WebMCP: the browser's, or the polyfill. */

import { modelContextOf } from "../../../webmcp_adapter.js";
import { integrityOf } from "../lib/integrity.ts";
import type { WebMcpMode } from "../state/types.ts";

const NEEDS_HEADER =
  "Agents can't see the surface's tools: this browser has no WebMCP, and its replacement needs pages that are served " +
  "with the header Origin-Agent-Cluster: ?1.";

/**
 * @param document - where agents look for tools
 * @returns synchronous if the browser has WebMCP, so that tools register without waiting; "missing" if the polyfill
 * can't be loaded or refuses to run (an insecure context), "unkeyed" if the document has no agent cluster of its own,
 * without which the polyfill refuses each tool
 */
export function ensureWebMcp(document: Document): WebMcpMode | Promise<WebMcpMode> {
  return modelContextOf(document) ? "native" : loadPolyfill(document);
}

function loadPolyfill(document: Document): Promise<WebMcpMode> {
  // Firefox has clusters by origin only for pages with the header, Chromium for all.
  if (document.defaultView?.originAgentCluster === false) {
    console.error(NEEDS_HEADER);
    return Promise.resolve("unkeyed");
  }
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = new URL("webmcp-polyfill.js", window.document.baseURI).href;
    script.integrity = integrityOf("webmcp-polyfill.js");
    script.addEventListener("load", () => {
      const context = modelContextOf(document);
      if (context) takeObjects(context);
      resolve(context ? "polyfill" : "missing");
    });
    script.addEventListener("error", () => resolve("missing"));
    document.head.append(script);
  });
}

/** Let callers pass a tool's arguments as an object, as the draft has it: the polyfill takes JSON text only. */
function takeObjects(context: { executeTool(tool: object, input: string, options?: object): Promise<string | null> }) {
  const execute = context.executeTool.bind(context);
  Object.defineProperty(context, "executeTool", {
    configurable: true,
    writable: true,
    value: (tool: object, input: string | object = {}, options?: object) =>
      execute(tool, typeof input === "string" ? input : JSON.stringify(input), options),
  });
}
