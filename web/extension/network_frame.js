/**
 * The sandboxed page that fetches for the network door. Its origin is opaque and it has none of the extension's
 * permissions, so its requests carry no cookies and need the host's consent (CORS), as on any static host.
 *
 * @import { FetchAnswer, FetchOrder } from "./network_messages.js"
 */

/** @param {FetchOrder} order @param {MessagePort} port */
async function answer({ address, options }, port) {
  const aborted = new AbortController();
  port.onmessage = () => aborted.abort();
  /** @type {FetchAnswer} */
  let sent;
  try {
    const { status, statusText, type, headers, body } = await fetch(address, { ...options, signal: aborted.signal });
    sent = { head: { status, statusText, type, headers: [...headers] }, body };
  } catch (error) {
    sent = { problem: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(sent, "body" in sent && sent.body ? [sent.body] : []);
}

addEventListener("message", ({ source, data, ports }) => {
  if (source === parent && data?.fetchOrder) void answer(data.fetchOrder, ports[0]);
});
parent.postMessage({ networkFrame: "up" }, "*");
