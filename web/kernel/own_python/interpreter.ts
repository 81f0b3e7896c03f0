/**
 * The kernel's side of an interpreter of an agent's own: it starts the worker, performs its operations on files, and
 * ends it.
 */

import { errnoOf, type FileSystem } from "../emscripten.ts";
import type { Network } from "../network.ts";
import { ProgramFiles, problemOf } from "../node/files.ts";
import { Answers, createMemory, type Answer } from "../node/memory.ts";

interface Settings {
  /** Emscripten's FS */
  FS: FileSystem;
  network: Network;
  snapshot: string | null;
  roots: string[];
  home: string;
  environment: string;
  /** bytes of memory */
  most: number;
}

interface Running {
  resolve: (answer: string) => void;
  reject: (reason: Error) => void;
  /** returns false if nobody reads it any more */
  write: (stream: number, bytes: Uint8Array) => Promise<boolean> | boolean;
  read: (asked: string) => Promise<Answer> | Answer;
}

/** from the worker: it has ended a call or is about to end, wants more of an answer, or asks for an operation */
interface Received {
  dying?: string;
  done?: number;
  answer?: string;
  failure?: string;
  memory?: number;
  more?: boolean;
  call?: string;
  args?: unknown[];
}

const UMASK = 0o022;
const MOST_WORDS = 300;
// The operations that the worker may ask for.
const FILE_CALLS = new Set([
  "access",
  "chmod",
  "close",
  "fstat",
  "ftruncate",
  "mkdir",
  "open",
  "read",
  "readdir",
  "readFile",
  "readlink",
  "rename",
  "rmdir",
  "stat",
  "symlink",
  "truncate",
  "unlink",
  "utimes",
  "write",
]);

export class Interpreter {
  /** Bytes of Python's memory. */
  memory = 0;
  /** Milliseconds from the start until it was ready. */
  startMs = 0;
  /** Why it has ended; empty while it lives. */
  ended = "";
  #running = new Map<number, Running>();
  #stop = new Int32Array(new SharedArrayBuffer(4));
  #dying = "";
  files: ProgramFiles;
  answers: Answers;
  worker: Worker;
  ready: Promise<void>;
  fail?: (reason: Error) => void;

  constructor({ FS, ...settings }: Settings) {
    const began = performance.now();
    this.files = new ProgramFiles(FS, UMASK);
    const answers = createMemory();
    this.answers = new Answers(answers);
    const lock = `gemini-own-python-${crypto.randomUUID()}`;
    this.worker = new Worker(self.location.href, { type: "module", name: "gemini-own-python" });
    this.ready = new Promise((resolve, reject) => {
      this.worker.onerror = (event) => {
        event.preventDefault?.();
        this.end(event.message || "its script could not be loaded");
      };
      this.worker.onmessage = ({ data }) => {
        if (data.ready !== undefined) {
          this.memory = Number(data.ready);
          this.startMs = performance.now() - began;
          resolve();
          // The worker holds it until it ends.
          void navigator.locks.request(lock, () => this.end(this.#dying || "its worker ended"));
        } else this.#receive(data);
      };
      this.fail = reject;
    });
    // The error is handled where it is awaited.
    this.ready.catch(() => {});
    this.worker.postMessage({ ownPython: { ...settings, answers, stop: this.#stop, lock } });
  }

  get isIdle() {
    return this.#running.size === 0;
  }

  /**
   * @param id - of the call
   * @returns the answer, as JSON
   * @throws {Error} the interpreter has ended
   */
  async call(
    id: number,
    request: string,
    input: Uint8Array | null,
    write: Running["write"],
    read: Running["read"],
  ): Promise<string> {
    if (this.ended) throw new Error(this.ended);
    await this.ready;
    return new Promise((resolve, reject) => {
      this.#running.set(id, { resolve, reject, write, read });
      this.worker.postMessage({ ownCall: { id, request, input: input ?? null } });
    });
  }

  #receive(data: Received) {
    if (this.ended) return;
    if (data.dying !== undefined) {
      // The last line of a traceback says what was wrong.
      this.#dying = (String(data.dying).trim().split("\n").at(-1) ?? "").slice(0, MOST_WORDS);
      this.end(this.#dying);
    } else if (data.done !== undefined) this.#settle(data.done, data);
    else if (data.more) this.answers.more();
    else if (typeof data.call === "string") void this.#answer(data.call, data.args ?? []);
  }

  #settle(done: number, { answer, failure, memory }: Received) {
    const running = this.#running.get(done);
    this.#running.delete(done);
    this.memory = Number(memory ?? this.memory);
    if (Atomics.load(this.#stop, 0) === done) Atomics.store(this.#stop, 0, 0);
    if (failure !== undefined) running?.reject(new Error(String(failure)));
    else running?.resolve(String(answer));
  }

  async #answer(call: string, args: unknown[]) {
    const answer = await this.#perform(call, args);
    if (!this.ended) this.answers.give(answer);
  }

  async #perform(call: string, args: unknown[]): Promise<Answer> {
    try {
      const running = this.#running.get(Number(args[0]));
      if (call === "output" && args[2] instanceof Uint8Array)
        return { value: (await running?.write(Number(args[1]), args[2])) === true };
      if (call === "input") return (await running?.read(String(args[1]))) ?? {};
      if (!FILE_CALLS.has(call)) return { problem: { code: "ENOSYS", text: "there is no such operation" } };
      return this.files.perform(call, args);
    } catch (error) {
      // The worker waits for an answer, whatever went wrong.
      if (errnoOf(error) === undefined) console.error("own Python:", call, error);
      else return { problem: problemOf(error) };
      return { problem: { code: "EIO", text: "i/o error" } };
    }
  }

  /** Raise KeyboardInterrupt in a call's code. */
  stop(id: number) {
    Atomics.store(this.#stop, 0, id);
    this.worker.postMessage({ ownStop: id });
  }

  /** End it at once: what its last finished write has written stays. */
  end(reason: string) {
    if (this.ended) return;
    this.ended = reason;
    this.worker.terminate();
    this.files.closeAll();
    this.fail?.(new Error(reason));
    for (const { reject } of this.#running.values()) reject(new Error(reason));
    this.#running.clear();
  }
}
