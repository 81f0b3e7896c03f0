// Named pipes: nodes of the filesystem with the type of a FIFO, whose bytes the shell keeps (POSIX, "mkfifo").
import type { FileSystem } from "../../emscripten.ts";
import { BrokenPipe } from "../control.ts";
import { reasonOf } from "./files.ts";
import { CAPACITY, type OpenFile } from "./open_files.ts";
import { PipeBuffer, PipeFile } from "./pipes.ts";
import type { Shell } from "../shell.ts";
import type { Task } from "./task.ts";

const TYPE = 0o010000;
// What a program gets that opens one directly (ENXIO): only the shell can wait for the other end.
const NO_DEVICE = 60;

class NamedPipe extends PipeBuffer {
  readers = 0;
  writers = 0;
  /** The number of writers so far. */
  opened = 0;
}

/** One end, or both, of a named pipe. */
class PipeEnd extends PipeFile<NamedPipe> {
  reads: boolean;
  writes: boolean;
  seen: number;
  connected = false;

  constructor(pipe: NamedPipe, reads: boolean, writes: boolean) {
    super(pipe);
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
    if (this.reads) this.buffer.readers--;
    if (this.writes) this.buffer.writers--;
    this.buffer.notify();
  }
  get isInput() {
    return this.reads && !this.writes;
  }
  get isReady() {
    return this.buffer.size > 0 || (this.buffer.writers === 0 && this.buffer.opened > this.seen);
  }
  async write(bytes: Uint8Array, task: Task) {
    const { buffer: pipe } = this;
    if (!bytes.length) return;
    // The first write waits for a reader, as opening does in Linux.
    while (pipe.readers === 0 && !this.connected) await task.pause(pipe.change());
    this.connected = true;
    if (pipe.readers === 0) throw new BrokenPipe();
    pipe.add(bytes);
    while (pipe.size >= CAPACITY && pipe.readers > 0 && !this.reads) await task.pause(pipe.change());
  }
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
