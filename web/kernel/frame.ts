// The frame on the kernel's origin. It starts the worker, shares the memory that interrupts its code, and detects its
// end.
//
// The page can't do this itself: memory and locks aren't shared between origins.
import { canShareMemory } from "../shared/shared_memory.ts";
import { messageOf } from "../shared/thrown.ts";
import { Heartbeat } from "./heartbeat.ts";
import { createMemory, Interrupts } from "./interrupts.ts";
import type { FrameCommand, FrameMessage, WorkerMessage } from "./messages.ts";
import { Mover, type Step } from "./move.ts";
import { findNetwork } from "./network_worker.ts";

// Code must end within this time after a stop, or within half the boot time if that is longer.
const GRACE_MS = 2_000;
const GRACE_SHARE = 0.5;
// The messages of a worker that reach the page. Agents' code can forge these, too, but no others.
const WORKER_MESSAGES = new Set(["progress", "ready", "snapshot", "failed", "closed", "beat", "files"]);
const WORDS_LIMIT = 300;

// The messages that only a worker that starts may send.
const ONCE = new Set(["ready", "failed"]);

type StartCommand = Extract<FrameCommand, { type: "start" }>;

class KernelFrame {
  #worker: Worker | null = null;
  #interrupts: Interrupts | null = null;
  #heartbeat: Heartbeat | null = null;
  #started = 0;
  #graceMs = GRACE_MS;
  #ready = false;
  /** The worker's own words about its end. They are unchecked. */
  #lastWords = "";
  /** The worker that makes a snapshot. */
  #maker: Worker | null = null;
  /** Functions that end a pending stop, by the page's ids. */
  #stops = new Map<number, () => void>();
  #mover = new Mover();
  page: MessagePort;

  constructor(page: MessagePort) {
    this.page = page;
    page.onmessage = ({ data, ports }) => this.#onCommand(data, [...ports]);
  }

  #onCommand(command: FrameCommand, ports: MessagePort[]) {
    if (command.type === "start") this.#tryStart(command, ports);
    else if (command.type === "end") this.#end();
    else if (command.type === "make") this.#makeSnapshot();
    else if (command.type === "close") this.#worker?.postMessage({ close: true });
    else if (command.type === "stop") this.#stop(command.id, command.what, command.number);
    else if (command.type === "ping") this.#send({ type: "pong" });
    else if (command.type === "heard") this.#stops.get(command.id)?.();
    else if (command.type === "terminal")
      this.#worker?.postMessage({ terminal: command.terminal, port: ports[0] }, ports);
    else if (command.type === "companion") this.#worker?.postMessage({ companion: ports[0] ?? null }, ports);
    else if (command.type === "move") void this.#move(command.id, command.step);
  }

  #send(message: FrameMessage, transfer: Transferable[] = []) {
    this.page.postMessage(message, transfer);
  }

  /** Report that the start has failed: a page that hears nothing would wait forever. */
  #fail(error: unknown) {
    console.error("kernel:", error);
    this.#send({ type: "failed", reason: messageOf(error) });
  }

  #tryStart(command: StartCommand, ports: MessagePort[]) {
    try {
      this.#start(command, ports);
    } catch (error) {
      this.#fail(error);
    }
  }

  #start({ network: plan, snapshot, bare }: StartCommand, [connection, documents, blobs]: MessagePort[]) {
    this.#end();
    const worker = prepared ?? openWorker("gemini-kernel");
    prepared = null;
    this.#worker = worker;
    this.#started = performance.now();
    const lock = `gemini-kernel-${crypto.randomUUID()}`;
    worker.onmessage = ({ data }) => this.#worker === worker && this.#onWorkerMessage(data, lock);
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.#worker !== worker || this.#ready) console.error("kernel:", event.message);
      else if (event.message) this.#send({ type: "failed", reason: event.message });
      else this.#send({ type: "unloaded" });
    };
    const memory = canShareMemory() ? createMemory() : null;
    this.#interrupts = memory && new Interrupts(memory);
    const folders = { linux: folderOf("linux"), meaning: folderOf("meaning") };
    worker.postMessage({ lock, connection, documents, blobs, memory, snapshot, bare, ...folders }, [
      connection,
      documents,
      blobs,
    ]);
    // Python starts meanwhile.
    void findNetwork(plan, (question, port) => this.#send({ type: "network", ...question }, [port])).then((network) =>
      worker.postMessage({ network }),
    );
  }

  #onWorkerMessage(message: WorkerMessage, lock: string) {
    if (message?.type === "dying") this.#lastWords = String(message.reason).slice(0, WORDS_LIMIT);
    if (message?.type === "loads") this.#heartbeat?.loads(message.change);
    if (!WORKER_MESSAGES.has(message?.type) || (this.#ready && ONCE.has(message.type))) return;
    if (message.type === "beat") this.#heartbeat?.answered();
    if (message.type === "ready") this.#becomeReady(lock);
    // Only the frame has the other end.
    this.#send(message as FrameMessage);
  }

  /** Make a snapshot for the next start in a separate worker, which shares nothing with the kernel's. */
  #makeSnapshot() {
    this.#maker?.terminate();
    const maker = (this.#maker = openWorker("gemini-snapshot"));
    maker.onmessage = ({ data }) => this.#maker === maker && this.#send({ type: "made", digest: data.digest });
    maker.postMessage({ makeSnapshot: true });
  }

  #becomeReady(lock: string) {
    const worker = this.#worker;
    this.#ready = true;
    this.#graceMs = Math.max(GRACE_MS, (performance.now() - this.#started) * GRACE_SHARE);
    this.#heartbeat = new Heartbeat({
      ask: () => worker?.postMessage({ beat: true }),
      interrupts: this.#interrupts,
      onSilent: (silent) => this.#send({ type: "silent", silent }),
      onStuck: () => this.#send({ type: "stuck" }),
    });
    // The worker holds this lock until it ends.
    navigator.locks?.request(lock, () => {
      if (this.#worker === worker) this.#send({ type: "died", words: this.#lastWords });
    });
  }

  #end() {
    this.#ready = false;
    this.#lastWords = "";
    this.#maker?.terminate();
    this.#maker = null;
    this.#heartbeat?.end();
    this.#heartbeat = null;
    for (const settle of this.#stops.values()) settle();
    this.#worker?.terminate();
    this.#worker = null;
  }

  /**
   * Interrupt a busy worker through shared memory. Send `unstopped` if the same code is still running after the grace
   * period.
   */
  #stop(id: number, what: "terminal" | "request", number: number) {
    const interrupts = this.#interrupts;
    const withdraw =
      what === "terminal" ? interrupts?.interruptTerminal(number, id) : interrupts?.cancelRequest(number);
    const check = () => {
      if (interrupts?.takeElsewhere()) timer = setTimeout(check, this.#graceMs);
      else this.#send({ type: "unstopped" });
    };
    let timer = setTimeout(check, this.#graceMs);
    this.#stops.set(id, () => {
      this.#stops.delete(id);
      clearTimeout(timer);
      withdraw?.();
    });
  }

  async #move(id: number, step: Step) {
    try {
      this.#send({ type: "moved", id, done: await this.#mover.take(step) });
    } catch (error) {
      this.#send({ type: "moved", id, done: false, reason: String(error) });
    }
  }
}

/** Return the address of an optional folder of the build; null if the build doesn't have it. */
function folderOf(kind: "linux" | "meaning") {
  const folder = document.documentElement.dataset[kind];
  return folder ? new URL(folder, document.baseURI).href : null;
}

/** Start a worker with the kernel's script. */
function openWorker(name: string) {
  return new Worker(new URL("./kernel.js", document.baseURI), { type: "module", name });
}

/**
 * Return whether the parent may have the files: it has this origin, or the host's policy says which parents there are.
 * @param origin - of the parent
 */
async function mayControl(origin: string) {
  if (origin === location.origin) return true;
  const { headers } = await fetch(location.href, { cache: "force-cache" });
  return /(^|[;,])\s*frame-ancestors\s/i.test(headers.get("Content-Security-Policy") ?? "");
}

/** The first worker, which loads its script while the page connects. */
let prepared: Worker | null = openWorker("gemini-kernel");
// The one that the start opens instead fails, too, and is heard.
prepared.onerror = () => (prepared = null);

// Only the parent page connects, once.
addEventListener("message", async function connect({ source, origin, data, ports }) {
  if (source !== parent) return;
  if (data?.geminiKernel === "here") sayUp();
  if (data?.geminiKernel !== "control") return;
  removeEventListener("message", connect);
  if (await mayControl(origin)) new KernelFrame(ports[0]);
  else {
    prepared?.terminate();
    ports[0].postMessage({
      type: "failed",
      reason: `${location.origin} sends no policy that lets ${origin} frame it (docs/hosting.md).`,
    });
  }
});

function sayUp() {
  parent.postMessage({ geminiKernel: "up" }, "*");
}

sayUp();
