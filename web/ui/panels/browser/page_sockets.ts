/**
 * WebSockets of a site's pages to its server: each has a port to its page, and a number in Python. A page may send
 * anything, at any rate; only its own server gets it.
 */

import { base64, bytesOf } from "../../lib/base64.ts";

/** `binary` in base64; `code` and `reason` are the end */
type Received = { text: string } | { binary: string } | { code: number; reason: string };

export interface Sockets {
  /** rejects if the server refuses */
  open: (to: {
    port: number;
    path: string;
    protocols: string[];
    agent: string;
  }) => Promise<{ socket: number; protocol: string }>;
  /** waits for the next message */
  receive: (socket: number) => Promise<Received>;
  send: (message: { socket: number; text?: string; binary?: string }) => Promise<unknown>;
  close: (end: { socket: number; code: number | null; reason: string }) => Promise<unknown>;
  /** for a page that is gone */
  leave: (socket: number) => void;
}

const BROKEN_OFF = 1006;
const MAX_REASON = 123;

/**
 * Return a page's port to an open socket.
 * @param signal - ends it
 */
export function portTo(sockets: Sockets, socket: number, signal: AbortSignal): MessagePort {
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
  let sending: Promise<unknown> = Promise.resolve();
  port1.onmessage = ({ data }) => {
    if (data?.left) return leave();
    // The next one waits until the server has room for it.
    sending = sending.then(() => pass(sockets, socket, data, port1)).catch(leave);
  };
  void deliver(sockets, socket, port1).then(() => left.abort());
  return port2;
}

/** of a page, so anything */
interface Sent {
  close?: { code?: unknown; reason?: unknown };
  text?: unknown;
  binary?: ArrayBuffer;
}

/** @param data - of a page */
async function pass(sockets: Sockets, socket: number, data: Sent, port: MessagePort) {
  if (data?.close) {
    const { code, reason } = data.close;
    const isCode =
      typeof code === "number" && (code === 1000 || (Number.isInteger(code) && code >= 3000 && code <= 4999));
    await sockets.close({
      socket,
      code: isCode ? code : null,
      reason: isCode ? String(reason).slice(0, MAX_REASON) : "",
    });
  } else if (typeof data?.text === "string") {
    await sockets.send({ socket, text: data.text });
    port.postMessage({ sent: new TextEncoder().encode(data.text).length });
  } else if (data?.binary && Object.prototype.toString.call(data.binary) === "[object ArrayBuffer]") {
    await sockets.send({ socket, binary: base64(new Uint8Array(data.binary)) });
    port.postMessage({ sent: data.binary.byteLength });
  }
}

/** Pass on messages until the end. */
async function deliver(sockets: Sockets, socket: number, port: MessagePort) {
  for (;;) {
    let received: Received;
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
