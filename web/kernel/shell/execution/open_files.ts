// Open files: what a file descriptor refers to. Several descriptors may share one, with its position (POSIX, 2.14 of
// "General Concepts": open file description), and the last that closes it closes the file.
import { errnoOf, type FileSystem, type FSStream } from "../../emscripten.ts";
import { BrokenPipe } from "../control.ts";
import { EMPTY, concat } from "../../bytes.ts";
import { SystemError } from "../../system_errors.ts";
import type { Task } from "./task.ts";

export const CAPACITY = 1 << 16;
// The most that a command which reads all of its input gets from an endless device or command.
const PLENTY = 1 << 16;
const MOST_MEMORY = 1 << 29;
// A task for those who don't wait.
export const ABSENT = { pause: () => Promise.resolve() } as unknown as Task;
// Of the flags of an open file (O_ACCMODE).
const ACCESS = 3;
// Of Emscripten's pipes (EAGAIN).
const NOTHING_THERE = 6;
// Of a full disk (ENOSPC).
const NO_SPACE = 51;

export class OpenFile {
  references = 0;
  /** Which of the terminal's streams it is, or 0. */
  stream: 0 | 1 | 2 = 0;
  isTerminal = false;

  retain() {
    this.references++;
    return this;
  }
  release() {
    if (--this.references === 0) this.close();
  }
  close() {}

  /**
   * @param count - at most
   * @returns empty at the end
   */
  read(count: number, task: Task): Promise<Uint8Array> | Uint8Array {
    void [count, task];
    throw new Error("Bad file descriptor");
  }
  /** Put back what was read and isn't used. */
  unread(bytes: Uint8Array) {
    void bytes;
  }
  write(bytes: Uint8Array, task: Task): Promise<void> | void {
    void [bytes, task];
    throw new Error("Bad file descriptor");
  }
  /** @returns undefined if `take` has data or the end */
  whenReadable(): Promise<void> | undefined {
    return undefined;
  }
  /**
   * Read the available bytes, for a reader that isn't a task.
   * @param count - at most
   * @returns empty at the end
   */
  take(count: number): Uint8Array {
    const taken = this.read(count, ABSENT);
    if (!(taken instanceof Uint8Array)) throw new TypeError("A file that waits has its own `take`.");
    return taken;
  }
  /**
   * Write without waiting.
   * @returns false if nothing reads it any more
   */
  push(bytes: Uint8Array): boolean {
    try {
      // Only a full pipe makes its writer wait, and has the bytes all the same.
      void this.write(bytes, ABSENT);
      return true;
    } catch (error) {
      if (error instanceof BrokenPipe) return false;
      throw error;
    }
  }
  /** @returns undefined if little is unread */
  whenWritable(): Promise<void> | undefined {
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
  /** Note that what writes to it won't end on its own. */
  markEndless() {}

  /**
   * Read up to the end.
   * @param patient - whether also what has no end
   */
  async readAll(task: Task, patient = false): Promise<Uint8Array> {
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
  print: (stream: 1 | 2, bytes: Uint8Array) => void;

  constructor(stream: 1 | 2, print: (stream: 1 | 2, bytes: Uint8Array) => void) {
    super();
    this.stream = stream;
    this.print = print;
  }
  get mode() {
    return 0o020620;
  }
  write(bytes: Uint8Array) {
    this.print(this.stream === 2 ? 2 : 1, bytes);
  }
}

/** A terminal's input: only `read` asks the user for it, to all others it has ended. */
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
  bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }
  get isInput() {
    return true;
  }
  read(count: number) {
    const taken = this.bytes.subarray(0, count);
    this.bytes = this.bytes.subarray(count);
    return taken;
  }
  unread(bytes: Uint8Array) {
    if (bytes.length) this.bytes = concat([bytes, this.bytes]);
  }
}

/** The output of a command substitution. */
export class Capture extends OpenFile {
  chunks: Uint8Array[] = [];
  /** @param onClose - called once nothing can write to it any more */
  constructor(onClose: () => void = () => {}) {
    super();
    this.close = onClose;
  }
  write(bytes: Uint8Array) {
    this.chunks.push(bytes.slice());
  }
  get bytes() {
    return concat(this.chunks);
  }
}

/** `/dev/null`, `/dev/zero`, `/dev/urandom`, and `/dev/full`, which takes nothing. */
class Device extends OpenFile {
  make: (count: number) => Uint8Array;
  isFull: boolean;

  constructor(make: (count: number) => Uint8Array, isFull = false) {
    super();
    this.make = make;
    this.isFull = isFull;
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
  read(count: number) {
    return this.make(Math.min(count, CAPACITY));
  }
  write(bytes: Uint8Array) {
    if (this.isFull && bytes.length) throw new SystemError(NO_SPACE);
  }
}

export const nullDevice = (): OpenFile => new Device(() => EMPTY);

export const DEVICES: Record<string, () => OpenFile> = {
  "/dev/null": nullDevice,
  "/dev/zero": () => new Device((count) => new Uint8Array(count)),
  "/dev/full": () => new Device((count) => new Uint8Array(count), true),
  "/dev/urandom": () => new Device((count) => crypto.getRandomValues(new Uint8Array(count))),
  "/dev/random": () => new Device((count) => crypto.getRandomValues(new Uint8Array(count))),
};

/** A file of Emscripten's filesystem. */
export class RegularFile extends OpenFile {
  FS: FileSystem;
  file: FSStream;

  /** @param file - a stream of Emscripten's */
  constructor(FS: FileSystem, file: FSStream) {
    super();
    this.FS = FS;
    this.file = file;
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
  read(count: number) {
    const buffer = new Uint8Array(Math.min(count, CAPACITY));
    return buffer.subarray(0, this.FS.read(this.file, buffer, 0, buffer.length));
  }
  unread(bytes: Uint8Array) {
    this.FS.llseek(this.file, -bytes.length, 1);
  }
  write(bytes: Uint8Array) {
    if (bytes.length) this.FS.write(this.file, bytes, 0, bytes.length);
  }
}

/** A file that Python has opened. It keeps its own descriptor, which shares the position. */
export class DescriptorFile extends RegularFile {
  constructor(FS: FileSystem, number: number) {
    super(FS, FS.dupStream(FS.getStreamChecked(number)));
  }
  read(count: number) {
    try {
      return super.read(count);
    } catch (error) {
      if (errnoOf(error) === NOTHING_THERE) return EMPTY;
      throw error;
    }
  }
}

/** Output that goes to a function of Python's. */
export class Sink extends OpenFile {
  receive: ((bytes: Uint8Array) => void) | null;

  constructor(receive: (bytes: Uint8Array) => void) {
    super();
    this.receive = receive;
  }
  write(bytes: Uint8Array) {
    if (this.receive === null) throw new BrokenPipe();
    if (bytes.length) this.receive(bytes.slice());
  }
}
