// just-bash's commands, as a library: each call is one command with its arguments, input and environment.
import { Bash, getCommandNames } from "just-bash/browser";

import { adjusted } from "./arguments.js";
import { encode, fromLatin1, latin1 } from "./bytes.js";
import { GIT } from "./git.js";
import { LIMITS } from "./limits.js";
import { runProgram } from "./programs.js";
import { Bytes, Capture } from "./open_files.js";
import { startTask } from "./subshells.js";
import { UTILITIES } from "./utilities.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./host.js").Host} Host
 * @typedef {import("./host.js").CommandResult} CommandResult
 * @typedef {{ name: string, shell: Shell, begun: boolean, result: any }} Call
 */

// Its builtins and those of ours aren't programs.
const NO_PROGRAMS = new Set(["alias", "unalias", "history", "help", "clear"]);

// These lack the option that scripts find them by.
const NO_VERSION = new Set(["jq", "rg"]);

export class Library {
  /** @param {Host} host */
  constructor(host) {
    this.names = new Set(getCommandNames().filter((name) => !NO_PROGRAMS.has(name)));
    this.names.add("clear");
    /** The calls that wait for their command, and what it returned. @type {Call[]} */
    this.calls = [];
    const programs = new Set([...host.options.commands, ...Object.keys(UTILITIES), GIT, ...this.names]);
    this.bash = new Bash({
      fs: /** @type {any} */ (host.files),
      cwd: host.options.workingDir,
      env: {},
      processInfo: { pid: 1000 + host.options.number, ppid: 1, uid: 1000, gid: 1000 },
      // It patches globals (Function, setTimeout, …) that Pyodide needs; the page's sandbox is the browser's.
      defenseInDepth: false,
      executionLimits: LIMITS,
      customCommands: [...programs].map((name) => ({
        name,
        execute: (/** @type {string[]} */ args, /** @type {any} */ context) => this.execute(name, args, context),
      })),
    });
  }

  /** @param {string} name */
  has(name) {
    return this.names.has(name);
  }

  /** @param {Shell} shell @param {string} name @param {string[]} given @param {Uint8Array} stdin @returns {Promise<CommandResult>} */
  async run(shell, name, given, stdin) {
    if (NO_VERSION.has(name) && given.length === 1 && given[0] === "--version") {
      return { stdout: encode(`${name}: just-bash's, modelled on ${name}\n`), stderr: new Uint8Array(), exitCode: 0 };
    }
    const args = adjusted(name, given, shell);
    const { files, task, variables } = shell;
    files.umask = shell.umask;
    const { signal } = new AbortController();
    // A busy command never lets an abort event in, so its checks look at the clock.
    Object.defineProperty(signal, "aborted", { get: () => task.stopSignal !== null });
    signal.throwIfAborted = () => task.check();
    const exported = variables.exported();
    const env = { ...exported, PATH: `${exported.PATH ?? ""}:/bin`, IFS: " \t\n" };
    /** @type {Call} */
    const call = { name, shell, begun: false, result: null };
    this.calls.push(call);
    try {
      const done = await this.bash.exec(name, { rawScript: true, args, stdin: latin1(stdin), stdinKind: "bytes", env, replaceEnv: true, cwd: shell.cwd, signal });
      const { stdout, stderr, exitCode, stdoutKind, stdoutEncoding } = call.result ?? done;
      const isBytes = stdoutKind === "bytes" || (stdoutKind === undefined && stdoutEncoding === "binary");
      return { stdout: isBytes ? fromLatin1(stdout) : encode(stdout), stderr: encode(stderr), exitCode };
    } catch (error) {
      task.check();
      return { stdout: new Uint8Array(), stderr: encode(`${name}: ${/** @type {Error} */ (error).message}\n`), exitCode: 1 };
    } finally {
      this.calls.splice(this.calls.indexOf(call), 1);
    }
  }

  /**
   * just-bash calls a command: that of a call of ours, which it runs itself, or one for another, as for `find -exec`.
   * @param {string} name @param {string[]} args @param {any} context
   */
  async execute(name, args, context) {
    const call = this.calls.find((one) => one.name === name && !one.begun);
    if (!call) return this.callBack(name, args, context);
    call.begun = true;
    // What `exec` returns doesn't say whether it is bytes.
    call.result = await context.origCommand(args);
    return { stdout: "", stderr: "", exitCode: call.result?.exitCode ?? 1 };
  }

  /** A command of just-bash calls one of the others. @param {string} name @param {string[]} args @param {any} context */
  async callBack(name, args, context) {
    const caller = /** @type {Call} */ (this.calls.at(-1)).shell;
    const [stdout, stderr] = [new Capture(), new Capture()];
    /** @type {Map<number, import("./open_files.js").OpenFile>} */
    const files = new Map();
    [new Bytes(fromLatin1(context.stdin)), stdout, stderr].forEach((file, number) => files.set(number, file));
    const run = async (/** @type {Shell} */ copy) => void (copy.status = await runProgram(copy, [name, ...args]));
    const exitCode = await startTask(caller, run, files, { prepare: (copy) => void (copy.cwd = context.cwd) }).done;
    return { stdout: latin1(stdout.bytes), stderr: new TextDecoder().decode(stderr.bytes), exitCode, stdoutKind: /** @type {const} */ ("bytes") };
  }
}

