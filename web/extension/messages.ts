/**
 * What the service worker, the surface's page and the sandboxed page send each other in the extension.
 *
 * @typedef {object} FetchOrder a request to any site, for the sandboxed page
 * @property {string} address
 * @property {RequestInit & { headers: [string, string][] }} options
 *
 * @typedef {object} ModelOrder a request to the companion's models, for the surface's page
 * @property {string} path with the query
 * @property {string} method
 * @property {[string, string][]} headers
 * @property {Blob | undefined} body
 *
 * @typedef {{ fetchOrder: FetchOrder } | { modelOrder: ModelOrder }} Order sent with a port; "abort" through it ends the request
 * @typedef {{ status: number, statusText: string, type: string, headers: [string, string][] }} Head
 * @typedef {{ head: Head, body: ReadableStream<Uint8Array> | null } | { problem: string }} FetchAnswer
 */

/** The path of the page that carries out orders, below the extension's address. */
export const PAGE = "index.html";
/** The path of models, below the extension's address and the companion's (py/gemini_companion/gateway/proxy.py). */
export const MODELS = "/models/";
