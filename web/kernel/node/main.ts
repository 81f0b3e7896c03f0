// The command `node`: a program of JavaScript in its own worker (web/node/), which this module answers. The worker
// has the kernel's policy and reaches nothing but these calls; ending it ends the program at once.
import { canShareMemory } from "../../shared/shared_memory.ts";
import type { FileSystem } from "../emscripten.ts";
import type { Change } from "../clock.ts";
import { ProgramFiles, problemOf } from "./files.ts";
import { Answers, createMemory, type Answer } from "./memory.ts";
import { Programs, type ProgramRequest, type StartedProgram, type StartRequest } from "./programs.ts";

/** the shell's arguments to a program */
export interface Surroundings {
  /** Emscripten's FS */
  FS: FileSystem;
  args: string[];
  cwd: string;
  umask: number;
  env: Record<string, string>;
  /** the table of the time zone; null for the browser's */
  zone: Change[] | null;
  pid: number;
  /** whether standard input, output and error are the terminal */
  terminals: boolean[];
  /** of standard input */
  read: (count: number) => Promise<Uint8Array>;
  /** to standard output or error */
  write: (number: number, bytes: Uint8Array) => Promise<void>;
  /** starts a program (web/kernel/shell/execution/children.ts) */
  start: (request: StartRequest) => StartedProgram;
}

const WORKER = "node_worker.mjs";

/** The address of a module next to this one; null where there is no page that serves it. */
export const urlOf = (name: string) => URL.parse(name, import.meta.url);

/** Return whether the browser compiles text to code here, which it refuses to extensions. */
function compilesText() {
  try {
    return new Function("return true")();
  } catch (error) {
    if (error instanceof EvalError) return false;
    throw error;
  }
}

export class NodeProgram {
  surroundings: Surroundings;
  files: ProgramFiles;
  programs: Programs;
  answers: Answers;
  slow: Record<string, { ask(...args: unknown[]): Promise<Answer> }["ask"]>;
  worker: Worker;
  /** Its exit code. */
  done: Promise<number>;

  constructor(surroundings: Surroundings) {
    const url = urlOf(WORKER);
    if (url === null) throw new Error("node runs in the surface's own page only");
    if (!canShareMemory()) {
      throw new Error(
        globalThis.crossOriginIsolated
          ? "node needs SharedArrayBuffer, which this browser lacks: use python, or Chromium or Firefox"
          : "node needs a cross-origin isolated page: see docs/hosting.md",
      );
    }
    if (!compilesText()) {
      throw new Error(
        "node can't run in the browser extension, where browsers compile no text: use python, or the companion's page (docs/extension.md)",
      );
    }
    this.surroundings = surroundings;
    const { FS, umask, read, write } = surroundings;
    this.files = new ProgramFiles(FS, umask);
    this.programs = new Programs(surroundings);
    const memory = createMemory();
    this.answers = new Answers(memory);
    this.slow = {
      input: async (count: number) => ({ bytes: await read(count) }),
      output: async (number: number, bytes: Uint8Array) => (await write(number, bytes), {}),
      run: async (request: ProgramRequest) => this.programs.run(request),
    };
    this.worker = new Worker(url, { type: "module", name: "node" });
    this.done = new Promise((resolve, reject) => {
      this.worker.onerror = (event) => reject(new Error(event.message || `${WORKER} can't be loaded: reload the page`));
      this.worker.onmessage = ({ data }) => {
        if (data.exit !== undefined) resolve(data.exit);
        else this.receive(data).catch(reject);
      };
    });
    const { args, cwd, env, pid, terminals, zone } = surroundings;
    this.worker.postMessage({ memory, args, cwd, env, pid, umask, terminals, zone });
  }

  async receive({
    call = "",
    args = [],
    later,
    more,
  }: {
    call?: string;
    args?: unknown[];
    later?: number;
    more?: boolean;
  }) {
    if (more) return this.answers.more();
    const answer = await this.answer(call, args);
    if (later === undefined) this.answers.give(answer);
    else this.worker.postMessage({ later, answer });
  }

  async answer(call: string, args: unknown[]): Promise<Answer> {
    try {
      const slow = Object.hasOwn(this.slow, call) ? this.slow[call] : undefined;
      return slow ? await slow(...args) : this.files.perform(call, args);
    } catch (error) {
      return { problem: problemOf(error) };
    }
  }

  stop() {
    this.worker.terminate();
    this.files.closeAll();
    this.programs.stop();
  }
}
