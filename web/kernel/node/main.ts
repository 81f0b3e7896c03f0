// The command `node`: a program of JavaScript in a worker of its own (web/node/), which this module answers. The worker
// has the kernel's policy and reaches nothing but these calls; ending it ends the program at once.
import { ProgramFiles, problemOf } from "./files.js";
import { Answers, createMemory } from "./memory.js";
import { Programs } from "./programs.js";

/**
 * @typedef {import("./memory.js").Answer} Answer
 *
 * @typedef {object} Surroundings what the shell passes to a program
 * @property {any} FS Emscripten's FS
 * @property {string[]} args
 * @property {string} cwd
 * @property {number} umask
 * @property {Record<string, string>} env
 * @property {import("../clock.js").Change[] | null} zone the table of the time zone; null for the browser's
 * @property {number} pid
 * @property {boolean[]} terminals whether standard input, output and error are the terminal
 * @property {(count: number) => Promise<Uint8Array>} read of standard input
 * @property {(number: number, bytes: Uint8Array) => Promise<void>} write to standard output or error
 * @property {(request: any) => any} start starts a program (web/kernel/shell/children.js)
 */

const WORKER = "node_worker.mjs";

/** The address of a module beside this one; null where there is no page that serves it. @param {string} name */
export const urlOf = (name) => URL.parse(name, import.meta.url);

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
  /** @param {Surroundings} surroundings */
  constructor(surroundings) {
    const url = urlOf(WORKER);
    if (url === null) throw new Error("node runs in the surface's own page only");
    if (!globalThis.crossOriginIsolated) throw new Error("node needs a cross-origin isolated page: see docs/hosting.md");
    if (!compilesText()) {
      throw new Error("node can't run in the browser extension, where browsers compile no text: use python, or the companion's page (docs/extension.md)");
    }
    this.surroundings = surroundings;
    const { FS, umask, read, write } = surroundings;
    this.files = new ProgramFiles(FS, umask);
    this.programs = new Programs(surroundings);
    const memory = createMemory();
    this.answers = new Answers(memory);
    /** @type {Record<string, (...args: any[]) => Promise<Answer>>} */
    this.slow = {
      input: async (/** @type {number} */ count) => ({ bytes: await read(count) }),
      output: async (/** @type {number} */ number, /** @type {Uint8Array} */ bytes) => (await write(number, bytes), {}),
      run: async (/** @type {any} */ request) => this.programs.run(request),
    };
    this.worker = new Worker(url, { type: "module", name: "node" });
    /** Its exit code. @type {Promise<number>} */
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

  /** @param {{ call?: string, args?: any[], later?: number, more?: boolean }} message */
  async receive({ call = "", args = [], later, more }) {
    if (more) return this.answers.more();
    const answer = await this.answer(call, args);
    if (later === undefined) this.answers.give(answer);
    else this.worker.postMessage({ later, answer });
  }

  /** @param {string} call @param {any[]} args @returns {Promise<Answer>} */
  async answer(call, args) {
    try {
      const slow = Object.hasOwn(this.slow, call) ? this.slow[call] : undefined;
      return slow ? await slow(...args) : /** @type {any} */ (this.files)[call](...args);
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
