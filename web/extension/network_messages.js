/**
 * What the network door, the surface's page and the sandboxed page send each other in the extension.
 *
 * @typedef {object} FetchOrder
 * @property {string} address
 * @property {RequestInit & { headers: [string, string][] }} options
 *
 * @typedef {{ status: number, statusText: string, type: string, headers: [string, string][] }} Head
 * @typedef {{ head: Head, body: ReadableStream<Uint8Array> | null } | { problem: string }} FetchAnswer
 */

/** The path of the page that carries out orders, below the extension's address. */
export const PAGE = "index.html";
