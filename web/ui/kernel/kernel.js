// The page's side of the kernel: has a frame of the kernel's origin start its worker, connects to it, and has another one
// started when it has died. Nothing that comes from there is trusted (docs/security.md).
import { Connection, RemoteError } from "../../../webmcp_bridge.js";
import { Blobs } from "../../kernel/blobs.js";
import { Wakefulness } from "../../kernel/wakefulness.js";
import { startServiceWorker } from "../offline.js";
import { planNetwork } from "../network.js";
import { serving } from "../serving.js";
import { KernelFrame } from "./frame.js";
import { moveStorage } from "./move.js";
import { seekOwnership } from "./ownership.js";

/**
 * @import { FrameMessage, SnapshotState } from "../../kernel/messages.js"
 * @import { NetworkQuestion } from "../network.js"
 */

/**
 * @typedef {"booting" | "ready" | "failed" | "elsewhere"} KernelState the last: another tab has the files
 * @typedef {object} Options
 * @property {(stage: string, fraction: number) => void} onProgress
 * @property {(state: KernelState, error?: Error) => void} onState
 * @property {(port: MessagePort) => void} [serveDocuments] answer what Python asks of documents, through a port
 * @property {(silent: boolean) => void} [onSilent] it is too busy to answer, or does again
 * @property {(sizes: { memory: number, used: number | null, quota: number | null }) => void} [onBeat] it answers; see FrameMessage
 * @property {(problem: string) => void} [onFilesProblem] files that can't be kept, and why
 * @property {(state: SnapshotState) => void} [onSnapshot] see there
 * @property {(question: NetworkQuestion, port: MessagePort) => void} [onNetwork] a door without a companion asks
 * @property {(apart: boolean) => void} [onPlace] whether it has an origin of its own
 */

/** @param {Options} options */
export function startKernel(options) {
  return new Kernel(options);
}

// How long it may take to save and close its files.
const LET_GO_MS = 2_000;

/** Reports what stops other things: the kernel may be too busy for messages. */
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
      (id) => this.stopWork("request", id),
      (name, given) => this.interruptBy(name, given),
    );
    this.blobs = new Blobs("page");
    /** Tools that interrupt a terminal, with the argument that names it. @type {Map<string, string>} */
    this.interrupting = new Map();
    /** @type {KernelFrame | null} */
    this.frame = null;
    /** The connection's port while a worker starts, and then none. @type {MessagePort | null} */
    this.starting = null;
    this.isReady = false;
    this.starts = 0;
    this.lastStop = 0;
    this.renewReady();
    options.onState("booting");
    this.ownership = seekOwnership({
      onOwned: () => void this.boot(),
      onElsewhere: () => this.waitElsewhere("The surface is open in another tab."),
      letGo: () => this.letGo(),
    });
  }

  renewReady() {
    /** Settles when the kernel answers, or can't. @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      this.settleReady = { resolve, reject };
    });
    // Those who don't wait for it hear of a failure by `onState`.
    this.ready.catch(() => {});
  }

  async boot() {
    this.connection.failure = null;
    this.options.onState("booting");
    const frame = this.frame ?? (await this.openFrame());
    if (frame === null) return;
    const network = planNetwork(frame.url.origin, await serving());
    const [connection, documents, blobs] = [new MessageChannel(), new MessageChannel(), new MessageChannel()];
    this.starting = connection.port1;
    this.starts += 1;
    this.options.serveDocuments?.(documents.port1);
    this.blobs.attach(blobs.port1);
    frame.start(network, [connection.port2, documents.port2, blobs.port2]);
  }

  /** @returns {Promise<KernelFrame | null>} null where it can't be had */
  async openFrame() {
    const { kernel } = await serving();
    const build = new URL(document.baseURI);
    // The same folders stand at both origins, so that page and kernel are of one build.
    const url = new URL("kernel.html", kernel === null ? build : new URL(build.pathname.split("/").slice(-2).join("/"), kernel));
    const apart = url.origin !== location.origin;
    this.options.onPlace?.(apart);
    // It has the network door, and gives the worker its policy where the host doesn't.
    if (!apart) await startServiceWorker();
    /** @type {KernelFrame} */
    const frame = new KernelFrame(
      url.href,
      (message, ports) => this.frame === frame && this.hear(message, ports),
      () => this.frame === frame && this.lose(frame),
    );
    this.frame = frame;
    try {
      await frame.connected;
    } catch (error) {
      frame.remove();
      this.frame = null;
      this.fail(/** @type {Error} */ (error).message);
      return null;
    }
    const left = apart ? await moveStorage(frame) : null;
    if (left) this.options.onFilesProblem?.(left);
    return frame;
  }

  /** @param {FrameMessage} message @param {readonly MessagePort[]} ports */
  hear(message, ports) {
    const { options } = this;
    if (message.type === "progress") options.onProgress(message.stage, message.fraction);
    else if (message.type === "files") message.problem && options.onFilesProblem?.(message.problem);
    else if (message.type === "failed") this.fail(message.reason);
    else if (message.type === "closed") this.onClosed?.();
    else if (message.type === "beat") options.onBeat?.(message);
    else if (message.type === "snapshot") options.onSnapshot?.(message.state);
    else if (message.type === "silent") options.onSilent?.(message.silent);
    else if (message.type === "died") this.replace(`The Python kernel ended while the call ran: ${message.reason}`);
    else if (message.type === "stuck") this.replace("The Python kernel was stuck, and another one took its place.");
    else if (message.type === "unstopped") this.replace("The Python kernel did not stop when asked, and another one took its place.");
    else if (message.type === "network") options.onNetwork?.(message, ports[0]);
    else if (message.type === "ready") this.becomeReady();
  }

  becomeReady() {
    if (!this.starting) return;
    this.connection.attach(this.starting);
    this.starting = null;
    this.isReady = true;
    this.settleReady?.resolve();
    this.options.onState("ready");
    if (this.starts > 1) this.connection.tell("notifications/tools/list_changed", {});
  }

  /** The frame's process has crashed, and the worker with it. @param {KernelFrame} frame */
  lose(frame) {
    frame.remove();
    this.frame = null;
    this.replace("The Python kernel's process ended while the call ran.");
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
    void this.boot();
  }

  /** Another tab takes over: save everything, and end. */
  async letGo() {
    const closed = new Promise((resolve) => {
      this.onClosed = () => resolve(undefined);
      // A kernel that is busy saved what it acknowledged.
      setTimeout(resolve, LET_GO_MS);
    });
    this.frame?.send({ type: "close" });
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
    this.starting = null;
    this.frame?.send({ type: "end" });
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
    void this.stopWork("terminal", Number(id.replace(/\D/g, "")));
  }

  /**
   * Stop something, and wait until the kernel has heard of that; if it never does, another one takes its place.
   * @param {"terminal" | "request"} what
   * @param {number} number of the terminal, or of the request, which has been told so already
   */
  async stopWork(what, number) {
    const { frame } = this;
    if (!this.isReady || !frame) return;
    const id = ++this.lastStop;
    frame.send({ type: "stop", id, what, number });
    try {
      await this.connection.request("ping", {});
    } catch (error) {
      // It has died, which its calls are told.
      if (!(error instanceof RemoteError)) throw error;
    } finally {
      frame.send({ type: "heard", id });
    }
  }

  /** Let Python ask the companion through a port, and no longer through one before. @param {MessagePort | null} port null: it is gone */
  async attachCompanion(port) {
    await this.ready;
    this.frame?.send({ type: "companion" }, port === null ? [] : [port]);
  }

  /**
   * A port that carries a terminal's bytes: text both ways, `{ack}` and `{cols, rows}` towards the kernel.
   * @param {string} id
   * @returns {Promise<MessagePort>}
   */
  async attachTerminal(id) {
    await this.ready;
    const { port1, port2 } = new MessageChannel();
    this.frame?.send({ type: "terminal", terminal: id }, [port2]);
    return port1;
  }
}
