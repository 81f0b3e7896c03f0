// The page's side of the kernel: starts its worker in a frame of the kernel's origin, connects to it, and replaces it
// if it dies. Nothing that comes from it is trusted (docs/security.md).
import { messageOf } from "../../shared/thrown.ts";
import { RemoteError } from "../../../webmcp_bridge.js";
import { Blobs } from "../../kernel/blobs.ts";
import type { FrameMessage, SnapshotState } from "../../kernel/messages.ts";
import { IN_EXTENSION } from "../../shared/in_extension.ts";
import { deleteCopies, startServiceWorker } from "../lib/offline.ts";
import { planNetwork, type NetworkQuestion } from "./network_door.ts";
import { serving } from "../lib/serving.ts";
import { kernelAddress } from "./address.ts";
import { KernelConnection } from "./connection.ts";
import { endOf } from "./deaths.ts";
import { isOutdated, KernelFrame, OUTDATED } from "./frame.ts";
import { EarlierFiles } from "./move.ts";
import { StartWatch } from "./start_watch.ts";
import { seekOwnership } from "./ownership.ts";
import { knownSnapshot, rememberSnapshot } from "./snapshot_digest.ts";

/** elsewhere: another tab has the files */
type KernelState = "booting" | "ready" | "failed" | "elsewhere";

interface Options {
  onProgress: (stage: string, fraction: number) => void;
  onState: (state: KernelState, error?: Error) => void;
  /** serves Python's document requests through a port */
  serveDocuments?: (port: MessagePort) => void;
  /** called when it becomes too busy to answer, and when it answers again */
  onSilent?: (silent: boolean) => void;
  /** see FrameMessage */
  onBeat?: (sizes: { memory: number; machines: number; used: number | null; quota: number | null }) => void;
  /** called with the reason when files can't be saved */
  onFilesProblem?: (problem: string) => void;
  /** see SnapshotState */
  onSnapshot?: (state: SnapshotState) => void;
  /** a question of a door without a companion */
  onNetwork?: (question: NetworkQuestion, port: MessagePort) => void;
  /** called before Python starts; `bare`: without code in saved files, by the user's press */
  onStart?: (bare: boolean) => void;
  /** called when nothing but a Python that was started `bare` runs any more */
  onFresh?: () => void;
  /** called with whether the kernel has its own origin */
  onPlace?: (apart: boolean) => void;
}

// The time that the kernel gets to save and close its files.
const CLOSE_MS = 2_000;
// The kernel must be idle for this time before a snapshot is made.
const IDLE_MS = 5_000;
// The browser lets a worker that it terminates run on for up to 2 s.
const ENDING_MS = 3_000;
// In one of about a hundred loads Chromium asks the host for the script, not the service worker, and blocks the answer if
// the host sends no headers that isolate.
const MOST_LOADS = 3;

/** Return a terminal's number in shared memory. */
const numberOf = (terminal: string) => Number(terminal.replace(/\D/g, ""));

export class Kernel {
  options: Options;
  connection: KernelConnection;
  blobs: Blobs;
  /** Python's requests to documents. */
  documents: MessagePort | null = null;
  /** Tools that interrupt a terminal, and the argument that names it. */
  interrupting = new Map<string, string>();
  frame: KernelFrame | null = null;
  /** The connection's port while a worker starts. */
  starting: MessagePort | null = null;
  isReady = false;
  starts = 0;
  /** True if the next start has a snapshot. */
  hasSnapshot = false;
  /** True if the kernel starts without code in saved files. */
  #bare = false;
  /** Starts in a row whose script wasn't loaded. */
  #unloaded = 0;
  /** True if the kernel has its own origin. */
  apart = true;
  /** The time of the last worker's termination. */
  ended = 0;
  ownership: { takeOver(): void };
  /** Resolves when the kernel answers, rejects if it can't start. */
  ready!: Promise<void>;
  /** Resolves when Python's start has begun, or won't. */
  begun: Promise<void>;
  #begin: () => void;
  settleReady?: { resolve: () => void; reject: (error: Error) => void };
  onClosed?: () => void;
  #watch = new StartWatch((quiet) => this.options.onSilent?.(quiet));

  constructor(options: Options) {
    this.options = options;
    this.connection = new KernelConnection(
      (id) => this.stopWork("request", id),
      (name, given, id) => this.interruptBy(name, given, id),
    );
    this.blobs = new Blobs("page");
    ({ promise: this.begun, resolve: this.#begin } = Promise.withResolvers<void>());
    this.renewReady();
    options.onState("booting");
    this.ownership = seekOwnership({
      onOwned: () => void this.boot(),
      onElsewhere: () => this.waitElsewhere("The surface is open in another tab."),
      onRelease: () => this.release(),
      onStolen: () => this.fail("code of this page's address took the lock of its files."),
    });
  }

  renewReady() {
    this.ready = new Promise((resolve, reject) => {
      this.settleReady = { resolve, reject };
    });
    // Prevents an unhandled rejection; `onState` reports failures.
    this.ready.catch(() => {});
  }

  /** @param bare - whether to start without code in saved files; only for a press by the user */
  async boot(bare = false) {
    this.#bare = bare;
    this.connection.failure = null;
    this.options.onState("booting");
    this.#watch.step();
    const frame = this.frame ?? (await this.openFrame());
    if (frame === null) return;
    // The host's files, not copies that code on this origin can change.
    if (bare && !this.apart && !IN_EXTENSION) bare = await this.leaveCopies();
    const network = planNetwork(frame.url.origin, await serving());
    const [connection, documents, blobs] = [new MessageChannel(), new MessageChannel(), new MessageChannel()];
    this.starting = connection.port1;
    this.starts += 1;
    this.hasSnapshot = bare && knownSnapshot() !== null;
    this.connection.deaths.start();
    this.options.onStart?.(bare);
    this.documents = documents.port1;
    this.options.serveDocuments?.(documents.port1);
    this.blobs.attach(blobs.port1);
    frame.start(network, { snapshot: knownSnapshot(), bare }, [connection.port2, documents.port2, blobs.port2]);
    if (bare) void this.becomeFresh();
  }

  /** Wait until the terminated worker can't run any more. */
  afterEnd() {
    return new Promise((resolve) => setTimeout(resolve, this.ended + ENDING_MS - performance.now()));
  }

  /**
   * Start without saved copies of the build.
   * @returns false if the host doesn't answer
   */
  async leaveCopies(): Promise<boolean> {
    await this.afterEnd();
    rememberSnapshot(null);
    return deleteCopies();
  }

  /** Wait until a `bare` Python answers and the one before it can't run any more. */
  async becomeFresh() {
    const { ready, starts } = this;
    await ready?.catch(() => {});
    await this.afterEnd();
    if (this.isReady && this.starts === starts) this.options.onFresh?.();
  }

  /** @returns null if it can't be reached */
  async openFrame(): Promise<KernelFrame | null> {
    const { kernel } = await serving();
    const url = kernelAddress(kernel);
    const apart = (this.apart = url.origin !== location.origin);
    this.options.onPlace?.(apart);
    // The service worker has the network door, and sets the worker's policy if the host doesn't.
    if (!apart) await startServiceWorker();
    const earlier = apart ? new EarlierFiles() : null;
    const frame: KernelFrame = new KernelFrame(
      url.href,
      (message, ports) => this.frame === frame && this.onMessage(message, ports),
      () => this.frame === frame && this.lose(frame),
    );
    this.frame = frame;
    try {
      await frame.connected;
    } catch (error) {
      frame.remove();
      this.frame = null;
      this.fail(messageOf(error));
      return null;
    }
    const left = await earlier?.move(frame);
    if (left) this.options.onFilesProblem?.(left);
    return frame;
  }

  onMessage(message: FrameMessage, ports: readonly MessagePort[]) {
    const { options } = this;
    if (message.type === "progress") {
      this.#watch.step();
      this.#begin();
      options.onProgress(message.stage, message.fraction);
    } else if (message.type === "files") message.problem && options.onFilesProblem?.(message.problem);
    else if (message.type === "failed") this.fail(message.reason);
    else if (message.type === "unloaded") this.loadAgain();
    else if (message.type === "closed") this.onClosed?.();
    else if (message.type === "beat") options.onBeat?.(message);
    else if (message.type === "snapshot") this.noteSnapshot(message.state);
    else if (message.type === "made") this.rememberSnapshot(message.digest);
    else if (message.type === "silent") options.onSilent?.(message.silent);
    else if (message.type === "died") this.renew(endOf(message.words));
    else if (message.type === "stuck") this.renew("The Python kernel was stuck and was replaced.");
    else if (message.type === "unstopped") this.renew("The Python kernel did not stop when asked and was replaced.");
    else if (message.type === "network") options.onNetwork?.(message, ports[0]);
    else if (message.type === "ready") this.becomeReady();
  }

  becomeReady() {
    if (!this.starting) return;
    this.connection.attach(this.starting);
    this.starting = null;
    this.isReady = true;
    this.#unloaded = 0;
    this.#watch.end();
    this.connection.deaths.ready();
    this.settleReady?.resolve();
    this.options.onState("ready");
    if (this.starts > 1) this.connection.tell("notifications/tools/list_changed", {});
    void this.makeSnapshot();
  }

  /** @param state - as the worker says, whose code could say anything: nothing else depends on it */
  noteSnapshot(state: SnapshotState) {
    this.hasSnapshot = state === "restored";
    this.options.onSnapshot?.(state);
  }

  rememberSnapshot(digest: string) {
    rememberSnapshot(digest);
    this.options.onSnapshot?.("saved");
  }

  /** When the kernel is idle, have the frame make a snapshot for the next start, unless there is one. */
  async makeSnapshot() {
    // The kernel's `navigator` knows less: developer tools change only the page's.
    const { connection }: Navigator & { connection?: { saveData?: boolean } } = navigator;
    const { starts } = this;
    if (this.hasSnapshot || connection?.saveData) return;
    await this.connection.idle.wait(IDLE_MS);
    if (this.isReady && this.starts === starts) this.frame?.send({ type: "make" });
  }

  /** Replace a crashed frame and its worker. */
  lose(frame: KernelFrame) {
    frame.remove();
    this.frame = null;
    this.renew("The Python kernel's process ended while the call ran.");
  }

  /** Replace a kernel that has ended, unless it always does. Nothing that was read or refused is forgotten. */
  renew(message: string) {
    if (this.connection.deaths.isWorthAStart()) this.replace(message);
    else this.fail(`it ended several times at once. ${message}`);
  }

  /** Start the kernel again, whose script wasn't loaded. Calls wait meanwhile. */
  loadAgain() {
    this.#unloaded += 1;
    if (this.#unloaded < MOST_LOADS) void this.boot(this.#bare);
    else this.fail("The kernel's script could not be loaded.");
  }

  /** Report that the kernel can't start. */
  fail(reason: string) {
    const error = new RemoteError({
      type: "KernelDied",
      message: `The Python kernel could not start: ${reason}`,
      hint: "Reload the page, or use its Retry button.",
    });
    this.stop();
    this.#unloaded = 0;
    this.connection.detach(error, { forever: true });
    this.settleReady?.reject(error);
    this.#begin();
    this.options.onState("failed", error);
  }

  /** Restart the kernel without code in saved files. Call this only for a press by the user: it ends what was read before. */
  restart() {
    this.connection.deaths.forget();
    this.replace("The Python kernel was restarted while the call ran.", true);
  }

  /** Start the kernel again, as a reload of the page does. */
  startAgain() {
    this.connection.deaths.forget();
    this.replace("The Python kernel was restarted while the call ran.");
  }

  /** @param bare - see `boot` */
  replace(message: string, bare = false) {
    this.stop();
    this.connection.detach(
      new RemoteError({
        type: "KernelDied",
        message,
        hint: "It has been restarted. Acknowledged file changes are saved; check, then repeat what is missing.",
      }),
    );
    this.renewReady();
    void this.boot(bare);
  }

  /** Save everything and stop: another tab takes over. */
  async release() {
    const closed = new Promise((resolve) => {
      this.onClosed = () => resolve(undefined);
      // A busy kernel has saved everything it acknowledged.
      setTimeout(resolve, CLOSE_MS);
    });
    this.frame?.send({ type: "close" });
    await closed;
    this.stop();
    this.renewReady();
    this.waitElsewhere("Another tab took over the surface.");
  }

  waitElsewhere(message: string) {
    const error = new RemoteError({
      type: "KernelElsewhere",
      message: `${message} Its tools are available there.`,
      hint: "Call them in that tab, or press 'Use it here' in this one.",
    });
    this.connection.detach(error, { forever: true });
    this.#begin();
    this.options.onState("elsewhere", error);
  }

  /** Move the surface from another tab to this one, unless this one would lack files that its host no longer has. */
  async takeOver() {
    if (await isOutdated()) this.waitElsewhere(OUTDATED);
    else this.ownership.takeOver();
  }

  stop() {
    this.isReady = false;
    this.#watch.end();
    this.starting = null;
    this.ended = performance.now();
    // Nothing of it acts here any more, even if its worker runs on for a moment.
    this.documents?.close();
    this.frame?.send({ type: "end" });
  }

  /** Record the tools that interrupt. */
  learnTools(tools: { name: string; interrupts?: string | null }[]) {
    this.interrupting = new Map(tools.flatMap(({ name, interrupts }) => (interrupts ? [[name, interrupts]] : [])));
  }

  /** @param request - of the call */
  interruptBy(tool: string, given: Record<string, unknown>, request: number) {
    const argument = this.interrupting.get(tool);
    if (argument) void this.stopWork("terminal", numberOf(String(given?.[argument])), { id: request });
  }

  /**
   * Stop a terminal's command, even if it never pauses.
   * @param send - sends the interrupt as a message; resolves when the kernel has it
   */
  interruptTerminal(terminal: string, send: (stop: number) => Promise<unknown>) {
    const id = ++this.connection.lastId;
    const heard = send(id);
    void this.stopWork("terminal", numberOf(terminal), { id, heard });
  }

  /**
   * Stop some work and wait until the kernel has received the message. If it never does, the kernel is replaced.
   *
   * @param number - of the terminal, or of the request, which was already cancelled by message
   * @param message - by which the kernel also learns of it; a request of this connection by default
   */
  async stopWork(
    what: "terminal" | "request",
    number: number,
    { id = ++this.connection.lastId, heard }: { id?: number; heard?: Promise<unknown> } = {},
  ) {
    const { frame } = this;
    if (!this.isReady || !frame) return;
    frame.send({ type: "stop", id, what, number });
    try {
      await (heard ?? this.connection.request("ping", {}));
    } catch (error) {
      // If it died, its calls were rejected.
      if (!(error instanceof RemoteError)) throw error;
    } finally {
      frame.send({ type: "heard", id });
    }
  }

  /**
   * Let Python send requests to the companion through a new port.
   * @param port - null: disconnected
   */
  async attachCompanion(port: MessagePort | null) {
    await this.ready;
    this.frame?.send({ type: "companion" }, port === null ? [] : [port]);
  }

  /**
   * Return a port that carries a terminal's bytes: text in both directions, `{ack}`, `{cols, rows}`, and `{keys, stop}`
   * (keys with an interrupt) to the kernel, which answers `{heard: stop}`.
   */
  async attachTerminal(id: string): Promise<MessagePort> {
    await this.ready;
    const { port1, port2 } = new MessageChannel();
    this.frame?.send({ type: "terminal", terminal: id }, [port2]);
    return port1;
  }
}
