/** The messages between the service worker, the surface's page and the sandboxed page of the extension. */

/** a request to any site, for the sandboxed page */
export interface FetchOrder {
  address: string;
  options: RequestInit & { headers: [string, string][] };
}

/** a request to the companion's models, for the surface's page */
export interface ModelOrder {
  /** with the query */
  path: string;
  method: string;
  headers: [string, string][];
  body: Blob | undefined;
}

/** sent with a port; "abort" through it ends the request */
export type Order = { fetchOrder: FetchOrder } | { modelOrder: ModelOrder };

type Head = { status: number; statusText: string; type: string; headers: [string, string][] };
export type FetchAnswer = { head: Head; body: ReadableStream<Uint8Array> | null } | { problem: string };

/** The path of the page that carries out orders, below the extension's address. */
export const PAGE = "index.html";
/** The path of models, below the extension's address and the companion's (py/gemini_companion/models/proxy.py). */
export const MODELS = "/models/";
