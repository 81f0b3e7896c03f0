// One shell session: a bash whose variables, functions, aliases, options and working directory last.
//
// just-bash starts afresh with each `exec`. So a session is one `exec` that does not end: its script is a list of
// statements that grows while it runs. A command between them, NEXT, waits for the next thing to run.
// An interrupted `exec` takes its state with it, so the state is noted before each command and given to the next.
import { Bash } from "just-bash/browser";

import { fromLatin1, latin1 } from "./bytes.js";
import { ShellFiles } from "./files.js";
import { LIVE, Rewriter, command, quoted, statement } from "./rewrite.js";

/**
 * @typedef {object} CommandResult
 * @property {Uint8Array} stdout
 * @property {Uint8Array} stderr
 * @property {number} exitCode
 *
 * @typedef {(script: string, cwd: string, env: Record<string, string>) => Promise<CommandResult>} SubShell
 *
 * @typedef {object} Invocation what Python needs to run one of its commands
 * @property {string} name
 * @property {string[]} args
 * @property {Uint8Array} stdin
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {boolean} live whether its output goes straight to the terminal
 * @property {SubShell} shell
 *
 * @typedef {object} SessionOptions
 * @property {any} FS Emscripten's FS
 * @property {string} workingDir
 * @property {Record<string, string>} env
 * @property {string[]} commands names of the commands that Python provides
 * @property {string[]} liveCommands those of them that print while they run
 * @property {(invocation: Invocation) => Promise<CommandResult>} runCommand
 * @property {import("../interrupts.js").Interrupts | null} interrupts what the page wants stopped
 * @property {number} number of this session's terminal there
 * @property {() => void} cancelCommands asks the running Python commands to end
 * @property {import("./files.js").Write} write receives what is printed
 *
 * @typedef {{ exitCode: number, workingDir: string, ended: "done" | "exited" | "interrupted" | "timed_out" }} Finished
 * @typedef {any} Node
 */

const NEXT = "__gemini_next";
const STATUS = "__gemini_status";
const INTERRUPTED = 130;
const ENGINE_LIMIT = 126;

// Loops, commands and output are limited by the caller's timeout and output cap, not by the engine.
const UNLIMITED = Object.fromEntries(
  [
    "maxLoopIterations",
    "maxCommandCount",
    "maxExecutionTimeMs",
    "maxOutputSize",
    "maxWorkUnits",
    "maxInputBytes",
    "maxLiveBytes",
    "maxAwkIterations",
    "maxSedIterations",
    "maxJqIterations",
    "maxStringLength",
    "maxHeredocSize",
    "maxTraversalEntries",
    "maxTraversalWork",
    "maxGlobOperations",
    "maxArrayElements",
    "maxBraceExpansionResults",
  ].map((name) => [name, Number.MAX_SAFE_INTEGER]),
);
// Deeper recursion would end in the JavaScript engine's own stack overflow.
const LIMITS = { ...UNLIMITED, maxCallDepth: 400 };

const utf8 = new TextEncoder();
const parser = new Bash({ defenseInDepth: false, executionLimits: LIMITS });

/** @param {string} text @returns {Node[]} @throws {Error} where the syntax is wrong */
export const parse = (text) => /** @type {Node} */ (parser.transform(text).ast).statements;

export class Session {
  /** @param {SessionOptions} options */
  constructor(options) {
    this.options = options;
    /** @type {Map<string, Node>} */
    this.functions = new Map();
    this.rewriter = new Rewriter(new Set(options.liveCommands), (definition) =>
      this.functions.set(definition.name, definition),
    );
    /** What NEXT saw last: enough to start a new `exec` where the old one was. */
    this.state = { env: options.env, cwd: options.workingDir, declared: "" };
    /** @type {Set<() => void>} */
    this.sleepers = new Set();
    /** @type {Node[]} */
    this.queue = [];
    /** @type {((finished: Finished) => void) | null} */
    this.finish = null;
    this.wake = () => {};
    this.status = 0;
    this.started = false;
    this.stopped = false;
    this.closed = false;
    this.deadline = Infinity;
    this.request = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.bash = this.createBash();
  }

  createBash() {
    const bash = new Bash({
      fs: /** @type {any} */ (new ShellFiles(this.options.FS, this.options.write)),
      cwd: this.options.workingDir,
      env: this.options.env,
      // It patches globals (Function, setTimeout, …) that Pyodide needs; the page's sandbox is the browser's.
      defenseInDepth: false,
      executionLimits: LIMITS,
      sleep: (milliseconds) => this.sleep(milliseconds),
      customCommands: [
        ...this.options.commands.map((name) => ({
          name,
          execute: (/** @type {string[]} */ args, /** @type {any} */ context) => this.runPython(name, args, context),
        })),
        { name: NEXT, execute: (args, context) => this.next(args, context) },
        { name: STATUS, execute: async (args) => result("", "", Number(args[0])) },
      ],
    });
    bash.registerTransformPlugin({
      name: "gemini-session",
      transform: ({ ast }) => {
        const script = /** @type {Node} */ (ast);
        // Only the session's own exec is the endless one; `bash -c`, `xargs` and `source` stay as they are.
        const first = script.statements[0]?.pipelines?.[0]?.commands[0]?.name?.parts?.[0]?.value;
        return first === NEXT ? { ast: { ...script, statements: endless(() => this.statements()) } } : { ast };
      },
    });
    return bash;
  }

  /** The script of this session's exec, made while it runs. @returns {Generator<Node>} */
  *statements() {
    yield* this.restored();
    for (;;) {
      yield statement(command(NEXT, ...STATUS_AND_DECLARATIONS));
      yield* this.queue.splice(0);
    }
  }

  /** What gives a new exec the state of the one before. @returns {Generator<Node>} */
  *restored() {
    yield* parse("shopt -s expand_aliases");
    if (this.state.declared) yield* parse(this.state.declared);
    for (const definition of this.functions.values()) yield statement(definition);
    yield statement(command(STATUS, quoted(String(this.status))));
  }

  /**
   * Run a piece of shell script; only one runs at a time.
   * @param {string} script
   * @param {number} timeoutMs Infinity for none
   * @param {number} request of the page that this is for, or 0
   * @returns {Promise<Finished>}
   */
  run(script, timeoutMs, request) {
    if (this.finish) throw new Error("the session runs a command already");
    this.stopped = false;
    this.options.interrupts?.forgetTerminal(this.options.number);
    this.request = request;
    this.deadline = performance.now() + timeoutMs;
    if (timeoutMs < 2 ** 31) this.timer = setTimeout(() => this.interrupt(), timeoutMs);
    return new Promise((resolve) => {
      this.finish = resolve;
      try {
        this.rewriter.errexit =
          /\bset\b.*(-\w*e|errexit)/.test(script) || /\berrexit\b/.test(this.state.env["SHELLOPTS"] ?? "");
        this.queue.push(...this.rewriter.list(parse(script)));
      } catch (error) {
        this.options.write(2, utf8.encode(`bash: ${/** @type {Error} */ (error).message}\n`));
        this.queue.push(statement(command(STATUS, quoted("2"))));
      }
      if (this.started) this.wake();
      else this.start();
    });
  }

  start() {
    this.started = true;
    this.controller = new AbortController();
    const { signal } = this.controller;
    // A busy loop never lets an abort event in, so the engine's own checks look at the clock.
    Object.defineProperty(signal, "aborted", { get: () => this.shouldStop() });
    signal.throwIfAborted = () => {
      if (this.shouldStop()) throw new DOMException("interrupted", "AbortError");
    };
    this.bash
      .exec(NEXT, { rawScript: true, env: this.state.env, replaceEnv: true, cwd: this.state.cwd, signal })
      .then((end) => this.ended(end));
  }

  /** Whether the page said so in shared memory. */
  get isInterrupted() {
    const { interrupts, number } = this.options;
    if (!interrupts?.pending) return false;
    if (interrupts.isTerminalInterrupted(number) || interrupts.isRequestCancelled(this.request)) return true;
    interrupts.noteElsewhere();
    return false;
  }

  get isRunning() {
    return this.finish !== null;
  }

  shouldStop() {
    return this.stopped || this.closed || performance.now() > this.deadline || this.isInterrupted;
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
    if (this.queue.length === 0) {
      this.settle(this.status, "done");
      await new Promise((resolve) => (this.wake = () => resolve(undefined)));
    }
    return result("", "", this.status);
  }

  /** The exec is over: `exit`, `set -e`, an interrupt, or an error of the engine. @param {any} end */
  ended(end) {
    this.started = false;
    this.queue.length = 0;
    const interrupted = this.shouldStop();
    if (!interrupted && end.stdout) this.options.write(1, bytesOf(end));
    if (!interrupted && end.stderr) this.options.write(2, utf8.encode(end.stderr));
    this.status = interrupted ? INTERRUPTED : end.exitCode;
    const gaveUp = end.exitCode === ENGINE_LIMIT && /exceeded/.test(end.stderr);
    if (!interrupted && !gaveUp) {
      // `exit` ends this shell; the next command gets a new one in the same place.
      this.state = { env: { ...this.options.env, PWD: this.state.cwd }, cwd: this.state.cwd, declared: "" };
      this.functions.clear();
    }
    const late = performance.now() >= this.deadline;
    this.settle(this.status, !interrupted ? "exited" : late ? "timed_out" : "interrupted");
  }

  /** @param {number} exitCode @param {Finished["ended"]} ended */
  settle(exitCode, ended) {
    const { finish } = this;
    this.finish = null;
    this.deadline = Infinity;
    clearTimeout(this.timer);
    finish?.({ exitCode, workingDir: this.state.cwd, ended });
  }

  /** End the running command at the engine's next check; what it printed stays. */
  interrupt() {
    if (!this.finish) return;
    this.stopped = true;
    this.options.cancelCommands();
    for (const wake of [...this.sleepers]) wake();
    this.controller?.abort();
  }

  /** End the session for good. */
  close() {
    this.closed = true;
    this.interrupt();
    this.wake();
  }

  /** @param {number} milliseconds @returns {Promise<void>} */
  sleep(milliseconds) {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(milliseconds, 2 ** 31 - 1));
      this.sleepers.add(wake);
    });
  }

  /** @param {string} name @param {string[]} args @param {any} context */
  async runPython(name, args, context) {
    const { [LIVE]: live, ...env } = context.exportedEnv ?? Object.fromEntries(context.env);
    const done = await this.options.runCommand({
      name,
      args,
      stdin: fromLatin1(context.stdin),
      cwd: context.cwd,
      env,
      live: live !== undefined,
      shell: async (script, cwd, environment) => {
        // A nested exec keeps the outer one's list of exported names, so what is handed on is exported again.
        const names = Object.keys(environment).filter((name) => /^[A-Za-z_]\w*$/.test(name) && name !== "_");
        const inner = await context.exec(`export ${names.join(" ")}\n${script}`, {
          cwd,
          env: environment,
          replaceEnv: true,
          signal: context.signal,
        });
        return {
          stdout: bytesOf(inner),
          stderr: utf8.encode(inner.stderr),
          exitCode: inner.exitCode,
        };
      },
    });
    return result(latin1(done.stdout), new TextDecoder().decode(done.stderr), done.exitCode, "bytes");
  }
}

/** @param {string} stdout @param {string} stderr @param {number} exitCode @param {"text" | "bytes"} [stdoutKind] */
const result = (stdout, stderr, exitCode, stdoutKind = "text") => ({ stdout, stderr, exitCode, stdoutKind });

/** @param {{ stdout: string, stdoutKind?: string }} output */
const bytesOf = ({ stdout, stdoutKind }) => (stdoutKind === "bytes" ? fromLatin1(stdout) : utf8.encode(stdout));

/** An array that the interpreter reads through a generator. @param {() => Generator<Node>} make @returns {any} */
const endless = (make) => new Proxy([], { get: (array, key) => (key === Symbol.iterator ? make : Reflect.get(array, key)) });

// Expanded from left to right, so that the substitution doesn't hide the exit code of the command before.
const STATUS_AND_DECLARATIONS = parse('x "$?" "$(declare -p 2>/dev/null)"')[0].pipelines[0].commands[0].args;

// These the shell sets by itself; declaring them again fails or means nothing.
const AUTOMATIC = /^declare \S+ (?:SHELLOPTS|BASHOPTS|PIPESTATUS|BASH\w*|FUNCNAME|EUID|UID|PPID|LINENO|_)(?:=|$)/;

/**
 * Script that restores arrays, attributes, options and positional parameters; plain variables come by `env`.
 * @param {string} declared output of `declare -p`
 * @param {Map<string, string>} env
 */
function restorable(declared, env) {
  const entries = declared
    .split(/\n(?=declare -)/)
    .filter((entry) => /^declare -[a-zA-Z]/.test(entry) && !AUTOMATIC.test(entry))
    .map((entry) => (/^declare -\w*[aA]/.test(entry) ? entry : entry.replace(/=.*/s, "")));
  const options = (env.get("SHELLOPTS") ?? "").split(":").filter((name) => KEPT_OPTIONS.has(name));
  const shell = (env.get("BASHOPTS") ?? "").split(":").filter(Boolean);
  const count = Number(env.get("#") ?? 0);
  const positional = Array.from({ length: count }, (_, at) => shellQuote(env.get(String(at + 1)) ?? ""));
  return [
    ...entries,
    shell.length ? `shopt -s ${shell.join(" ")}` : "",
    count ? `set -- ${positional.join(" ")}` : "",
    ...options.map((name) => `set -o ${name}`),
  ]
    .filter(Boolean)
    .join("\n");
}

const KEPT_OPTIONS = new Set(["allexport", "errexit", "noclobber", "noglob", "nounset", "pipefail"]);

/** @param {string} text */
const shellQuote = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
