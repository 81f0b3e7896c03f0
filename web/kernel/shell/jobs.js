// Background jobs: each is a shell of its own, which starts with a copy of the state of the one that it comes from.
import { fromLatin1, latin1 } from "./bytes.js";
import { SIGNALS } from "./signals.js";
import { restored } from "./state.js";
import { Shell } from "./shell.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./state.js").State} State
 */

const TERMINATED = 143;
// So many that have ended are listed, and so many exit codes are told, until somebody waits for them.
const MOST_ENDED = 50;
const MOST_CODES = 1_000;
let pids = 5000;

export class Job extends Shell {
  /**
   * @param {Shell} parent
   * @param {Node} body the statement that the `&` ends
   * @param {number} way where its output goes
   * @param {number} number as in `%1`
   */
  constructor(parent, body, way, number) {
    super(parent.options, ++pids, new Map(parent.functions));
    this.rewriter.forget();
    this.rewriter = this.createRewriter(way);
    this.rewriter.errexit = parent.rewriter.errexit;
    this.files.umask = parent.files.umask;
    this.body = body;
    this.number = number;
    this.text = (body.sourceText ?? "").replace(/\s*&\s*$/, "");
    this.ownJobs = new Jobs(this);
    /** @type {number | null} */
    this.exitCode = null;
    /** @type {string | null} the signal that ended it */
    this.signal = null;
    /** What it printed into a pipe or a variable and nobody has fetched yet. */
    this.output = { stdout: "", stderr: "" };
    /** @type {Promise<void>} */
    this.done = Promise.resolve();
  }

  get jobs() {
    return this.ownJobs;
  }
  get pid() {
    return this.job;
  }
  get isRunning() {
    return this.exitCode === null;
  }

  /** @param {State} state */
  start(state) {
    this.begin = state;
    this.done = this.execute(state).then((end) => {
      this.exitCode = this.signal === null ? end.exitCode : 128 + (SIGNALS[this.signal] ?? 0);
      if (this.signal === null) this.keep(end);
      this.rewriter.forget();
    });
  }

  /** @param {any} end */
  keep({ stdout, stdoutKind, stderr }) {
    this.output.stdout += stdoutKind === "bytes" ? stdout : latin1(new TextEncoder().encode(stdout));
    this.output.stderr += stderr;
    if (this.rewriter.frame.way === 0 || !(this.output.stdout || this.output.stderr)) return;
    this.options.write(1, fromLatin1(this.output.stdout));
    this.options.write(2, new TextEncoder().encode(this.output.stderr));
    this.output = { stdout: "", stderr: "" };
  }

  /** @returns {Generator<Node>} */
  *script() {
    const functions = [...this.functions.values()].map((one) => this.rewriter.definition(structuredClone(one)));
    yield* restored(/** @type {State} */ (this.begin), functions, 0);
    const plain = structuredClone({ ...this.body, background: false });
    yield* this.rewriter.list([plain], { subshell: true });
  }

  /** @param {string} name of a signal */
  receive(name) {
    if (!this.isRunning) return;
    const action = name === "KILL" ? undefined : this.rewriter.traps.actionOf(name);
    if (action === "" || ["CONT", "STOP", "TSTP", "CHLD", "WINCH", "URG"].includes(name)) return;
    if (action !== undefined) {
      this.rewriter.traps.pending.push(name);
      this.wakeAll();
      return;
    }
    this.signal = name;
    this.jobs.stopAll();
    this.stop();
  }
}

export class Jobs {
  /** @param {Shell} shell that they belong to */
  constructor(shell) {
    this.shell = shell;
    /** @type {Job[]} those that nobody has waited for */
    this.all = [];
    /** @type {Map<number, number>} exit codes of the others */
    this.codes = new Map();
    /** @type {number | null} */
    this.last = null;
  }

  /** @param {Node} body @param {number} way @param {State} state */
  start(body, way, state) {
    const number = 1 + Math.max(0, ...this.all.map((job) => job.number));
    const job = new Job(this.shell, body, way, number);
    this.all.push(job);
    this.last = job.pid;
    job.start(state);
    for (const ended of this.all.filter((one) => !one.isRunning).slice(0, -MOST_ENDED)) this.forget(ended);
    return job;
  }

  /** @param {Job} job */
  forget(job) {
    this.all = this.all.filter((one) => one !== job);
    this.codes.set(job.pid, job.exitCode ?? TERMINATED);
    for (const pid of this.codes.keys()) if (this.codes.size > MOST_CODES) this.codes.delete(pid);
  }

  /** The job that `%1`, `%+`, `%name` or a process id stands for. @param {string} spec @returns {Job | undefined} */
  find(spec) {
    if (/^\d+$/.test(spec)) return this.all.find((job) => job.pid === Number(spec));
    if (/^%[%+]?$/.test(spec)) return this.all.at(-1);
    if (spec === "%-") return this.all.at(-2);
    if (/^%\d+$/.test(spec)) return this.all.find((job) => job.number === Number(spec.slice(1)));
    if (spec.startsWith("%?")) return this.all.find((job) => job.text.includes(spec.slice(2)));
    return spec.startsWith("%") ? this.all.find((job) => job.text.startsWith(spec.slice(1))) : undefined;
  }

  /** What the jobs that have ended printed into a pipe or a variable. */
  fetch() {
    const fetched = { stdout: "", stderr: "" };
    for (const { output } of this.all) {
      fetched.stdout += output.stdout;
      fetched.stderr += output.stderr;
      [output.stdout, output.stderr] = ["", ""];
    }
    return fetched;
  }

  stopAll() {
    for (const job of this.all) job.receive("KILL");
  }
}
