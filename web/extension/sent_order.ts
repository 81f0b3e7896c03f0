/** Send an ordered request, and answer it through a port. */

import type { FetchAnswer } from "./messages.ts";

/** @param port - takes one answer; a message through it aborts the request */
export async function answerOrder(port: MessagePort, send: (signal: AbortSignal) => Promise<Response>) {
  const aborted = new AbortController();
  port.onmessage = () => aborted.abort();
  let sent: FetchAnswer;
  try {
    const { status, statusText, type, headers, body } = await send(aborted.signal);
    sent = { head: { status, statusText, type, headers: [...headers] }, body };
  } catch (error) {
    sent = { problem: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(sent, "body" in sent && sent.body ? [sent.body] : []);
}
