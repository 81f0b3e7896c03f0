/**
 * Send an ordered request, and answer it through a port.
 *
 * @import { FetchAnswer } from "./messages.js"
 */

/**
 * @param {MessagePort} port takes one answer; a message through it aborts the request
 * @param {(signal: AbortSignal) => Promise<Response>} send
 */
export async function answerOrder(port, send) {
  const aborted = new AbortController();
  port.onmessage = () => aborted.abort();
  /** @type {FetchAnswer} */
  let sent;
  try {
    const { status, statusText, type, headers, body } = await send(aborted.signal);
    sent = { head: { status, statusText, type, headers: [...headers] }, body };
  } catch (error) {
    sent = { problem: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(sent, "body" in sent && sent.body ? [sent.body] : []);
}
