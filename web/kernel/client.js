// The page's side of the kernel: starts its worker, connects to it, and starts another one when it has died.
import { Connection, RemoteError } from "../../webmcp_bridge.js";

/**
 * @typedef {"booting" | "ready" | "failed"} KernelState
 * @typedef {object} Options
 * @property {(stage: string, fraction: number) => void} onProgress
 * @property {(state: KernelState, error?: Error) => void} onState
 * @property {(problem: string) => void} [onFilesProblem] files that can't be kept, and why
 */

/** @param {Options} options */
export function startKernel(options) {
  const kernel = new Kernel(options);
  kernel.boot();
  return kernel;
}

let workers = 0;

class Kernel {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.connection = new Connection();
    /** @type {Worker | null} */
    this.worker = null;
    this.renewReady();
  }

  renewReady() {
    /** Settles when the kernel answers, or can't. @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      this.settleReady = { resolve, reject };
    });
    // Whoever doesn't wait for it learns of a failure by `onState`.
    this.ready.catch(() => {});
  }

  boot() {
    this.options.onState("booting");
    const worker = new Worker(new URL("./kernel.js", document.baseURI), { type: "module", name: "gemini-kernel" });
    this.worker = worker;
    const { port1, port2 } = new MessageChannel();
    const lock = `gemini-kernel-${++workers}-${crypto.randomUUID()}`;
    worker.onmessage = ({ data }) => this.worker === worker && this.hear(data, port1);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.worker === worker && !this.isReady) this.fail(event.message || "The kernel's script could not be loaded.");
      else console.error("kernel:", event.message);
    };
    // A busy kernel takes no messages; what stops a command goes through memory that both threads see.
    this.interrupts = crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
    worker.postMessage({ lock, port: port2, interrupts: this.interrupts }, [port2]);
    this.lock = lock;
  }

  /** @param {import("./messages.js").WorkerMessage} message @param {MessagePort} port */
  hear(message, port) {
    if (message.type === "progress") this.options.onProgress(message.stage, message.fraction);
    else if (message.type === "files") message.problem && this.options.onFilesProblem?.(message.problem);
    else if (message.type === "failed") this.fail(message.reason);
    else if (message.type === "died") this.died(message.reason);
    else this.becomeReady(port);
  }

  /** @param {MessagePort} port */
  becomeReady(port) {
    const { worker } = this;
    this.isReady = true;
    this.connection.attach(port);
    this.settleReady?.resolve();
    this.options.onState("ready");
    if (workers > 1) this.connection.tell("notifications/tools/list_changed", {});
    // Granted when the worker is gone, whatever ended it.
    if (this.lock) {
      navigator.locks?.request(this.lock, () => {
        if (this.worker === worker) this.died("The kernel ended without a word.");
      });
    }
  }

  /** The kernel can't start. @param {string} reason */
  fail(reason) {
    const error = new RemoteError({
      type: "KernelDied",
      message: `The Python kernel could not start: ${reason}`,
      hint: "Reload the page, or use its Retry button.",
    });
    this.stop();
    this.connection.detach(error, { forever: true });
    this.settleReady?.reject(error);
    this.options.onState("failed", error);
  }

  /** The kernel ended while it ran: its calls fail, and another one starts. @param {string} reason */
  died(reason) {
    this.replace(`The Python kernel ended while the call ran: ${reason}`);
  }

  /** Start anew, as the person asked for. */
  restart() {
    this.replace("The Python kernel was restarted while the call ran.");
  }

  /** @param {string} message */
  replace(message) {
    this.stop();
    this.connection.detach(
      new RemoteError({
        type: "KernelDied",
        message,
        hint: "It has been started again. Files that were acknowledged are there; look, then repeat what is missing.",
      }),
    );
    this.renewReady();
    this.boot();
  }

  stop() {
    this.isReady = false;
    this.worker?.terminate();
    this.worker = null;
  }

  /** Stop what runs in a terminal, even where it never pauses; without isolation only Ctrl-C's message does. @param {string} id */
  interruptTerminal(id) {
    if (this.interrupts) Atomics.store(this.interrupts, 0, Number(id.replace(/\D/g, "")));
  }

  /**
   * A port that carries a terminal's bytes: text both ways, `{ack}` and `{cols, rows}` towards the kernel.
   * @param {string} id
   * @returns {Promise<MessagePort>}
   */
  async attachTerminal(id) {
    await this.ready;
    const { port1, port2 } = new MessageChannel();
    this.worker?.postMessage({ terminal: id, port: port2 }, [port2]);
    return port1;
  }
}
