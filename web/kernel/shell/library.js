// just-bash's commands, as a library: each call is one command with its own arguments, input, environment and task.
import { Bash, createCommandContext, getCommandNames } from "just-bash/browser";

import { adjusted } from "./arguments.js";
import { decode, encode, fromLatin1, latin1 } from "./bytes.js";
import { GIT } from "./git.js";
import { LIMITS, watchedLimits } from "./limits.js";
import { inPlainWords } from "./messages.js";
import { locate, runProgram } from "./programs.js";
import { Bytes, Capture } from "./open_files.js";
import { startTask } from "./subshells.js";
import { runText } from "./builtins.js";
import { UTILITIES } from "./utilities.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./host.js").Host} Host
 * @typedef {import("./host.js").CommandResult} CommandResult
 * @typedef {{ execute: (args: string[], context: any) => Promise<any> }} Command
 */

// Its builtins and those of ours aren't programs, and awk is Python's.
const NO_PROGRAMS = new Set(["alias", "unalias", "history", "help", "awk"]);
const FOLDERS = ["/bin", "/usr/bin"];

const names = getCommandNames().filter((name) => !NO_PROGRAMS.has(name));
/** just-bash exports its commands only through its interpreter, which keeps them here. @type {Map<string, Command>} */
const commands = /** @type {any} */ (new Bash({ defenseInDepth: false, executionLimits: LIMITS })).commands;
if (!(commands instanceof Map)) throw new Error("this release of just-bash keeps its commands elsewhere");

/** Filesystems whose folders of programs have a file for each command. @type {WeakSet<object>} */
const furnished = new WeakSet();

// It lacks the option that scripts find it by. The version is the one whose options it has.
const VERSIONS = new Map([["rg", "ripgrep 13.0.0 (just-bash's, modelled on it)"]]);

export class Library {
  /** @param {Host} host */
  constructor(host) {
    this.names = new Set(names);
    const { FS } = host.files;
    if (furnished.has(FS)) return;
    furnished.add(FS);
    const programs = new Set([...host.options.commands, ...Object.keys(UTILITIES), GIT, ...names]);
    for (const folder of FOLDERS) {
      FS.mkdirTree(folder);
      for (const name of programs) writeStub(FS, `${folder}/${name}`, name);
    }
  }

  /** @param {string} name */
  has(name) {
    return this.names.has(name);
  }

  /** @param {Shell} shell @param {string} name @param {string[]} given @param {Uint8Array} stdin @returns {Promise<CommandResult>} */
  async run(shell, name, given, stdin) {
    const version = VERSIONS.get(name);
    if (version && given.length === 1 && /^(?:--version|-V)$/.test(given[0] ?? "")) {
      return { stdout: encode(`${version}\n`), stderr: new Uint8Array(), exitCode: 0 };
    }
    const { task } = shell;
    try {
      const result = await /** @type {Command} */ (commands.get(name)).execute(adjusted(name, given, shell), contextFor(shell, name, stdin));
      const { stdout = "", stderr = "", exitCode = 0, stdoutKind, stdoutEncoding } = result;
      const isBytes = stdoutKind === "bytes" || (stdoutKind === undefined && stdoutEncoding === "binary");
      return { stdout: isBytes ? fromLatin1(stdout) : encode(stdout), stderr: encode(inPlainWords(stderr)), exitCode };
    } catch (error) {
      task.check();
      const message = error instanceof Error ? error.message : String(error);
      return { stdout: new Uint8Array(), stderr: encode(inPlainWords(`${name}: ${message}\n`)), exitCode: 1 };
    }
  }
}

/** @param {any} FS @param {string} path @param {string} name */
function writeStub(FS, path, name) {
  if (FS.analyzePath(path).exists) return;
  FS.writeFile(path, `#!/bin/bash\n# Built into the shell: ${name}\n`);
  FS.chmod(path, 0o755);
}

/** @param {Shell} shell @param {string} name @param {Uint8Array} stdin */
function contextFor(shell, name, stdin) {
  const { task, cwd } = shell;
  const exported = shell.variables.exported();
  const env = { ...exported, PATH: `${exported.PATH ?? ""}:/bin`, IFS: " \t\n" };
  const { signal } = new AbortController();
  // A busy command never lets an abort event in, so its checks look at the clock.
  Object.defineProperty(signal, "aborted", { get: () => task.stopSignal !== null });
  signal.throwIfAborted = () => task.check();
  const watch = task.watcher();
  // A view with the permissions of this call: others that run at the same time may have other ones.
  const fs = Object.assign(Object.create(shell.files), { umask: shell.umask });
  const context = createCommandContext({
    fs,
    cwd,
    env: new Map(Object.entries(env)),
    exportedEnv: exported,
    stdin: /** @type {any} */ (latin1(stdin)),
    signal,
    exec: (script, options) => callBack(shell, name, script, options),
    getRegisteredCommands: () => names,
  });
  return { ...context, limits: { ...context.limits, ...watchedLimits(watch) }, executionScope: budgetFor(watch) };
}

/** Return a budget that charges a command's work for nothing but its chance to be stopped. @param {() => void} watch */
function budgetFor(watch) {
  const lease = { release() {} };
  const charge = (/** @type {number} */ units = 1) => (watch(), units);
  return {
    remainingLiveBytes: Number.MAX_SAFE_INTEGER,
    consumeWork: charge,
    consumeLimited: (/** @type {string} */ kind, /** @type {number} */ count) => (void kind, charge(count)),
    consumeInput: charge,
    appendOutput: () => 0,
    reserveBytes: () => lease,
    enterDepth: () => lease,
    throwIfAborted: watch,
    remainingTimeMs: () => Number.MAX_SAFE_INTEGER,
    registerCleanup: () => () => {},
  };
}

/**
 * A command runs another one, as `find -exec` does.
 * @param {Shell} shell @param {string} name of the command that calls @param {string} script
 * @param {{ cwd: string, args?: string[], env?: Record<string, string>, stdin?: string, stdinKind?: string }} options
 */
async function callBack(shell, name, script, { args, cwd, env, stdin = "", stdinKind }) {
  if (name === "find" && args && locate(shell, unquoted(script)) === null) {
    return { stdout: "", stderr: `find: ‘${unquoted(script)}’: No such file or directory\n`, exitCode: 1, stdoutKind: /** @type {const} */ ("text") };
  }
  const input = stdinKind === "bytes" ? fromLatin1(stdin) : encode(stdin);
  const [stdout, stderr] = [new Capture(), new Capture()];
  /** @type {Map<number, import("./open_files.js").OpenFile>} */
  const files = new Map();
  [new Bytes(input), stdout, stderr].forEach((file, number) => files.set(number, file));
  const run = async (/** @type {Shell} */ copy) => {
    copy.status = args ? await runProgram(copy, [unquoted(script), ...args]) : await runText(copy, script, "-c");
  };
  const prepare = (/** @type {Shell} */ copy) => {
    copy.cwd = cwd;
    for (const [key, value] of Object.entries(env ?? {})) if (/^[A-Za-z_]\w*$/.test(key)) copy.variables.table.set(key, { value, exported: true });
  };
  const exitCode = await startTask(shell, run, files, { prepare }).done;
  return { stdout: decode(stdout.bytes), stderr: decode(stderr.bytes), exitCode, stdoutKind: /** @type {const} */ ("text") };
}

/** The word that just-bash has quoted. @param {string} word */
const unquoted = (word) => (/^'.*'$/s.test(word) ? word.slice(1, -1).replaceAll("'\\''", "'") : word);
