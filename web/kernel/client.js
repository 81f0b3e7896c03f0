// The page's side of the kernel: starts its worker, connects to it, and starts another one when it has died.
import { Connection, RemoteError } from "../../webmcp_bridge.js";
import { Heartbeat } from "./heartbeat.js";
import { createMemory, Interrupts } from "./interrupts.js";
import { seekOwnership } from "./ownership.js";
import { Wakefulness } from "./wakefulness.js";

/**
 * @typedef {"booting" | "ready" | "failed" | "elsewhere"} KernelState the last: another tab has the files
 * @typedef {object} Options
 * @property {(stage: string, fraction: number) => void} onProgress
 * @property {(state: KernelState, error?: Error) => void} onState
 * @property {(port: MessagePort) => void} [serveDocuments] answer what Python asks of documents, through a port
 * @property {(silent: boolean) => void} [onSilent] it is too busy to answer, or does again
 * @property {(memory: number) => void} [onBeat] it answers; its memory in bytes
 * @property {(problem: string) => void} [onFilesProblem] files that can't be kept, and why
 * @property {(state: import("./messages.js").SnapshotState) => void} [onSnapshot] see there
 */

/** @param {Options} options */
export function startKernel(options) {
  return new Kernel(options);
}

let workers = 0;
// How long a kernel may take to hear of a stop: so long, and half as long as its start took where that is longer, as
// on a machine that has much else to do.
const GRACE_MS = 2_000;
const GRACE_SHARE = 0.5;
// How long it may take to save and close its files.
const LET_GO_MS = 2_000;

/** Tells what stops other things in shared memory, too: the kernel may be too busy for messages. */
class KernelConnection extends Connection {
  /** @param {(id: number) => void} onCancelled @param {(name: string, given: Record<string, any>) => void} onCall */
  constructor(onCancelled, onCall) {
    super();
    this.onCancelled = onCancelled;
    this.onCall = onCall;
    this.wakefulness = new Wakefulness();
  }

  /** @param {string} text */
  receive(text) {
    this.wakefulness.rest();
    super.receive(text);
  }

  /** @param {any} message */
  send(message) {
    super.send(message);
    this.wakefulness.touch();
    const { method, params } = message;
    if (method === "notifications/cancelled") this.onCancelled(params.requestId);
    else if (method === "tools/call") this.onCall(params.name, params.arguments);
  }
}

class Kernel {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.connection = new KernelConnection(
      (id) => this.cancel(id),
      (name, given) => this.interruptBy(name, given),
    );
    /** Tools that interrupt a terminal, with the argument that names it. @type {Map<string, string>} */
    this.interrupting = new Map();
    /** @type {Worker | null} */
    this.worker = null;
    this.bootedAt = 0;
    this.graceMs = GRACE_MS;
    this.renewReady();
    options.onState("booting");
    this.ownership = seekOwnership({
      onOwned: () => this.boot(),
      onElsewhere: () => this.waitElsewhere("The surface is open in another tab."),
      letGo: () => this.letGo(),
    });
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
    this.connection.failure = null;
    this.options.onState("booting");
    const worker = new Worker(new URL("./kernel.js", document.baseURI), { type: "module", name: "gemini-kernel" });
    this.worker = worker;
    this.bootedAt = performance.now();
    const { port1, port2 } = new MessageChannel();
    const lock = `gemini-kernel-${++workers}-${crypto.randomUUID()}`;
    worker.onmessage = ({ data }) => this.worker === worker && this.hear(data, port1);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.worker === worker && !this.isReady) this.fail(event.message || "The kernel's script could not be loaded.");
      else console.error("kernel:", event.message);
    };
    // A busy kernel takes no messages; what stops a command goes through memory that both threads see.
    const memory = crossOriginIsolated ? createMemory() : null;
    this.interrupts = memory && new Interrupts(memory);
    const documents = new MessageChannel();
    this.options.serveDocuments?.(documents.port1);
    worker.postMessage({ lock, port: port2, memory, documents: documents.port2 }, [port2, documents.port2]);
    this.lock = lock;
  }

  /** @param {import("./messages.js").WorkerMessage} message @param {MessagePort} port */
  hear(message, port) {
    if (message.type === "progress") this.options.onProgress(message.stage, message.fraction);
    else if (message.type === "files") message.problem && this.options.onFilesProblem?.(message.problem);
    else if (message.type === "failed") this.fail(message.reason);
    else if (message.type === "closed") this.onClosed?.();
    else if (message.type === "beat") this.beat(message.memory);
    else if (message.type === "snapshot") this.options.onSnapshot?.(message.state);
    else if (message.type === "died") this.died(message.reason);
    else this.becomeReady(port);
  }

  /** @param {number} memory */
  beat(memory) {
    this.heartbeat?.answered();
    this.options.onBeat?.(memory);
  }

  /** @param {MessagePort} port */
  becomeReady(port) {
    const { worker } = this;
    this.isReady = true;
    this.graceMs = Math.max(GRACE_MS, (performance.now() - this.bootedAt) * GRACE_SHARE);
    this.connection.attach(port);
    this.settleReady?.resolve();
    this.options.onState("ready");
    if (workers > 1) this.connection.tell("notifications/tools/list_changed", {});
    this.heartbeat = new Heartbeat({
      ask: () => worker?.postMessage({ beat: true }),
      interrupts: this.interrupts ?? null,
      onSilent: (silent) => this.options.onSilent?.(silent),
      onStuck: () => this.replace("The Python kernel was stuck, and another one took its place."),
    });
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

  /** Another tab takes over: save everything, and end. */
  async letGo() {
    const closed = new Promise((resolve) => {
      this.onClosed = () => resolve(undefined);
      // A kernel that is busy saved what it acknowledged.
      setTimeout(resolve, LET_GO_MS);
    });
    this.worker?.postMessage({ close: true });
    await closed;
    this.stop();
    this.renewReady();
    this.waitElsewhere("Another tab took the surface over.");
  }

  /** @param {string} message */
  waitElsewhere(message) {
    const error = new RemoteError({
      type: "KernelElsewhere",
      message: `${message} Its tools work there.`,
      hint: "Call them in that tab, or press 'Use it here' in this one.",
    });
    this.connection.detach(error, { forever: true });
    this.options.onState("elsewhere", error);
  }

  /** Move the surface from the tab that has it to this one. */
  takeOver() {
    this.ownership.takeOver();
  }

  stop() {
    this.isReady = false;
    this.heartbeat?.end();
    this.worker?.terminate();
    this.worker = null;
  }

  /** Note which tools interrupt. @param {{ name: string, interrupts?: string | null }[]} tools */
  learnTools(tools) {
    this.interrupting = new Map(tools.flatMap(({ name, interrupts }) => (interrupts ? [[name, interrupts]] : [])));
  }

  /** @param {string} tool @param {Record<string, any>} given */
  interruptBy(tool, given) {
    const argument = this.interrupting.get(tool);
    if (argument) this.interruptTerminal(String(given?.[argument]));
  }

  /** Stop what runs in a terminal, even where it never pauses. @param {string} id */
  interruptTerminal(id) {
    this.mindStop(this.interrupts?.interruptTerminal(Number(id.replace(/\D/g, ""))));
  }

  /** Stop a request, which has been told so already, even where its code never pauses. @param {number} id */
  cancel(id) {
    this.mindStop(this.interrupts?.cancelRequest(id));
  }

  /**
   * Wait until the kernel has heard of what is to stop; if it never does, put another one in its place.
   * @param {() => void} [withdraw] the stop from shared memory
   */
  async mindStop(withdraw) {
    const { worker, interrupts } = this;
    if (!this.isReady) return;
    const check = () => {
      if (this.worker !== worker) return;
      if (interrupts?.takeElsewhere()) timer = setTimeout(check, this.graceMs);
      else this.replace("The Python kernel did not stop when it was told to, and another one took its place.");
    };
    let timer = setTimeout(check, this.graceMs);
    try {
      await this.connection.request("ping", {});
    } catch (error) {
      // It has died, which its calls are told.
      if (!(error instanceof RemoteError)) throw error;
    } finally {
      clearTimeout(timer);
      withdraw?.();
    }
  }

  /** Let Python ask the companion through a port, and no longer through one before. @param {MessagePort | null} port null: it is gone */
  async attachCompanion(port) {
    await this.ready;
    this.worker?.postMessage({ companion: port }, port === null ? [] : [port]);
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
