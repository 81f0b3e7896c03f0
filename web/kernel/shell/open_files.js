// Open files: what a file descriptor refers to. Several descriptors may share one, with its position (POSIX, 2.14 of
// "General Concepts": open file description), and the last that closes it closes the file.
import { BrokenPipe } from "./control.js";
import { EMPTY, concat } from "../bytes.js";
import { SystemError } from "../system_errors.js";

/** @typedef {import("./task.js").Task} Task */

const CAPACITY = 1 << 16;
// All that a command which reads its whole input gets from a device or a command without an end.
const PLENTY = 1 << 16;
const MOST_MEMORY = 1 << 29;
// A task for those who don't wait.
const ABSENT = /** @type {Task} */ (/** @type {unknown} */ ({ pause: () => Promise.resolve() }));
// Of the flags of an open file (O_ACCMODE).
const ACCESS = 3;
// Of Emscripten's pipes (EAGAIN).
const NOTHING_THERE = 6;

export class OpenFile {
  references = 0;
  /** Which of the terminal's streams it is, or 0. @type {0 | 1 | 2} */
  stream = 0;
  isTerminal = false;

  retain() {
    this.references++;
    return this;
  }
  release() {
    if (--this.references === 0) this.close();
  }
  close() {}

  /** @param {number} count at most @param {Task} task @returns {Promise<Uint8Array> | Uint8Array} empty at the end */
  read(count, task) {
    void [count, task];
    throw new Error("Bad file descriptor");
  }
  /** Put back what was read and isn't used. @param {Uint8Array} bytes */
  unread(bytes) {
    void bytes;
  }
  /** @param {Uint8Array} bytes @param {Task} task @returns {Promise<void> | void} */
  write(bytes, task) {
    void [bytes, task];
    throw new Error("Bad file descriptor");
  }
  /** @returns {Promise<void> | undefined} undefined if `take` has data or the end */
  whenReadable() {
    return undefined;
  }
  /** Read what is there, for a reader that isn't a task. @param {number} count at most @returns {Uint8Array} empty at the end */
  take(count) {
    return /** @type {Uint8Array} */ (this.read(count, /** @type {any} */ (null)));
  }
  /** Write without waiting. @param {Uint8Array} bytes @returns {boolean} false if nothing reads it any more */
  push(bytes) {
    try {
      // Only a full pipe makes its writer wait, and has the bytes all the same.
      void this.write(bytes, ABSENT);
      return true;
    } catch (error) {
      if (error instanceof BrokenPipe) return false;
      throw error;
    }
  }
  /** @returns {Promise<void> | undefined} undefined if little is unread */
  whenWritable() {
    return undefined;
  }
  /** Return whether it is there to be read, not written. */
  get isInput() {
    return false;
  }
  /** The type and permissions of the node in Linux (`st_mode`). */
  get mode() {
    return 0o010600;
  }
  /** Return whether data or the end can be read now. */
  get isReady() {
    return true;
  }
  /** Return whether it never ends. */
  get isEndless() {
    return false;
  }
  /** Note that what writes to it won't end by itself. */
  markEndless() {}

  /** Read up to the end. @param {Task} task @param {boolean} [patient] whether also what has no end @returns {Promise<Uint8Array>} */
  async readAll(task, patient = false) {
    const chunks = [];
    for (let size = 0; ; ) {
      const chunk = await this.read(CAPACITY, task);
      if (chunk.length === 0) break;
      chunks.push(chunk);
      size += chunk.length;
      if (this.isEndless && !patient && size >= PLENTY) break;
      if (size > MOST_MEMORY) throw new Error("Cannot allocate memory");
    }
    return concat(chunks);
  }
}

/** A terminal's output. */
export class TerminalOutput extends OpenFile {
  isTerminal = true;
  /** @param {1 | 2} stream @param {(stream: 1 | 2, bytes: Uint8Array) => void} print */
  constructor(stream, print) {
    super();
    this.stream = stream;
    this.print = print;
  }
  get mode() {
    return 0o020620;
  }
  /** @param {Uint8Array} bytes */
  write(bytes) {
    this.print(this.stream === 2 ? 2 : 1, bytes);
  }
}

/** A terminal's input: only `read` asks the person for it, to all others it has ended. */
export class TerminalInput extends OpenFile {
  isTerminal = true;
  get isInput() {
    return true;
  }
  get mode() {
    return 0o020620;
  }
  read() {
    return EMPTY;
  }
}

/** Bytes that are there already: of a here-document. */
export class Bytes extends OpenFile {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    super();
    this.bytes = bytes;
  }
  get isInput() {
    return true;
  }
  /** @param {number} count */
  read(count) {
    const taken = this.bytes.subarray(0, count);
    this.bytes = this.bytes.subarray(count);
    return taken;
  }
  /** @param {Uint8Array} bytes */
  unread(bytes) {
    if (bytes.length) this.bytes = concat([bytes, this.bytes]);
  }
}

/** The output of a command substitution. */
export class Capture extends OpenFile {
  /** @type {Uint8Array[]} */
  chunks = [];
  /** @param {() => void} [onClose] called once nothing can write to it any more */
  constructor(onClose = () => {}) {
    super();
    this.close = onClose;
  }
  /** @param {Uint8Array} bytes */
  write(bytes) {
    this.chunks.push(bytes.slice());
  }
  get bytes() {
    return concat(this.chunks);
  }
}

/** `/dev/null`, `/dev/zero`, `/dev/urandom`. */
class Device extends OpenFile {
  /** @param {(count: number) => Uint8Array} make */
  constructor(make) {
    super();
    this.make = make;
  }
  get isEndless() {
    return true;
  }
  get isInput() {
    return true;
  }
  get mode() {
    return 0o020666;
  }
  /** @param {number} count */
  read(count) {
    return this.make(Math.min(count, CAPACITY));
  }
  write() {}
}

/** @type {Record<string, () => OpenFile>} */
export const DEVICES = {
  "/dev/null": () => new Device(() => EMPTY),
  "/dev/zero": () => new Device((count) => new Uint8Array(count)),
  "/dev/urandom": () => new Device((count) => crypto.getRandomValues(new Uint8Array(count))),
  "/dev/random": () => new Device((count) => crypto.getRandomValues(new Uint8Array(count))),
};

/** A file of Emscripten's filesystem. */
export class RegularFile extends OpenFile {
  /** @param {any} FS @param {any} file a stream of Emscripten's */
  constructor(FS, file) {
    super();
    this.FS = FS;
    this.file = file;
    this.isTerminal = false;
  }
  get isInput() {
    return (this.file.flags & ACCESS) === 0;
  }
  get mode() {
    return this.file.node?.mode ?? 0o100644;
  }
  close() {
    try {
      this.FS.close(this.file);
    } catch (error) {
      // Like bash, a shell doesn't look at what `close` says.
      if (!(error instanceof SystemError)) throw error;
    }
  }
  /** @param {number} count */
  read(count) {
    const buffer = new Uint8Array(Math.min(count, CAPACITY));
    return buffer.subarray(0, this.FS.read(this.file, buffer, 0, buffer.length));
  }
  /** @param {Uint8Array} bytes */
  unread(bytes) {
    this.FS.llseek(this.file, -bytes.length, 1);
  }
  /** @param {Uint8Array} bytes */
  write(bytes) {
    if (bytes.length) this.FS.write(this.file, bytes, 0, bytes.length);
  }
}

/** A file that Python has opened. It keeps its own descriptor, which shares the position. */
export class DescriptorFile extends RegularFile {
  /** @param {any} FS @param {number} number */
  constructor(FS, number) {
    super(FS, FS.dupStream(FS.getStreamChecked(number)));
  }
  /** @param {number} count */
  read(count) {
    try {
      return super.read(count);
    } catch (error) {
      if (/** @type {any} */ (error)?.errno === NOTHING_THERE) return EMPTY;
      throw error;
    }
  }
}

/** Output that goes to a function of Python's. */
export class Sink extends OpenFile {
  /** @param {(bytes: Uint8Array) => void} receive */
  constructor(receive) {
    super();
    /** @type {((bytes: Uint8Array) => void) | null} */
    this.receive = receive;
  }
  /** @param {Uint8Array} bytes */
  write(bytes) {
    if (this.receive === null) throw new BrokenPipe();
    if (bytes.length) this.receive(bytes.slice());
  }
}

class Buffer {
  /** @type {Uint8Array[]} */
  chunks = [];
  size = 0;
  readers = true;
  writers = true;
  /** @type {Set<() => void>} */
  waiting = new Set();
  endless = false;

  notify() {
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }
  change() {
    return new Promise((resolve) => this.waiting.add(() => resolve(undefined)));
  }
}

class PipeReader extends OpenFile {
  /** @param {Buffer} buffer */
  constructor(buffer) {
    super();
    this.buffer = buffer;
  }
  close() {
    this.buffer.readers = false;
    this.buffer.chunks = [];
    this.buffer.notify();
  }
  get isInput() {
    return true;
  }
  get isReady() {
    return this.buffer.size > 0 || !this.buffer.writers;
  }
  get isEndless() {
    return this.buffer.endless;
  }
  /** @param {number} count @param {Task} task */
  async read(count, task) {
    while (!this.isReady) await task.pause(this.buffer.change());
    return this.take(count);
  }
  whenReadable() {
    return this.isReady ? undefined : this.change();
  }
  async change() {
    while (!this.isReady) await this.buffer.change();
  }
  /** @param {number} count */
  take(count) {
    const { buffer } = this;
    const whole = buffer.chunks.length ? concat(buffer.chunks) : EMPTY;
    const taken = whole.subarray(0, count);
    buffer.chunks = whole.length > count ? [whole.subarray(count)] : [];
    buffer.size -= taken.length;
    buffer.notify();
    return taken;
  }
  /** @param {Uint8Array} bytes */
  unread(bytes) {
    if (!bytes.length) return;
    this.buffer.chunks.unshift(bytes);
    this.buffer.size += bytes.length;
  }
}

class PipeWriter extends OpenFile {
  /** @param {Buffer} buffer */
  constructor(buffer) {
    super();
    this.buffer = buffer;
  }
  close() {
    this.buffer.writers = false;
    this.buffer.notify();
  }
  markEndless() {
    this.buffer.endless = true;
  }
  /** @param {Uint8Array} bytes @param {Task} task @returns {Promise<void> | void} */
  write(bytes, task) {
    const { buffer } = this;
    if (!buffer.readers) throw new BrokenPipe();
    if (!bytes.length) return undefined;
    buffer.chunks.push(bytes.slice());
    buffer.size += bytes.length;
    buffer.notify();
    return buffer.size >= CAPACITY && task !== ABSENT ? this.drain(task) : undefined;
  }
  whenWritable() {
    return this.buffer.size >= CAPACITY && this.buffer.readers ? this.change() : undefined;
  }
  async change() {
    while (this.buffer.size >= CAPACITY && this.buffer.readers) await this.buffer.change();
  }
  /** Wait until the reader has taken the most of it. @param {Task} task */
  async drain(task) {
    while (this.buffer.size >= CAPACITY && this.buffer.readers) await task.pause(this.buffer.change());
    if (!this.buffer.readers) throw new BrokenPipe();
  }
}

/** @returns {{ reader: OpenFile, writer: OpenFile }} the two ends of a pipe */
export function createPipe() {
  const buffer = new Buffer();
  return { reader: new PipeReader(buffer), writer: new PipeWriter(buffer) };
}
