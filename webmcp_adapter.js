// The versions of WebMCP's API (https://webmachinelearning.github.io/webmcp/). Only this module knows how they differ.
//
// | model context                                | a tool is removed by    | tools are listed |
// |----------------------------------------------|-------------------------|------------------|
// | document's, Chromium from 150 on             | the registration's signal | getTools       |
// | navigator's, Chromium 146 to 149             | unregisterTool          | no               |
// | a client's, frozen, with registerTool alone  | the signal, or not at all | no             |
// | @mcp-b/webmcp-polyfill                       | the signal              | getTools; executeTool takes JSON text |
//
// Each version with `provideContext` has registerTool, too.

/**
 * @typedef {object} PageTool
 * @property {string} name
 * @property {string} [title]
 * @property {string} description
 * @property {object} inputSchema
 * @property {object} [annotations]
 * @property {(input: object, options?: { signal?: AbortSignal }) => Promise<string>} execute
 */

/** Return a document's model context, or null without WebMCP. @param {Document} document @returns {any} */
export function modelContextOf(document) {
  const { modelContext, defaultView } = /** @type {any} */ (document);
  const shown = typeof modelContext?.registerTool === "function" ? modelContext : hiddenContextOf(document);
  return shown ?? defaultView?.navigator?.modelContext ?? null;
}

/** Return the model context that an image, form or frame of this name hides. @param {Document} document */
function hiddenContextOf(document) {
  for (let at = document; at; at = Object.getPrototypeOf(at)) {
    const read = Object.getOwnPropertyDescriptor(at, "modelContext")?.get;
    if (read) return read.call(document);
  }
  return null;
}

/** Return whether a client may take only some thirty tools: those have no list of tools. @param {any} context */
export function mayTakeFew(context) {
  return typeof context.getTools !== "function";
}

/**
 * Register a tool.
 * @param {any} context
 * @param {PageTool} tool
 * @returns {Promise<() => void>} resolves with a function that removes it, and rejects if the client refuses it
 */
export async function registerTool(context, tool) {
  if (typeof context.unregisterTool === "function") {
    await context.registerTool(tool);
    return () => void context.unregisterTool(tool.name);
  }
  const controller = new AbortController();
  await context.registerTool(tool, { signal: controller.signal });
  return () => controller.abort();
}

/** Return the tools of the documents that an agent sees. @param {any} context @returns {Promise<any[]>} */
export async function listTools(context) {
  return mayTakeFew(context) ? [] : context.getTools();
}

/**
 * Call a tool that `listTools` returned, and return its text.
 * @param {any} context @param {any} tool @param {object} input @param {AbortSignal} [signal]
 * @returns {Promise<string | null>}
 */
export function executeTool(context, tool, input, signal) {
  return context.executeTool(tool, "__isWebMCPPolyfill" in context ? JSON.stringify(input) : input, { signal });
}

/** Call `listener` when the list of tools changes. @param {any} context @param {() => void} listener */
export function onToolChange(context, listener) {
  context.addEventListener?.("toolchange", listener);
}
