/**
 * The frame on the kernel's origin (web/kernel/frame.ts). Its code isn't trusted: it reaches the page only through the
 * ports that it is given.
 */

import type { FrameCommand, FrameMessage, NetworkPlan, StartPorts } from "../../kernel/messages.ts";
import type { Step } from "../../kernel/move.ts";
import { cut, fits } from "../../shared/limits.ts";
import { openFrame, whenLoaded } from "./frame_element.ts";
import { Pulse } from "./pulse.ts";

const TIMEOUT_MS = 15_000;

const NOT_FOUND = 404;
export const OUTDATED = "The host has another build than this page's by now. Reload this page to use it here.";

/** Return whether the host has another build than this page's by now, and only the folders of that one. */
export async function isOutdated(): Promise<boolean> {
  const file = new URL("kernel.html", document.baseURI);
  // Without an answer, the copies of the browser may do.
  const answer = await fetch(file, { method: "HEAD", cache: "no-store" }).catch(() => null);
  return answer?.status === NOT_FOUND;
}

async function whySilent(origin: string): Promise<string> {
  return (await isOutdated())
    ? "the host has another build than this page's by now. Reload the page; files and settings stay."
    : `${origin} doesn't respond. If the page's port is forwarded, forward that one, too.`;
}

export class KernelFrame {
  #control = new MessageChannel();
  #moves = new Map<number, PromiseWithResolvers<boolean>>();
  #lastMove = 0;
  #pulse: Pulse | null = null;
  url: URL;
  onMessage: (message: FrameMessage, ports: readonly MessagePort[]) => void;
  onGone: () => void;
  element: HTMLIFrameElement;
  connected: Promise<void>;

  /**
   * @param url - of the frame's document
   * @param onGone - called when the frame's process has ended
   */
  constructor(
    url: string,
    onMessage: (message: FrameMessage, ports: readonly MessagePort[]) => void,
    onGone: () => void,
  ) {
    this.url = new URL(url);
    this.onMessage = onMessage;
    this.onGone = onGone;
    this.element = openFrame(url);
    this.#control.port1.onmessage = ({ data, ports }) => this.#onControlMessage(data, ports);
    this.#control.port1.addEventListener("close", onGone);
    this.connected = this.#connect();
  }

  /** Rejects if nothing answers at the address. */
  #connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        removeEventListener("message", onMessage);
      };
      const timer = setTimeout(() => {
        settle();
        void whySilent(this.url.origin).then((why) => reject(new Error(why)));
      }, TIMEOUT_MS);
      const onMessage = ({ source, origin, data }: MessageEvent) => {
        if (source !== this.element.contentWindow || origin !== this.url.origin || data?.geminiKernel !== "up") return;
        settle();
        this.element.contentWindow?.postMessage({ geminiKernel: "control" }, origin, [this.#control.port2]);
        this.#pulse = new Pulse(() => this.send({ type: "ping" }), this.onGone);
        resolve();
      };
      addEventListener("message", onMessage);
      // It may have been opened, and have said so, before this listened. Then it says so again.
      whenLoaded(this.element, () => this.element.contentWindow?.postMessage({ geminiKernel: "here" }, "*"));
    });
  }

  /**
   * Start a worker, replacing the running one.
   * @param from - the digest of the snapshot that it may start from; whether to start without code in saved files
   */
  start(network: NetworkPlan, { snapshot, bare }: { snapshot: string | null; bare: boolean }, ports: StartPorts) {
    this.send({ type: "start", network, snapshot, bare }, ports);
  }

  send(command: FrameCommand, transfer: Transferable[] = []) {
    this.#control.port1.postMessage(command, transfer);
  }

  move(step: Step): Promise<boolean> {
    const id = ++this.#lastMove;
    const moving = Promise.withResolvers<boolean>();
    this.#moves.set(id, moving);
    this.send({ type: "move", id, step });
    return moving.promise;
  }

  remove() {
    this.#pulse?.end();
    this.#control.port1.close();
    this.element.remove();
  }

  #onControlMessage(sent: FrameMessage, ports: readonly MessagePort[]) {
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
 * Return the frame's message with its strings cut, because the page draws them. One that is too large is dropped, and a
 * question is refused.
 */
function accepted(message: FrameMessage | null, ports: readonly MessagePort[]): FrameMessage | null {
  if (typeof message !== "object" || message === null) return null;
  if (message.type === "network") {
    if (fits(message, "control")) return message;
    ports[0]?.postMessage({ allowed: false, problem: "the request is larger than a question may be" });
    return null;
  }
  const {
    reason,
    problem,
    stage,
  }: Partial<Record<"reason" | "problem" | "stage", unknown>> & Pick<FrameMessage, "type"> = message;
  const texts = Object.entries({ reason, problem, stage }).flatMap(([name, text]) =>
    typeof text === "string" ? [[name, cut(text, "reason")]] : [],
  );
  const shorter: FrameMessage = Object.assign({ ...message }, Object.fromEntries(texts));
  return fits(shorter, "control") ? shorter : null;
}
