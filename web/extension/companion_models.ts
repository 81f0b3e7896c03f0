/**
 * Sends the kernel's requests to models to the companion whose address the user has entered, and to no other address
 * (model_requests.ts). The kernel itself can reach none.
 */

import { companionOrigin } from "../shared/companion_address.ts";
import { MODELS, type ModelOrder } from "./messages.ts";
import { answerOrder } from "./sent_order.ts";

// The browser ends a service worker that gets no event for 30 s, also one that streams an answer.
const STAY_MS = 20_000;

export async function sendToCompanion(order: ModelOrder, port: MessagePort) {
  const staying = setInterval(() => navigator.serviceWorker.controller?.postMessage({ stay: true }), STAY_MS);
  const stop = () => clearInterval(staying);
  await answerOrder(port, async (signal) => {
    try {
      const answer = await request(order, signal);
      if (answer.body === null) throw new TypeError("The companion's answer has no body.");
      const { readable, writable } = new TransformStream();
      // Settles when the answer ends, breaks off, or isn't read any more.
      void answer.body
        .pipeTo(writable)
        .catch(() => {})
        .finally(stop);
      return new Response(readable, answer);
    } catch (error) {
      stop();
      throw error;
    }
  });
}

async function request({ path, method, headers, body }: ModelOrder, signal: AbortSignal): Promise<Response> {
  const companion = companionOrigin();
  if (companion === null) throw new TypeError("No companion's address was entered.");
  const address = new URL(path, companion);
  if (address.origin !== companion || !address.pathname.startsWith(MODELS))
    throw new TypeError("Only models can be asked.");
  return fetch(address, {
    method,
    headers,
    body,
    signal,
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
    referrerPolicy: "no-referrer",
  });
}
