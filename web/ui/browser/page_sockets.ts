/**
 * WebSockets of a site's pages to its server: each has a port to its page, and a number in Python. A page may send
 * anything, at any rate; only its own server gets it.
 *
 * @typedef {{ text: string } | { binary: string } | { code: number, reason: string }} Received `binary` in base64; `code` and
 *   `reason` are the end
 *
 * @typedef {object} Sockets
 * @property {(to: { port: number, path: string, protocols: string[], agent: string }) => Promise<{ socket: number, protocol: string }>} open
 *   rejects if the server refuses
 * @property {(socket: number) => Promise<Received>} receive waits for the next message
 * @property {(message: { socket: number, text?: string, binary?: string }) => Promise<unknown>} send
 * @property {(end: { socket: number, code: number | null, reason: string }) => Promise<unknown>} close
 * @property {(socket: number) => void} leave for a page that is gone
 */

import { base64, bytesOf } from "./base64.js";

const BROKEN_OFF = 1006;
const MAX_REASON = 123;

/**
 * Return a page's port to an open socket.
 * @param {Sockets} sockets
 * @param {number} socket
 * @param {AbortSignal} signal ends it
 * @returns {MessagePort}
 */
export function portTo(sockets, socket, signal) {
  const { port1, port2 } = new MessageChannel();
  const left = new AbortController();
  const leave = () => {
    if (left.signal.aborted) return;
    left.abort();
    sockets.leave(socket);
    port1.postMessage({ closed: { code: BROKEN_OFF, reason: "" } });
    port1.close();
  };
  signal.addEventListener("abort", leave, { signal: left.signal });
  /** @type {Promise<unknown>} */
  let sending = Promise.resolve();
  port1.onmessage = ({ data }) => {
    if (data?.left) return leave();
    // The next one waits until the server has room for it.
    sending = sending.then(() => pass(sockets, socket, data, port1)).catch(leave);
  };
  void deliver(sockets, socket, port1).then(() => left.abort());
  return port2;
}

/** @param {Sockets} sockets @param {number} socket @param {any} data of a page @param {MessagePort} port */
async function pass(sockets, socket, data, port) {
  if (data?.close) {
    const { code, reason } = data.close;
    const isCode = code === 1000 || (Number.isInteger(code) && code >= 3000 && code <= 4999);
    await sockets.close({ socket, code: isCode ? code : null, reason: isCode ? String(reason).slice(0, MAX_REASON) : "" });
  } else if (typeof data?.text === "string") {
    await sockets.send({ socket, text: data.text });
    port.postMessage({ sent: new TextEncoder().encode(data.text).length });
  } else if (Object.prototype.toString.call(data?.binary) === "[object ArrayBuffer]") {
    await sockets.send({ socket, binary: base64(new Uint8Array(data.binary)) });
    port.postMessage({ sent: data.binary.byteLength });
  }
}

/** Pass on messages until the end. @param {Sockets} sockets @param {number} socket @param {MessagePort} port */
async function deliver(sockets, socket, port) {
  for (;;) {
    /** @type {Received} */
    let received;
    try {
      received = await sockets.receive(socket);
    } catch {
      // The kernel was stopped or replaced, and its servers with it.
      received = { code: BROKEN_OFF, reason: "" };
    }
    if ("code" in received) return port.postMessage({ closed: received });
    if ("text" in received) port.postMessage({ text: received.text });
    else {
      const { buffer } = bytesOf(received.binary);
      port.postMessage({ binary: buffer }, [buffer]);
    }
  }
}
