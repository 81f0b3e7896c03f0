// One shell on just-bash: the terminal's own, or that of a background job.
import { Bash } from "just-bash/browser";

import { builtins, results } from "./builtins.js";
import { fromLatin1, latin1 } from "./bytes.js";
import { ShellFiles } from "./files.js";
import { LIVE, OWN_SHELL } from "./internal.js";
import { LIMITS } from "./limits.js";
import { generated, nameOf, statement } from "./nodes.js";
import { inheritsErrexit, parse, setsErrexit } from "./parsing.js";
import { Rewriter } from "./rewrite.js";
import { CAPTURED, KEPT, MERGED, TERMINAL, errOf, outOf } from "./routes.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./state.js").State} State
 *
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
 * @property {string} descriptors the directory that `/dev/fd` is for process substitutions
 * @property {number} umask
 * @property {Record<string, string>} env
 * @property {{ stdout: 0 | 1 | 2, stderr: 0 | 1 | 2 }} live the terminal's streams that its output goes straight to, or 0
 * @property {number} job process id of the job that it belongs to, or 0
 * @property {SubShell} shell
 *
 * @typedef {object} ShellOptions
 * @property {any} FS Emscripten's FS
 * @property {string} workingDir
 * @property {Record<string, string>} env
 * @property {string[]} commands names of the commands that Python provides
 * @property {string[]} liveCommands those of them that print while they run
 * @property {(invocation: Invocation) => Promise<CommandResult>} runCommand
 * @property {number} number of this session's terminal
 * @property {(job: number) => void} cancelCommands asks the running Python commands of a job (0: of the terminal) to end
 * @property {import("./files.js").Write} write receives what is printed
 * @property {(prompt: string, hidden: boolean) => Promise<string | null>} ask has the person at the terminal type a line
 */

// The first command of an `exec` that executes what `script()` yields.
const BEGIN = "__gemini_begin";

export class Shell {
  /** @param {ShellOptions} options @param {number} job its process id, or 0 @param {Map<string, Node>} functions */
  constructor(options, job, functions) {
    this.options = options;
    this.job = job;
    this.functions = functions;
    /** @type {Set<() => void>} what waits and can be woken */
    this.sleepers = new Set();
    this.stopped = false;
    /** Whether a person sits at the terminal, whom `read` may ask. */
    this.attended = false;
    this.files = new ShellFiles(options.FS, options.write);
    this.rewriter = this.createRewriter(job ? CAPTURED : TERMINAL);
    this.bash = this.createBash();
  }

  /** What this shell's `exec` executes. @returns {Generator<Node>} */
  *script() {
    throw new Error("not a whole shell");
  }

  /** The background jobs of this shell. @returns {import("./jobs.js").Jobs} */
  get jobs() {
    throw new Error("not a whole shell");
  }

  /** @param {number} way @param {Map<string, Node>} functions */
  createRewriter(way, functions = this.functions) {
    return new Rewriter(
      {
        parse,
        functions,
        files: this.files,
        liveCommands: new Set(this.options.liveCommands),
        lastJob: () => this.jobs.last,
        asks: () => this.attended,
      },
      way,
    );
  }

  createBash() {
    const { workingDir, env, number } = this.options;
    const bash = new Bash({
      fs: /** @type {any} */ (this.files),
      cwd: workingDir,
      env,
      processInfo: { pid: 1000 + number, ppid: 1, uid: 1000, gid: 1000 },
      // It patches globals (Function, setTimeout, …) that Pyodide needs; the page's sandbox is the browser's.
      defenseInDepth: false,
      executionLimits: LIMITS,
      sleep: (milliseconds) => this.sleep(milliseconds),
      customCommands: [
        ...this.options.commands.map((name) => ({
          name,
          execute: (/** @type {string[]} */ args, /** @type {any} */ context) => this.runPython(name, args, context),
        })),
        { name: BEGIN, execute: async () => results("", "", 0) },
        ...builtins(this),
      ],
    });
    bash.registerTransformPlugin({ name: "gemini-shell", transform: ({ ast }) => ({ ast: this.transformed(ast) }) });
    return bash;
  }

  /** The tree that just-bash executes for a text: this shell's script, or that of a `bash -c`. @param {Node} tree @returns {Node} */
  transformed(tree) {
    const first = tree.statements[0]?.pipelines?.[0]?.commands[0];
    if (first && nameOf(first) === BEGIN) return { ...tree, statements: generated([], () => this.script()) };
    const own = first && nameOf(first) === OWN_SHELL;
    const functions = own ? new Map() : new Map(this.functions);
    const inner = this.createRewriter(CAPTURED, functions);
    const text = JSON.stringify(tree);
    inner.errexit = this.rewriter.errexit || setsErrexit(text);
    inner.inheritsErrexit = inheritsErrexit(text);
    // A `$(…)` within `$((…))` comes here as well.
    const definitions = [...functions.values()].map((one) => statement(inner.definition(structuredClone(one))));
    const list = inner.list(tree.statements, { subshell: true });
    const make = function* () {
      try {
        yield* definitions;
        yield* list;
      } finally {
        inner.forget();
      }
    };
    return { ...tree, statements: generated(list, make) };
  }

  /** @param {State} state @returns {Promise<any>} */
  execute(state) {
    this.controller = new AbortController();
    const { signal } = this.controller;
    // A busy loop never lets an abort event in, so the engine's own checks look at the clock.
    Object.defineProperty(signal, "aborted", { get: () => this.shouldStop() });
    signal.throwIfAborted = () => {
      if (this.shouldStop()) throw new DOMException("interrupted", "AbortError");
    };
    return this.bash
      .exec(BEGIN, { rawScript: true, env: state.env, replaceEnv: true, cwd: state.cwd, signal })
      .catch((/** @type {Error} */ error) => ({ stdout: "", stderr: `bash: ${error.message}\n`, exitCode: 1, failed: true }));
  }

  shouldStop() {
    return this.stopped;
  }

  /** End what runs at the engine's next check; what it printed stays. */
  stop() {
    this.stopped = true;
    this.wakeAll();
    this.controller?.abort();
  }

  wakeAll() {
    this.options.cancelCommands(this.job);
    for (const wake of [...this.sleepers]) wake();
  }

  /** @param {number} milliseconds @returns {Promise<void>} */
  sleep(milliseconds) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const time = new Promise((resolve) => (timer = setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1))));
    return this.pause(time).finally(() => clearTimeout(timer));
  }

  /** Wait for `promise`, or until this shell is woken. @param {Promise<unknown>} promise @returns {Promise<void>} */
  pause(promise) {
    // Whoever woke the others won't come again.
    if (this.shouldStop()) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.sleepers.delete(wake);
        resolve();
      };
      this.sleepers.add(wake);
      promise.then(wake, wake);
    });
  }

  /** @param {string} name @param {string[]} args @param {any} context */
  async runPython(name, args, context) {
    // A stop that came before could not reach it.
    if (this.shouldStop()) return results("", "", INTERRUPTED);
    const { [LIVE]: way, ...env } = context.exportedEnv ?? Object.fromEntries(context.env);
    const done = await this.options.runCommand({
      name,
      args,
      stdin: fromLatin1(context.stdin),
      cwd: context.cwd,
      descriptors: this.files.descriptors,
      umask: this.files.umask,
      env,
      live: streams(Number(way ?? 0)),
      job: this.job,
      shell: (script, cwd, environment) => this.subShell(context, script, cwd, environment),
    });
    return { ...results(latin1(done.stdout), new TextDecoder().decode(done.stderr), done.exitCode), stdoutKind: "bytes" };
  }

  /** @param {any} context @param {string} script @param {string} cwd @param {Record<string, string>} env @returns {Promise<CommandResult>} */
  async subShell(context, script, cwd, env) {
    // A nested exec keeps the outer one's list of exported names, so what is handed on is exported again.
    const names = Object.keys(env).filter((name) => /^[A-Za-z_]\w*$/.test(name) && name !== "_");
    const text = `export ${names.join(" ")}\n${script}`;
    const inner = await context.exec(text, { rawScript: true, cwd, env, replaceEnv: true, signal: context.signal });
    const stdout = inner.stdoutKind === "bytes" ? fromLatin1(inner.stdout) : utf8.encode(inner.stdout);
    return { stdout, stderr: utf8.encode(inner.stderr), exitCode: inner.exitCode };
  }
}

const utf8 = new TextEncoder();
const INTERRUPTED = 130;

/** @param {number} way @returns {Invocation["live"]} */
function streams(way) {
  const stdout = outOf(way);
  const stderr = errOf(way);
  if (stderr === MERGED) return { stdout, stderr: 1 };
  return { stdout, stderr: stderr === KEPT ? 0 : 2 };
}
