// Pipes: what is written to one end is read from the other. named_pipes.ts has those with a name.
import { BrokenPipe } from "../control.ts";
import { EMPTY, concat } from "../../bytes.ts";
import { ABSENT, CAPACITY, OpenFile } from "./open_files.ts";
import type { Task } from "./task.ts";

/** Bytes that were written and aren't read yet. */
export class PipeBuffer {
  chunks: Uint8Array[] = [];
  size = 0;
  waiting = new Set<() => void>();

  notify() {
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }
  change() {
    return new Promise((resolve) => this.waiting.add(() => resolve(undefined)));
  }
  add(bytes: Uint8Array) {
    this.chunks.push(bytes.slice());
    this.size += bytes.length;
    this.notify();
  }
  take(count: number) {
    const whole = this.chunks.length ? concat(this.chunks) : EMPTY;
    const taken = whole.subarray(0, count);
    this.chunks = whole.length > count ? [whole.subarray(count)] : [];
    this.size -= taken.length;
    this.notify();
    return taken;
  }
  unread(bytes: Uint8Array) {
    if (!bytes.length) return;
    this.chunks.unshift(bytes);
    this.size += bytes.length;
  }
}

/** An end that can be read, when `isReady` says so. */
export class PipeFile<Buffer extends PipeBuffer> extends OpenFile {
  buffer: Buffer;

  constructor(buffer: Buffer) {
    super();
    this.buffer = buffer;
  }
  async read(count: number, task: Task) {
    while (!this.isReady) await task.pause(this.buffer.change());
    return this.take(count);
  }
  whenReadable() {
    return this.isReady ? undefined : this.change();
  }
  async change() {
    while (!this.isReady) await this.buffer.change();
  }
  take(count: number) {
    return this.buffer.take(count);
  }
  unread(bytes: Uint8Array) {
    this.buffer.unread(bytes);
  }
}

class Pipe extends PipeBuffer {
  readers = true;
  writers = true;
  endless = false;
}

class PipeReader extends PipeFile<Pipe> {
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
}

class PipeWriter extends OpenFile {
  pipe: Pipe;

  constructor(pipe: Pipe) {
    super();
    this.pipe = pipe;
  }
  close() {
    this.pipe.writers = false;
    this.pipe.notify();
  }
  markEndless() {
    this.pipe.endless = true;
  }
  /** True while a reader hasn't taken the most of it. */
  get isFull() {
    return this.pipe.size >= CAPACITY && this.pipe.readers;
  }
  write(bytes: Uint8Array, task: Task): Promise<void> | void {
    if (!this.pipe.readers) throw new BrokenPipe();
    if (!bytes.length) return undefined;
    this.pipe.add(bytes);
    return this.isFull && task !== ABSENT ? this.drain(task) : undefined;
  }
  whenWritable() {
    return this.isFull ? this.change() : undefined;
  }
  async change() {
    while (this.isFull) await this.pipe.change();
  }
  async drain(task: Task) {
    while (this.isFull) await task.pause(this.pipe.change());
    if (!this.pipe.readers) throw new BrokenPipe();
  }
}

/** @returns the two ends of a pipe */
export function createPipe(): { reader: OpenFile; writer: OpenFile } {
  const pipe = new Pipe();
  return { reader: new PipeReader(pipe), writer: new PipeWriter(pipe) };
}
