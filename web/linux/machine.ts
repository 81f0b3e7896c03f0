// A machine as the kernel's worker has it: its channels, and the files that it reads and writes. The machine itself runs
// in its own worker (worker.ts), which has the kernel's policy and reaches nothing but this.
import type { FileSystem } from "../kernel/emscripten.ts";
import { canShareMemory } from "../shared/shared_memory.ts";
import { Channel, type Program } from "./channel.ts";
import { FileServer, MOST } from "./files/server.ts";
import { Slot } from "./files/slot.ts";
import { Decoder, encode, KIND, type Frame } from "./frames.ts";
import type { Copied } from "./worker.ts";

export { deleteMachine, exportDisk, importDisk, listMachines, rollBackMachine } from "./stored.ts";

/** where the build has put the machine */
interface Place {
  /** its address */
  folder: string;
  /** the folder of Python's filesystem that the machine has at the same path */
  root: string;
  /** of the machine */
  name: string;
}

interface Shared {
  /** the bytes of all machines */
  memory: number;
  /** saves all changes of files */
  commit: () => void;
}

/** a machine's state for another one */
interface Copy {
  machine: Copied;
  kernel: ReturnType<Machine["save"]>;
}

const WORKER = "linux_worker.mjs";
const ATTACH = "/sbin/attach";
// Numbers 0 is the machine itself.
const CHANNELS = 0xffff;
const RANDOM_BYTES = 64;

export class Machine {
  #channels = new Map<number, Channel>();
  #last = 0;
  #decoder = new Decoder();
  /** Frames that wait for the end of a pause. */
  #held: Uint8Array<ArrayBuffer>[] | null = null;
  /** The worker's answers that are waited for. */
  #asked = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #questions = 0;
  #continues = false;
  /** The text that was saved with the state that it continues, "" for a new machine. */
  details = "";
  /** True if it has ended, also on its own. */
  ended = false;
  /** When the saved state was made that doesn't fit its disk any more, 0 if there is none. */
  older = 0;
  #worker: Worker;
  #files: FileServer;
  /** For requests for files; without shared memory they come by messages. */
  #slot: Slot | null = null;
  #turns = new MessageChannel();
  #runs: (() => void) | null = null;
  #woken: (() => void) | null = null;
  #failed: Promise<never>;
  #memory = 0;
  shared: Shared;
  root: string;

  /**
   * @param FS - Emscripten's FS
   * @param shared - by all machines
   * @param copy - the state to continue
   */
  constructor(FS: FileSystem, place: Place, shared: Shared, copy: Copy | null) {
    this.shared = shared;
    this.root = place.root;
    this.#files = new FileServer(FS, place.root, shared.commit);
    const worker = new Worker(workerUrl(), { type: "module", name: "linux" });
    this.#worker = worker;
    this.#failed = new Promise((_, reject) => {
      worker.onerror = (event) => reject(new Error(event.message || `${WORKER} can't be loaded: reload the page`));
      worker.onmessage = ({ data }) => {
        if (data.console) this.#receive(data.console, reject);
        else if (data.files) this.#send9p(this.#files.answer(data.files));
        else if (data.asks) this.#serveSlot();
        else if (data.continues) this.#continue(data.continues.kernel, data.continues.details);
        else if (data.older) this.older = data.older;
        else if (data.answers) this.#answered(data);
        else if (data.running) this.#started(data.running);
        else if (data.notice) this.#tell(data.notice);
        else if (data.failed) reject(new Error(data.failed));
      };
    });
    this.#failed.catch(() => {});
    const memory = canShareMemory() ? Slot.create(MOST) : null;
    if (memory) this.#slot = new Slot(memory);
    this.#turns.port1.onmessage = () => this.#serveSlot();
    if (copy) this.#continue(copy.kernel, "");
    const state = copy?.machine ?? null;
    const start = { folder: place.folder, machine: place.name, memory, copy: state };
    worker.postMessage({ start }, state ? [state.buffer] : []);
  }

  /**
   * Start a machine, and connect it with the files.
   * @param copy - the state to continue
   */
  static async start(FS: FileSystem, place: Place, shared: Shared, copy: Copy | null = null): Promise<Machine> {
    const machine = new Machine(FS, place, shared, copy);
    try {
      const running = new Promise((resolve) => (machine.#runs = () => resolve(true)));
      await Promise.race([running, machine.#failed]);
      await machine.#wake();
      if (machine.#continues) machine.#release();
      else await machine.#attach();
    } catch (error) {
      machine.close();
      throw error;
    }
    return machine;
  }

  /** Set its clock, and mix random numbers into its own. Its answer comes after it has taken all earlier frames. */
  async #wake() {
    const payload = new Uint8Array(8 + RANDOM_BYTES);
    new DataView(payload.buffer).setFloat64(0, Date.now(), true);
    crypto.getRandomValues(payload.subarray(8));
    const woken = new Promise((resolve) => (this.#woken = () => resolve(true)));
    const bytes = encode(0, KIND.wake, payload);
    this.#worker.postMessage({ console: bytes }, [bytes.buffer]);
    await Promise.race([woken, this.#failed]);
  }

  /** Continue the channels and files of a saved machine. */
  #continue({ last, rest, held, channels, files }: ReturnType<Machine["save"]>, details: string) {
    this.#continues = true;
    this.details = details;
    this.#last = last;
    this.#decoder = new Decoder(rest);
    this.#held = held.map((bytes) => Uint8Array.from(bytes));
    for (const saved of channels) {
      this.#channels.set(
        saved.number,
        Channel.restore(saved, (bytes) => this.#send(bytes)),
      );
    }
    this.#files.restore(files);
  }

  /** Its channels and files as JSON; it must be paused. */
  save() {
    return {
      last: this.#last,
      rest: this.#decoder.rest,
      held: (this.#held ?? []).map((bytes) => [...bytes]),
      channels: [...this.#channels.values()].map((channel) => channel.save()),
      files: this.#files.save(),
    };
  }

  /** Return a channel of a machine that was saved; undefined if it has ended. */
  channel(number: number) {
    return this.#channels.get(number);
  }

  /** Stop the processor. Data sent meanwhile waits. */
  async pause() {
    this.#held ??= [];
    try {
      await this.#wake();
      await this.#ask("pause");
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  async resume() {
    await this.#ask("resume");
    await this.#wake();
    this.#release();
  }

  /** Save the state of the paused machine in the browser's storage. */
  async saveState(details: string) {
    await this.#ask("save", { kernel: this.save(), details });
  }

  /** Copy the paused machine, with its disk's changes, for a machine of that name. */
  async copy(name: string): Promise<Copy> {
    const kernel = this.save();
    return { machine: await this.#ask<Copied>("copy", name), kernel };
  }

  /** @returns the bytes of its disk's changes; whether all are stored */
  usage(): Promise<{ changes: number; complete: boolean }> {
    return this.#ask("usage");
  }

  /** The bytes of memory that it takes. */
  get memory() {
    return this.#memory;
  }

  /** Ask the worker for an answer. */
  #ask<T = void>(name: string, given?: unknown): Promise<T> {
    const id = ++this.#questions;
    // The worker's answer to this name has the type that the caller states.
    const answer = new Promise<T>((resolve, reject) =>
      this.#asked.set(id, { resolve: resolve as (value: unknown) => void, reject }),
    );
    this.#worker.postMessage({ asked: { id, name, given } });
    return Promise.race([answer, this.#failed]);
  }

  #answered({
    answers,
    value,
    error,
  }: {
    answers: number;
    value: unknown;
    error?: { message: string; full: boolean };
  }) {
    const asked = this.#asked.get(answers);
    this.#asked.delete(answers);
    if (error) asked?.reject(Object.assign(new Error(error.message), { name: error.full ? "StorageFull" : "Error" }));
    else asked?.resolve(value);
  }

  #release() {
    const held = this.#held ?? [];
    this.#held = null;
    for (const bytes of held) this.#send(bytes);
  }

  #started({ memory }: { memory: number }) {
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

  #count(memory: number) {
    this.shared.memory += memory - this.#memory;
    this.#memory = memory;
  }

  /** Start a program; in a machine that has ended, it ends at once. */
  open(program: Program): Channel {
    do {
      this.#last = (this.#last % CHANNELS) + 1;
    } while (this.#channels.has(this.#last));
    const channel = new Channel(this.#last, (bytes) => this.#send(bytes));
    this.#channels.set(channel.number, channel);
    channel.open(program);
    if (this.ended) channel.ended(-1);
    return channel;
  }

  /** End the machine and all that runs in it. */
  close() {
    this.ended = true;
    this.#worker.terminate();
    this.#count(0);
    this.#turns.port1.close();
    this.#files.close();
    for (const channel of this.#channels.values()) channel.ended(-1);
    this.#channels.clear();
    for (const { reject } of this.#asked.values()) reject(new Error("the machine has ended"));
    this.#asked.clear();
  }

  #tell(text: string) {
    const line = new TextEncoder().encode(`\r\n${text}\r\n`);
    for (const channel of this.#channels.values()) channel.note(line);
  }

  #send(bytes: Uint8Array<ArrayBuffer>) {
    if (this.#held) this.#held.push(bytes);
    else this.#worker.postMessage({ console: bytes }, [bytes.buffer]);
  }

  /** Take the frames that have come, and end the machine if it breaks the protocol. */
  #receive(bytes: Uint8Array, fail: (error: Error) => void) {
    try {
      for (const frame of this.#decoder.push(bytes)) this.#take(frame);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const message = `The Linux sent ${error.message}, and was ended.`;
      fail(new Error(message));
      this.#tell(message);
      this.close();
    }
  }

  #take({ channel: number, kind, payload }: Frame) {
    const channel = this.#channels.get(number);
    if (kind === KIND.ready) this.#woken?.();
    channel?.receive(kind, payload);
    if (kind === KIND.exit) this.#channels.delete(number);
  }

  #serveSlot() {
    const answer = (request: Uint8Array) => this.#files.answer(request);
    const more = this.#slot?.serve(answer, (answered) => this.#send9p(answered));
    if (more) this.#turns.port2.postMessage(null);
  }

  #send9p(answer: Uint8Array<ArrayBuffer>) {
    this.#worker.postMessage({ files: answer }, [answer.buffer]);
  }
}

function workerUrl() {
  const url = new URL(WORKER, import.meta.url);
  // v86 would otherwise start a worker for its timers, from a blob: address, which the policy forbids.
  url.search = "use-scheduling-api";
  return url;
}
