/**
 * The frame on the kernel's origin (web/kernel/frame.js). Its code isn't trusted: it reaches the page only through the
 * ports that it is given.
 *
 * @import { FrameCommand, FrameMessage, NetworkPlan, StartPorts } from "../../kernel/messages.js"
 * @import { Step } from "../../kernel/move.js"
 */

import { h } from "../elements.js";
import { cut, fits } from "../../shared/limits.js";
import { Pulse } from "./pulse.js";

const TIMEOUT_MS = 15_000;

export class KernelFrame {
  #control = new MessageChannel();
  /** @type {Map<number, PromiseWithResolvers<boolean>>} */
  #moves = new Map();
  #lastMove = 0;
  /** @type {Pulse | null} */
  #pulse = null;

  /**
   * @param {string} url of the frame's document
   * @param {(message: FrameMessage, ports: readonly MessagePort[]) => void} onMessage
   * @param {() => void} onGone called when the frame's process has ended
   */
  constructor(url, onMessage, onGone) {
    this.url = new URL(url);
    this.onMessage = onMessage;
    this.onGone = onGone;
    this.element = h("iframe", {
      class: "kernel-frame", title: "Python", "aria-hidden": "true", tabindex: "-1", allow: "cross-origin-isolated",
    });
    this.element.src = url;
    this.#control.port1.onmessage = ({ data, ports }) => this.#onControlMessage(data, ports);
    this.#control.port1.addEventListener("close", onGone);
    this.connected = this.#connect();
    document.body.append(this.element);
  }

  /** Rejects if nothing answers at the address. @returns {Promise<void>} */
  #connect() {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        removeEventListener("message", onMessage);
      };
      const timer = setTimeout(() => {
        settle();
        reject(new Error(`${this.url.origin} doesn't respond. If the page's port is forwarded, forward that one, too.`));
      }, TIMEOUT_MS);
      const onMessage = (/** @type {MessageEvent} */ { source, origin, data }) => {
        if (source !== this.element.contentWindow || origin !== this.url.origin || data?.geminiKernel !== "up") return;
        settle();
        this.element.contentWindow?.postMessage({ geminiKernel: "control" }, origin, [this.#control.port2]);
        this.#pulse = new Pulse(() => this.send({ type: "ping" }), this.onGone);
        resolve();
      };
      addEventListener("message", onMessage);
    });
  }

  /**
   * Start a worker, replacing the running one.
   * @param {NetworkPlan} network
   * @param {{ snapshot: string | null, bare: boolean }} from the digest of the snapshot that it may start from; whether
   *   to start without code in saved files
   * @param {StartPorts} ports
   */
  start(network, { snapshot, bare }, ports) {
    this.send({ type: "start", network, snapshot, bare }, ports);
  }

  /** @param {FrameCommand} command @param {Transferable[]} [transfer] */
  send(command, transfer = []) {
    this.#control.port1.postMessage(command, transfer);
  }

  /** @param {Step} step @returns {Promise<boolean>} */
  move(step) {
    const id = ++this.#lastMove;
    const moving = Promise.withResolvers();
    this.#moves.set(id, moving);
    this.send({ type: "move", id, step });
    return moving.promise;
  }

  remove() {
    this.#pulse?.end();
    this.#control.port1.close();
    this.element.remove();
  }

  /** @param {FrameMessage} sent @param {readonly MessagePort[]} ports */
  #onControlMessage(sent, ports) {
    this.#pulse?.answered();
    const message = accepted(sent, ports);
    if (message === null || message.type === "pong") return;
    if (message.type !== "moved") return this.onMessage(message, ports);
    const moving = this.#moves.get(message.id);
    this.#moves.delete(message.id);
    if (message.reason === undefined) moving?.resolve(message.done);
    else moving?.reject(new Error(message.reason));
  }
}

/**
 * Return a message of the frame's with its texts cut, because the page draws them. One that is too large is dropped, and a
 * question is refused.
 *
 * @param {any} message
 * @param {readonly MessagePort[]} ports
 * @returns {FrameMessage | null}
 */
function accepted(message, ports) {
  if (typeof message !== "object" || message === null) return null;
  if (message.type === "network") {
    if (fits(message, "control")) return message;
    ports[0]?.postMessage({ allowed: false, problem: "the request is larger than a question may be" });
    return null;
  }
  const { reason, problem, stage } = message;
  const texts = Object.entries({ reason, problem, stage }).filter(([, text]) => typeof text === "string");
  const shorter = { ...message, ...Object.fromEntries(texts.map(([name, text]) => [name, cut(text, "reason")])) };
  return fits(shorter, "control") ? shorter : null;
}
