// A machine as the kernel's worker has it: its channels, and the files that it reads and writes. The machine itself runs
// in a worker of its own (worker.js), which has the kernel's policy and reaches nothing but this.
import { Channel } from "./channel.js";
import { deleteChanges } from "./disk/storage.js";
import { FileServer, MOST } from "./files/server.js";
import { Slot } from "./files/slot.js";
import { Decoder, encode, KIND } from "./frames.js";

/**
 * @typedef {import("./channel.js").Program} Program
 * @typedef {object} Place where the build has put the machine
 * @property {string} folder its address
 * @property {string} root the folder of Python's filesystem that the machine has at the same path
 */

const WORKER = "linux_worker.mjs";
const ATTACH = "/sbin/attach";
// Numbers 0 is the machine itself.
const CHANNELS = 0xffff;
const RANDOM_BYTES = 64;

export class Machine {
  /** @type {Map<number, Channel>} */
  #channels = new Map();
  #last = 0;
  #decoder = new Decoder();
  /** @type {Worker} */
  #worker;
  /** @type {FileServer} */
  #files;
  /** For requests for files; without shared memory they come by messages. @type {Slot | null} */
  #slot = null;
  #turns = new MessageChannel();
  /** @type {(() => void) | null} */
  #runs = null;
  /** @type {(() => void) | null} */
  #woken = null;
  /** @type {Promise<never>} */
  #failed;
  #memory = 0;

  /** @param {any} FS Emscripten's FS @param {Place} place @param {{ memory: number }} total of all machines */
  constructor(FS, place, total) {
    this.total = total;
    this.root = place.root;
    this.#files = new FileServer(FS, place.root);
    const worker = new Worker(workerUrl(), { type: "module", name: "linux" });
    this.#worker = worker;
    this.#failed = new Promise((_, reject) => {
      worker.onerror = (event) => reject(new Error(event.message || `${WORKER} can't be loaded: reload the page`));
      worker.onmessage = ({ data }) => {
        if (data.console) this.#receive(data.console);
        else if (data.files) this.#send9p(this.#files.answer(data.files));
        else if (data.asks) this.#serveSlot();
        else if (data.running) this.#started(data.running);
        else if (data.notice) this.#tell(data.notice);
        else if (data.failed) reject(new Error(data.failed));
      };
    });
    this.#failed.catch(() => {});
    const memory = globalThis.crossOriginIsolated ? Slot.create(MOST) : null;
    if (memory) this.#slot = new Slot(memory);
    this.#turns.port1.onmessage = () => this.#serveSlot();
    worker.postMessage({ start: place.folder, memory });
  }

  /**
   * Start a machine, and connect it with the files.
   * @param {any} FS @param {Place} place @param {{ memory: number }} total @returns {Promise<Machine>}
   */
  static async start(FS, place, total) {
    const machine = new Machine(FS, place, total);
    try {
      await machine.#wake();
      await machine.#attach();
    } catch (error) {
      machine.close();
      throw error;
    }
    return machine;
  }

  /** Once it runs, set its clock, and mix random numbers into its own. */
  async #wake() {
    const running = new Promise((resolve) => (this.#runs = () => resolve(true)));
    await Promise.race([running, this.#failed]);
    const payload = new Uint8Array(8 + RANDOM_BYTES);
    new DataView(payload.buffer).setFloat64(0, Date.now(), true);
    crypto.getRandomValues(payload.subarray(8));
    const woken = new Promise((resolve) => (this.#woken = () => resolve(true)));
    this.#send(encode(0, KIND.wake, payload));
    await Promise.race([woken, this.#failed]);
  }

  /** @param {{ memory: number }} running */
  #started({ memory }) {
    this.#count(memory);
    this.#runs?.();
  }

  /** Mount its disks and the files, and let programs start on the system disk. */
  async #attach() {
    const channel = this.open({ command: [ATTACH, this.root], directory: "/", environment: [] });
    const printed = { output: "", errors: "" };
    for (;;) {
      const piece = await Promise.race([channel.next(), this.#failed]);
      const text = new TextDecoder().decode(piece.bytes);
      if (piece.stream === "output" || piece.stream === "errors") printed[piece.stream] += text;
      if (piece.stream !== "exit") continue;
      if (piece.code !== 0) throw new Error(`the disks could not be mounted: ${printed.errors.trim() || piece.code}`);
      this.#send(encode(0, KIND.root, new TextEncoder().encode(`${printed.output.trim()}\0`)));
      return;
    }
  }

  /** @param {number} memory */
  #count(memory) {
    this.total.memory += memory - this.#memory;
    this.#memory = memory;
  }

  /** Start a program. @param {Program} program @returns {Channel} */
  open(program) {
    do {
      this.#last = (this.#last % CHANNELS) + 1;
    } while (this.#channels.has(this.#last));
    const channel = new Channel(this.#last, (bytes) => this.#send(bytes));
    this.#channels.set(channel.number, channel);
    channel.open(program);
    return channel;
  }

  /** End the machine and all that runs in it. */
  close() {
    this.#worker.terminate();
    this.#count(0);
    this.#turns.port1.close();
    this.#files.close();
    for (const channel of this.#channels.values()) channel.ended(-1);
    this.#channels.clear();
  }

  /** @param {string} text */
  #tell(text) {
    const line = new TextEncoder().encode(`\r\n${text}\r\n`);
    for (const channel of this.#channels.values()) channel.receive(channel.rows ? KIND.output : KIND.errors, line);
  }

  /** @param {Uint8Array<ArrayBuffer>} bytes */
  #send(bytes) {
    this.#worker.postMessage({ console: bytes }, [bytes.buffer]);
  }

  /** @param {Uint8Array} bytes */
  #receive(bytes) {
    for (const { channel: number, kind, payload } of this.#decoder.push(bytes)) {
      const channel = this.#channels.get(number);
      if (kind === KIND.ready) this.#woken?.();
      if (kind === KIND.exit) this.#channels.delete(number);
      channel?.receive(kind, payload);
    }
  }

  #serveSlot() {
    const answer = (/** @type {Uint8Array} */ request) => this.#files.answer(request);
    const more = this.#slot?.serve(answer, (answered) => this.#send9p(answered));
    if (more) this.#turns.port2.postMessage(null);
  }

  /** @param {Uint8Array<ArrayBuffer>} answer */
  #send9p(answer) {
    this.#worker.postMessage({ files: answer }, [answer.buffer]);
  }
}

/** Delete what machines have changed on the system disk; none may run. */
export const resetDisk = deleteChanges;

function workerUrl() {
  const url = new URL(WORKER, import.meta.url);
  // v86 would otherwise start a worker for its timers, from a blob: address, which the policy forbids.
  url.search = "use-scheduling-api";
  return url;
}
