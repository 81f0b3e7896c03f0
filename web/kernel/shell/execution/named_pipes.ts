// Named pipes: nodes of the filesystem with the type of a FIFO, whose bytes the shell keeps (POSIX, "mkfifo").
import type { FileSystem } from "../../emscripten.ts";
import { BrokenPipe } from "../control.ts";
import { EMPTY, concat } from "../../bytes.ts";
import { reasonOf } from "./files.ts";
import { OpenFile } from "./open_files.ts";
import type { Shell } from "../shell.ts";
import type { Task } from "./task.ts";

const TYPE = 0o010000;
const CAPACITY = 1 << 16;
// What a program gets that opens one directly (ENXIO): only the shell can wait for the other end.
const NO_DEVICE = 60;
class NamedPipe {
  chunks: Uint8Array[] = [];
  size = 0;
  readers = 0;
  writers = 0;
  /** The number of writers so far. */
  opened = 0;
  waiting = new Set<() => void>();

  notify() {
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }
  change() {
    return new Promise((resolve) => this.waiting.add(() => resolve(undefined)));
  }
}

/** One end, or both, of a named pipe. */
class PipeEnd extends OpenFile {
  pipe: NamedPipe;
  reads: boolean;
  writes: boolean;
  seen: number;

  constructor(pipe: NamedPipe, reads: boolean, writes: boolean) {
    super();
    this.pipe = pipe;
    this.reads = reads;
    this.writes = writes;
    // A reader that comes after the data doesn't wait for another writer.
    this.seen = pipe.size > 0 || pipe.writers > 0 ? pipe.opened - 1 : pipe.opened;
    if (reads) pipe.readers++;
    if (writes) {
      pipe.writers++;
      pipe.opened++;
    }
    pipe.notify();
  }
  close() {
    if (this.reads) this.pipe.readers--;
    if (this.writes) this.pipe.writers--;
    this.pipe.notify();
  }
  get isInput() {
    return this.reads && !this.writes;
  }
  get isReady() {
    return this.pipe.size > 0 || (this.pipe.writers === 0 && this.pipe.opened > this.seen);
  }
  async read(count: number, task: Task) {
    while (!this.isReady) await task.pause(this.pipe.change());
    return this.take(count);
  }
  whenReadable() {
    return this.isReady ? undefined : this.change();
  }
  async change() {
    while (!this.isReady) await this.pipe.change();
  }
  take(count: number) {
    const { pipe } = this;
    const whole = pipe.chunks.length ? concat(pipe.chunks) : EMPTY;
    const taken = whole.subarray(0, count);
    pipe.chunks = whole.length > count ? [whole.subarray(count)] : [];
    pipe.size -= taken.length;
    pipe.notify();
    return taken;
  }
  unread(bytes: Uint8Array) {
    if (!bytes.length) return;
    this.pipe.chunks.unshift(bytes);
    this.pipe.size += bytes.length;
  }
  async write(bytes: Uint8Array, task: Task) {
    const { pipe } = this;
    if (!bytes.length) return;
    // The first write waits for a reader, as opening does in Linux.
    while (pipe.readers === 0 && !this.connected) await task.pause(pipe.change());
    this.connected = true;
    if (pipe.readers === 0) throw new BrokenPipe();
    pipe.chunks.push(bytes.slice());
    pipe.size += bytes.length;
    pipe.notify();
    while (pipe.size >= CAPACITY && pipe.readers > 0 && !this.reads) await task.pause(pipe.change());
  }
  connected = false;
}

const pipes = new WeakMap<object, NamedPipe>();

/**
 * The named pipe at a path, or null.
 * @param place - absolute
 */
export function pipeAt(FS: FileSystem, place: string): NamedPipe | null {
  const { exists, object } = FS.analyzePath(place);
  return exists && object ? (pipes.get(object) ?? null) : null;
}

/** @param flags - of `open` */
export const openPipe = (pipe: NamedPipe, flags: string): OpenFile =>
  new PipeEnd(pipe, flags.startsWith("r"), flags !== "r");

/**
 * Make a named pipe.
 * @param mode - its permissions
 * @returns why it can't be made
 */
export function createPipeAt({ files, cwd }: Shell, name: string, mode: number): string | null {
  const { FS } = files;
  const place = files.resolvePath(cwd, name);
  if (FS.analyzePath(place, true).exists) return "File exists";
  try {
    FS.close(FS.open(place, "w", 0o600));
    const { node } = FS.lookupPath(place, { follow: true });
    node.mode = TYPE | mode;
    node.stream_ops = {
      ...node.stream_ops,
      open() {
        throw new FS.ErrnoError(NO_DEVICE);
      },
    };
    pipes.set(node, new NamedPipe());
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
