// Programs that a program of `node` starts: its node:child_process.

/**
 * @typedef {object} ProgramRequest
 * @property {string} file
 * @property {string[]} words
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {("pipe" | "inherit" | "ignore")[]} stdio
 * @property {Uint8Array | null} input
 * @property {number} timeout milliseconds, 0 for none
 * @property {string} signal the number of the signal at the timeout
 */

const TERMINATE = 15;
/** @type {Record<string, string>} */
const REFUSALS = { missing: "ENOENT", denied: "EACCES", format: "ENOEXEC" };

export class Programs {
  /** @param {import("./main.js").Surroundings} surroundings */
  constructor({ start }) {
    this.start = start;
    /** @type {Set<any>} */
    this.running = new Set();
  }

  /** Run a program to its end. @param {ProgramRequest} request @returns {Promise<import("./memory.js").Answer>} */
  async run({ file, words, cwd, env, stdio, input, timeout }) {
    /** @type {Uint8Array[][]} */
    const printed = [[], [], []];
    const streams = stdio.map((kind, number) => {
      if (kind === "inherit") return { kind, number };
      if (kind === "ignore") return { kind: "null" };
      return number === 0 ? { kind: "pipe" } : { kind: "write", write: (/** @type {Uint8Array} */ bytes) => printed[number]?.push(bytes) };
    });
    const child = this.start({ program: file, words, cwd, env, streams });
    if (child.problem) return { value: { refused: REFUSALS[child.problem] } };
    this.running.add(child);
    let late = false;
    const timer = timeout > 0 ? setTimeout(() => ((late = true), child.kill(TERMINATE)), timeout) : undefined;
    const [stdin] = child.ends;
    if (input) stdin?.push(input);
    stdin?.close();
    const status = await child.done.finally(() => clearTimeout(timer));
    this.running.delete(child);
    const [, out = [], err = []] = printed;
    const sizes = [out, err].map((chunks) => chunks.reduce((size, { length }) => size + length, 0));
    const bytes = new Uint8Array(await new Blob(/** @type {any} */ ([...out, ...err])).arrayBuffer());
    return { value: { status, late, pid: child.pid, split: sizes[0] }, bytes };
  }

  stop() {
    for (const child of this.running) child.kill(TERMINATE);
  }
}
