// One terminal's shell: a bash whose variables, functions, aliases, options, traps and working directory last.
//
// just-bash starts afresh with each `exec`. So a session is one `exec` that does not end: its script is a list of
// statements that grows while it runs. A command between them, NEXT, waits for the next thing to run.
// An interrupted `exec` takes its state with it, so the state is noted before each command and given to the next.
import { codeOf, results } from "./builtins.js";
import { fromLatin1 } from "./bytes.js";
import { Jobs } from "./jobs.js";
import { command, group, harmless, quoted, statement } from "./nodes.js";
import { inheritsErrexit, parse, parseUpToError, setsErrexit } from "./parsing.js";
import { Shell } from "./shell.js";
import { restorable, restored } from "./state.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 *
 * @typedef {object} Interruptible
 * @property {import("../interrupts.js").Interrupts | null} interrupts what the page wants stopped
 *
 * @typedef {object} Restorable
 * @property {string | null} [state] what `saved` of an earlier session gave
 *
 * @typedef {import("./shell.js").ShellOptions & Interruptible & Restorable} SessionOptions
 *
 * @typedef {{ exitCode: number, workingDir: string, ended: "done" | "exited" | "interrupted" | "timed_out" }} Finished
 */

const NEXT = "__gemini_next";
const INTERRUPTED = 130;
const ENGINE_LIMIT = 126;
// How long a trap of INT may take to begin before the command is ended all the same.
const PATIENCE_MS = 2000;

const READ_ONLY = /\breadonly\b|\b(?:declare|typeset|local)\s+-\w*r|SHELLOPTS|BASHOPTS/;

const utf8 = new TextEncoder();

export class Session extends Shell {
  /** @param {SessionOptions} options */
  constructor(options) {
    super(options, 0, new Map());
    this.interrupts = options.interrupts;
    this.ownJobs = new Jobs(this);
    /** What NEXT saw last: enough to start a new `exec` where the old one was. */
    this.state = { env: options.env, cwd: options.workingDir, declared: "" };
    /** @type {Node[]} */
    this.queue = [];
    /** @type {((finished: Finished) => void) | null} */
    this.finish = null;
    this.wake = () => {};
    this.status = 0;
    this.started = false;
    this.closed = false;
    /** @type {number | null} the code of a shell whose trap of EXIT still has to run */
    this.departing = null;
    /** Whether an assignment to a read-only variable may end the exec, where bash only gives up the statement. */
    this.fragile = false;
    this.deadline = Infinity;
    this.request = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.impatience = undefined;
    if (options.state) this.restore(JSON.parse(options.state));
    this.bash.registerCommand({ name: NEXT, execute: (args, context) => this.next(args, context) });
  }

  get jobs() {
    return this.ownJobs;
  }

  /** The script of this session's exec, made while it runs. @returns {Generator<Node>} */
  *script() {
    yield* restored(this.state, this.rewrittenFunctions(), this.status);
    for (;;) {
      yield harmless(command(NEXT, ...STATUS_AND_DECLARATIONS));
      while (this.queue.length) {
        yield* this.rewriter.list(this.queue.splice(0, this.fragile ? 1 : Infinity));
        if (this.fragile) yield harmless(command(NEXT, ...STATUS_AND_DECLARATIONS));
      }
      // `exit` has it done already; this is for `set -u` and the like, which end a shell at once.
      if (this.departing !== null) {
        yield* this.rewriter.traps.atExit(this.departing);
        yield statement(command("exit", quoted(String(this.departing))));
      }
    }
  }

  rewrittenFunctions() {
    return [...this.functions.values()].map((definition) => this.rewriter.definition(structuredClone(definition)));
  }

  /**
   * Run a piece of shell script; only one runs at a time.
   * @param {string} script
   * @param {number} timeoutMs Infinity for none
   * @param {number} request of the page that this is for, or 0
   * @param {boolean} attended whether a person sits there who can be asked
   * @returns {Promise<Finished>}
   */
  run(script, timeoutMs, request, attended) {
    if (this.finish) throw new Error("the session runs a command already");
    this.stopped = false;
    this.interrupts?.forgetTerminal(this.options.number);
    this.request = request;
    this.attended = attended;
    this.deadline = performance.now() + timeoutMs;
    if (timeoutMs < 2 ** 31) this.timer = setTimeout(() => this.stop(), timeoutMs);
    return new Promise((resolve) => {
      this.finish = resolve;
      this.rewriter.errexit = setsErrexit(script) || /\berrexit\b/.test(this.state.env["SHELLOPTS"] ?? "");
      this.rewriter.inheritsErrexit ||= inheritsErrexit(script);
      this.rewriter.leaves = false;
      this.fragile ||= READ_ONLY.test(script);
      const { statements, error } = parseUpToError(script);
      this.queue.push(...statements.map(outspoken));
      if (error !== null) this.queue.push(statement(command("__gemini_complain", quoted(error), quoted("2"))));
      if (this.started) this.wake();
      else this.start();
    });
  }

  /** What a new session needs to begin where this one is, as JSON. @returns {string} */
  saved() {
    const { actions } = /** @type {any} */ (this.rewriter.traps.frames[0]);
    const { inherited, traces } = this.rewriter.traps;
    return JSON.stringify({
      env: this.state.env,
      declared: this.state.declared,
      status: this.status,
      functions: [...this.functions],
      traps: [...actions],
      inherited,
      traces,
      umask: this.files.umask,
      fragile: this.fragile,
    });
  }

  /** @param {any} kept what `saved` gave */
  restore({ env, declared, status, functions, traps, inherited, traces, umask, fragile }) {
    const cwd = this.options.workingDir;
    this.state = { env: { ...env, PWD: cwd }, cwd, declared };
    for (const [name, definition] of functions) this.functions.set(name, definition);
    Object.assign(this.rewriter.traps, { inherited, traces });
    for (const [signal, action] of traps) this.rewriter.traps.frames[0]?.actions.set(signal, action);
    this.files.umask = umask;
    Object.assign(this, { status, fragile });
  }

  start() {
    this.started = true;
    void this.execute(this.state).then((end) => this.ended(end));
  }

  /** Whether the page said in shared memory that the command has to end; a trap of INT takes an interrupt for itself. */
  takeInterrupt() {
    const { interrupts } = this;
    const { number } = this.options;
    if (!interrupts?.pending) return false;
    if (interrupts.isRequestCancelled(this.request)) return true;
    if (interrupts.isTerminalInterrupted(number)) {
      if (!this.trapsInterrupt()) return true;
      interrupts.forgetTerminal(number);
      return false;
    }
    interrupts.noteElsewhere();
    return false;
  }

  get isRunning() {
    return this.finish !== null;
  }

  shouldStop() {
    // The engine's first check comes while the base class is still under construction.
    return this.stopped || this.closed || performance.now() > this.deadline || this.takeInterrupt();
  }

  /** Leave the interrupt to the script's own trap, if it has one. @returns {boolean} */
  trapsInterrupt() {
    const { traps } = this.rewriter;
    if (this.closed || traps.actionOf("INT") === undefined || traps.pending.includes("INT")) return false;
    traps.pending.push("INT");
    this.impatience = setTimeout(() => traps.pending.includes("INT") && this.stop(), PATIENCE_MS);
    this.wakeAll();
    return true;
  }

  /**
   * The command between commands: reports that one is done, and waits for the next.
   * @param {string[]} args the last exit code, and what `declare -p` printed
   * @param {any} context
   */
  async next(args, context) {
    this.status = Number(args[0]);
    this.state = {
      env: Object.fromEntries(context.env),
      cwd: context.cwd,
      declared: restorable(args[1] ?? "", context.env),
    };
    if (this.queue.length === 0 && this.departing === null) {
      this.settle(this.status, "done");
      await new Promise((resolve) => (this.wake = () => resolve(undefined)));
    }
    return results("", "", this.status);
  }

  /** The exec is over: `exit`, `set -e`, an interrupt, or an error of the engine. @param {any} end */
  ended(end) {
    this.started = false;
    const interrupted = this.shouldStop();
    const goesOn = !interrupted && end.exitCode === 1 && /readonly variable\n$/.test(end.stderr) && !this.rewriter.errexit;
    if (!goesOn) this.queue.length = 0;
    if (!interrupted && end.stdout) this.options.write(1, bytesOf(end));
    if (!interrupted && end.stderr) this.options.write(2, utf8.encode(end.stderr));
    this.status = interrupted ? INTERRUPTED : codeOf(end, this.rewriter.leaves || this.rewriter.errexit);
    if (goesOn) return this.start();
    const gaveUp = end.failed || (end.exitCode === ENGINE_LIMIT && /exceeded/.test(end.stderr));
    if (interrupted || gaveUp) this.departing = null;
    else if (this.rewriter.traps.hasExit && this.departing === null) {
      this.departing = this.status;
      return this.start();
    } else this.renew();
    const late = performance.now() >= this.deadline;
    this.settle(this.status, !interrupted ? "exited" : late ? "timed_out" : "interrupted");
  }

  /** `exit` ends this shell; the next command gets a new one in the same place. */
  renew() {
    this.departing = null;
    this.state = { env: { ...this.options.env, PWD: this.state.cwd }, cwd: this.state.cwd, declared: "" };
    this.functions.clear();
    const { rewriter } = this;
    rewriter.forget();
    this.rewriter = this.createRewriter(rewriter.frame.way);
  }

  /** @param {number} exitCode @param {Finished["ended"]} ended */
  settle(exitCode, ended) {
    const { finish } = this;
    this.finish = null;
    this.deadline = Infinity;
    clearTimeout(this.timer);
    clearTimeout(this.impatience);
    finish?.({ exitCode, workingDir: this.state.cwd, ended });
  }

  /** End the running command, or have its trap of INT run. */
  interrupt() {
    if (this.finish && !this.trapsInterrupt()) this.stop();
  }

  stop() {
    if (this.finish) super.stop();
  }

  /** End the session and its jobs for good. */
  close() {
    this.closed = true;
    this.jobs.stopAll();
    this.stop();
    this.wake();
    this.rewriter.forget();
  }
}

/** @param {{ stdout: string, stdoutKind?: string }} output */
const bytesOf = ({ stdout, stdoutKind }) => (stdoutKind === "bytes" ? fromLatin1(stdout) : utf8.encode(stdout));

// Expanded from left to right, so that the substitution doesn't hide the exit code of the command before.
const STATUS_AND_DECLARATIONS = parse('x "$?" "$(declare -p 2>/dev/null)"')[0].pipelines[0].commands[0].args;

/**
 * A statement of which it is told what is wrong with its calculations: the interpreter keeps that until the script ends,
 * unless a group takes it.
 * @param {Node} item @returns {Node}
 */
const outspoken = (item) =>
  !item.background && JSON.stringify(item.pipelines ?? null).includes('"ArithmeticExpansion"') ? statement(group([item])) : item;
