// Programs that work with streams, or run other programs.
import { concat, encode } from "./bytes.js";
import { CommandError } from "./control.js";
import { descriptorOf } from "./descriptor_paths.js";
import { find } from "./find.js";
import { jqCommand } from "./jq.js";
import { basename, dirname } from "./names.js";
import { runNode } from "./node.js";
import { exitOfSignal } from "./parameters.js";
import { openPath } from "./redirections.js";
import { locate, locateAll, runExternally } from "./programs.js";
import { shellCommand } from "./scripts.js";
import { nameOfSignal } from "./signals.js";
import { startTask } from "./subshells.js";
import { SystemError } from "./system_errors.js";
import { tail } from "./tail.js";
import { flock, nice, nohup, setsid, stdbuf } from "./wrappers.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./open_files.js").OpenFile} OpenFile
 * @typedef {(shell: Shell, args: string[]) => Promise<number | null>} Utility returns the exit code, or null to leave the call to Python
 */

const CHUNK = 1 << 16;
const NEWLINE = 10;
const TIMED_OUT = 124;
const CANNOT_RUN = 125;

/** @param {Shell} shell @param {string} path `-` for standard input */
const open = (shell, path) => (path === "-" ? shell.descriptors.get(0) : openPath(shell, path, "<"));

/** @param {Shell["files"]} files @param {string} whole an absolute path */
const isDirectory = ({ FS }, whole) => FS.analyzePath(whole).exists && FS.isDir(FS.stat(whole).mode);

/**
 * Do something with each file; one that can't be opened is reported.
 * @param {Shell} shell @param {string} command @param {string[]} paths
 * @param {(file: OpenFile, path: string) => Promise<void>} action
 */
export async function eachFile(shell, command, paths, action) {
  let status = 0;
  for (const path of paths.length ? paths : ["-"]) {
    try {
      const isFolder = path !== "-" && descriptorOf(path) === null && isDirectory(shell.files, shell.files.resolvePath(shell.cwd, path));
      if (isFolder) throw new CommandError(`${path}: Is a directory`);
      const file = open(shell, path).retain();
      await action(file, path).finally(() => file.release());
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof SystemError)) throw error;
      const [name, reason] = /^(.*): (.*)$/s.exec(error.message)?.slice(1) ?? [path, error.message];
      const inHead = reason === "Is a directory" ? `error reading '${name}': ${reason}` : `cannot open '${name}' for reading: ${reason}`;
      const text = command === "head" || command === "tail" ? inHead : `${name}: ${reason}`;
      await shell.write(2, `${command}: ${text}\n`);
      status = 1;
    }
  }
  return status;
}

/** @type {Utility} */
async function cat(shell, args) {
  if (args.some((word) => /^-./.test(word) && word !== "-u" && word !== "--")) return null;
  const paths = args.filter((word) => word !== "-u" && word !== "--");
  return eachFile(shell, "cat", paths, async (file) => {
    for (;;) {
      if (file.isEndless) shell.descriptors.get(1).markEndless();
      const chunk = await file.read(CHUNK, shell.task);
      if (chunk.length === 0) return;
      await shell.write(1, chunk);
      await shell.host.breathe(shell.task);
    }
  });
}

/** @param {string[]} args @returns {{ count: number, bytes: boolean, titles: "never" | "always" | "many", paths: string[] } | null} */
function headOptions(args) {
  /** @type {{ count: number, bytes: boolean, titles: "never" | "always" | "many", paths: string[] }} */
  const options = { count: 10, bytes: false, titles: "many", paths: [] };
  const units = { "": 1, b: 512, k: 1024, K: 1024, kB: 1000, M: 1 << 20 };
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    const match = /^(?:-([qv]*)([nc])|--(lines|bytes)(?:=|$))(.*)$/s.exec(word) ?? /^(-)()()(\d+)$/.exec(word);
    if (word === "--") {
      options.paths.push(...args.slice(at + 1));
      break;
    }
    if (/^-[qv]+$/.test(word) || word === "--quiet" || word === "--verbose") options.titles = /v/.test(word) ? "always" : "never";
    else if (match) {
      const text = match[4] || args[++at] || "";
      const number = /^([-+]?\d+)(|b|k|K|kB|M)$/.exec(text);
      if (!number) return null;
      options.count = Number(number[1]) * units[/** @type {keyof typeof units} */ (number[2])];
      if (number[1]?.startsWith("-") && options.count === 0) options.count = -0;
      options.bytes = match[2] === "c" || match[3] === "bytes";
      if (match[1] && match[1] !== "-") options.titles = match[1].includes("v") ? "always" : "never";
    } else if (word === "-" || !word.startsWith("-")) options.paths.push(word);
    else return null;
  }
  return options;
}

/** Find the end of the first `count` lines of a chunk. @param {Uint8Array} chunk @param {number} count @returns {{ end: number, lines: number }} */
function linesIn(chunk, count) {
  let lines = 0;
  let end = 0;
  while (lines < count) {
    const at = chunk.indexOf(NEWLINE, end);
    if (at < 0) return { end: chunk.length, lines };
    end = at + 1;
    lines++;
  }
  return { end, lines };
}

/** @type {Utility} */
async function head(shell, args) {
  const options = headOptions(args);
  if (!options) return null;
  const { count, bytes, titles, paths } = options;
  const { task, files, cwd } = shell;
  // A directory has a heading, too, which is Python's.
  if (paths.some((path) => descriptorOf(path) === null && isDirectory(files, files.resolvePath(cwd, path)))) return null;
  let first = true;
  return eachFile(shell, "head", paths, async (file, path) => {
    if (titles === "always" || (titles === "many" && paths.length > 1)) {
      await shell.print(`${first ? "" : "\n"}==> ${path === "-" ? "standard input" : path} <==\n`);
    }
    first = false;
    if (count < 0 || Object.is(count, -0)) return shell.write(1, allBut(await file.readAll(task), -count, bytes)) ?? Promise.resolve();
    for (let left = count; left > 0; ) {
      const chunk = await file.read(bytes ? Math.min(left, CHUNK) : CHUNK, task);
      if (chunk.length === 0) return;
      const { end, lines } = bytes ? { end: chunk.length, lines: chunk.length } : linesIn(chunk, left);
      left -= lines;
      await shell.write(1, chunk.subarray(0, end));
      if (end < chunk.length) file.unread(chunk.subarray(end));
    }
  });
}

/** @param {Uint8Array} data @param {number} count @param {boolean} bytes */
function allBut(data, count, bytes) {
  if (bytes) return data.subarray(0, Math.max(0, data.length - count));
  let end = data.length;
  for (let left = count + (data.at(-1) === NEWLINE ? 1 : 0); left > 0 && end > 0; left--) end = data.lastIndexOf(NEWLINE, end - 1);
  if (count === 0) return data;
  return data.subarray(0, end < 0 ? 0 : end + 1);
}

/** Write a text again and again. @type {Utility} */
async function yes(shell, args) {
  const line = encode(`${args.length ? args.join(" ") : "y"}\n`);
  shell.descriptors.get(1).markEndless();
  const block = concat(Array.from({ length: Math.max(1, Math.floor(8192 / line.length)) }, () => line));
  for (;;) {
    await shell.write(1, block);
    await shell.host.breathe(shell.task);
  }
}

/** Whole numbers; others are Python's. @type {Utility} */
async function seq(shell, args) {
  const numbers = args.map(Number);
  if (args.length === 0 || args.length > 3 || !args.every((word) => /^-?\d+$/.test(word)) || !numbers.every(Number.isSafeInteger)) return null;
  if (args.some((word) => /^-?0\d/.test(word))) return null;
  const [first = 1, step = 1, last = 1] = args.length === 1 ? [1, 1, numbers[0]] : args.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  if (step === 0) {
    await shell.write(2, "seq: invalid Zero increment value: '0'\n");
    return 1;
  }
  for (let next = first; step > 0 ? next <= last : next >= last; ) {
    const lines = [];
    for (; lines.length < 2000 && (step > 0 ? next <= last : next >= last); next += step) lines.push(next);
    await shell.print(`${lines.join("\n")}\n`);
    await shell.host.breathe(shell.task);
  }
  return 0;
}

/** @type {Utility} */
async function tee(shell, args) {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const options = args.slice(0, end).filter((word) => /^-./.test(word));
  const paths = [...args.slice(0, end).filter((word) => !/^-./.test(word)), ...args.slice(end + 1)];
  const wrong = options.find((word) => !/^-[aip]+$|^--(?:append|ignore-interrupts|output-error(?:=(?:warn|exit)(?:-nopipe)?)?)$/.test(word));
  if (wrong === "--help") {
    await shell.print("Usage: tee [-aip] [FILE]...\nCopy standard input to each FILE, and to standard output; -a appends.\n");
    return 0;
  }
  if (wrong) throw new CommandError(`tee: unrecognized option '${wrong}'\nTry 'tee --help' for more information.`);
  const appends = options.some((word) => /^-\w*a|^--append/.test(word));
  /** @type {OpenFile[]} */
  const targets = [];
  const status = await eachTarget(shell, paths, (path) => targets.push(openPath(shell, path, appends ? ">>" : ">").retain()));
  try {
    for (;;) {
      const chunk = await shell.descriptors.get(0).read(CHUNK, shell.task);
      if (chunk.length === 0) return status;
      for (const target of targets) await target.write(chunk, shell.task);
      await shell.write(1, chunk);
    }
  } finally {
    for (const target of targets) target.release();
  }
}

/** @param {Shell} shell @param {string[]} paths @param {(path: string) => void} action */
async function eachTarget(shell, paths, action) {
  let status = 0;
  for (const path of paths) {
    try {
      action(path);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await shell.write(2, `tee: ${error.message}\n`);
      status = 1;
    }
  }
  return status;
}

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 };

/** @param {string} text as in `1.5m` @returns {number | null} milliseconds */
function duration(text) {
  const match = /^(\d+\.?\d*|\.\d+|infinity|inf)([smhd]?)$/.exec(text);
  if (!match) return null;
  const number = /^inf/.test(match[1] ?? "") ? Infinity : Number(match[1]);
  return number * UNITS[/** @type {keyof typeof UNITS} */ (match[2] || "s")] * 1000;
}

/** @type {Utility} */
async function sleep(shell, args) {
  let total = 0;
  for (const word of args) {
    const time = duration(word);
    if (time === null) throw new CommandError(`sleep: invalid time interval '${word}'`);
    total += time;
  }
  if (args.length === 0) throw new CommandError("sleep: missing operand");
  const end = performance.now() + total;
  // A signal with a trap doesn't end it, but for an interrupt.
  for (let left = total; left > 0 && !shell.task.pending.includes("INT"); left = end - performance.now()) await shell.task.sleep(left);
  return shell.task.pending.includes("INT") ? exitOfSignal("INT") : 0;
}

/** The words of `env -S`. @param {string} text */
const splitWords = (text) => [...text.matchAll(/(?:'([^']*)'|"([^"]*)"|([^\s'"]+))/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");

/** @type {Utility} */
async function env(shell, args) {
  /** @type {Map<string, string>} */
  const set = new Map();
  /** @type {Set<string>} */
  const removed = new Set();
  let cleared = false;
  let end = "\n";
  /** @type {string | null} */
  let folder = null;
  let at = 0;
  for (; /^-/.test(args[at] ?? ""); at++) {
    const word = args[at] ?? "";
    const [, letter, long, rest = ""] = /^(?:-([uCS])|--(unset|chdir|split-string)(?:=|$))(.*)$/s.exec(word) ?? [];
    const kind = letter ?? { unset: "u", chdir: "C", "split-string": "S" }[long ?? ""];
    const value = kind ? rest || (args[++at] ?? "") : "";
    if (word === "--") {
      at++;
      break;
    }
    if (/^-(?:i|0|v|i0|0i)?$|^--(?:ignore-environment|null|debug)$/.test(word)) {
      cleared ||= word === "-" || /^-\w*i|^--i/.test(word);
      if (/^-\w*0|^--null/.test(word)) end = "\0";
    } else if (kind === "u") removed.add(value);
    else if (kind === "C") folder = value;
    else if (kind === "S") args = [...args.slice(0, at + 1), ...splitWords(value), ...args.slice(at + 1)];
    else if (!/^--(?:default|ignore|block|list-ignored)-signal/.test(word)) {
      throw new CommandError(`env: unrecognized option '${word}'\nTry 'env -i', '-u NAME', '-C FOLDER', '-S WORDS' or '-0'.`, CANNOT_RUN);
    }
  }
  for (; /^[^=]+=/.test(args[at] ?? ""); at++) {
    const [name = "", ...value] = (args[at] ?? "").split("=");
    set.set(name, value.join("="));
  }
  if (folder !== null) {
    folder = shell.files.resolvePath(shell.cwd, folder);
    if (!isDirectory(shell.files, folder)) throw new CommandError(`env: cannot change directory to '${folder}': No such file or directory`, CANNOT_RUN);
  }
  const change = (/** @type {Shell} */ copy) => {
    if (folder !== null) copy.cwd = folder;
    const { table } = copy.variables;
    for (const [name, variable] of table) if (variable.exported && (cleared || removed.has(name))) table.delete(name);
    for (const [name, value] of set) table.set(name, { value, exported: true });
    // A command is looked for where the shell would look.
    if (cleared && !set.has("PATH")) table.set("PATH", { value: shell.variables.text("PATH") ?? "" });
  };
  const command = args.slice(at);
  const run = async (/** @type {Shell} */ copy) => {
    if (command.length) copy.status = await runExternally(copy, command);
    else {
      await copy.print(Object.entries(copy.variables.exported()).map(([name, value]) => `${name}=${value}${end}`).join(""));
      copy.status = 0;
    }
  };
  return startTask(shell, run, new Map(), { prepare: change }).done;
}

/** @type {Utility} */
async function printenv(shell, args) {
  const env = shell.variables.exported();
  const options = args.filter((word) => word.startsWith("-") && word !== "--");
  const wrong = options.find((word) => word !== "-0" && word !== "--null");
  if (wrong === "--help") {
    await shell.print("Usage: printenv [-0] [NAME]...\nPrint the value of each exported variable NAME, or all.\n");
    return 0;
  }
  if (wrong) throw new CommandError(`printenv: invalid option -- '${wrong.replace(/^-+/, "")}'`, 2);
  const end = options.length ? "\0" : "\n";
  const names = args.filter((word) => !word.startsWith("-"));
  if (names.length === 0) await shell.print(Object.entries(env).map(([name, value]) => `${name}=${value}${end}`).join(""));
  for (const name of names) if (env[name] !== undefined) await shell.print(`${env[name]}${end}`);
  return names.every((name) => env[name] !== undefined) ? 0 : 1;
}

/** @type {Utility} */
async function timeout(shell, args) {
  let signal = "TERM";
  let keepsStatus = false;
  /** @type {number | null} */
  let patience = 0;
  let at = 0;
  for (; /^-/.test(args[at] ?? ""); at++) {
    const word = args[at] ?? "";
    if (word === "-s" || word === "--signal") signal = nameOfSignal(args[++at] ?? "") ?? "TERM";
    else if (/^(?:-s|--signal=)/.test(word)) signal = nameOfSignal(word.replace(/^(?:-s|--signal=)/, "")) ?? "TERM";
    else if (word === "-k" || word === "--kill-after") patience = duration(args[++at] ?? "");
    else if (/^(?:-k|--kill-after=)/.test(word)) patience = duration(word.replace(/^(?:-k|--kill-after=)/, ""));
    else if (word === "--preserve-status") keepsStatus = true;
  }
  const [limit = "", ...command] = args.slice(at);
  const milliseconds = duration(limit);
  if (milliseconds === null || patience === null) throw new CommandError(`timeout: invalid time interval '${limit}'`, CANNOT_RUN);
  if (command.length === 0) throw new CommandError("timeout: missing operand", CANNOT_RUN);
  const running = startTask(shell, async (copy) => void (copy.status = await runExternally(copy, command)));
  const { task } = running;
  const started = performance.now();
  /** @type {ReturnType<typeof setTimeout>[]} */
  const timers = [];
  const after = (/** @type {number} */ wait, /** @type {string} */ name) =>
    timers.push(setTimeout(() => task.receive(name), Math.min(wait, 2 ** 31 - 1)));
  if (milliseconds > 0) after(milliseconds, signal);
  if (milliseconds > 0 && patience > 0) after(milliseconds + patience, "KILL");
  const status = await running.done.finally(() => timers.forEach(clearTimeout));
  const late = milliseconds > 0 && performance.now() - started >= milliseconds;
  return late && !keepsStatus ? (task.killed === "KILL" ? exitOfSignal("KILL") : TIMED_OUT) : status;
}

/** @type {Utility} */
async function which(shell, args) {
  const wrong = args.find((word) => /^-./.test(word) && !/^-[as]+$|^--$/.test(word));
  if (wrong) throw new CommandError(`Illegal option ${wrong}\nUsage: /usr/bin/which [-as] args`, 2);
  const all = args.some((word) => /^-\w*a/.test(word));
  const silent = args.some((word) => /^-\w*s/.test(word));
  const names = args.filter((word) => !word.startsWith("-"));
  let status = names.length ? 0 : 1;
  for (const name of names) {
    const first = locate(shell, name);
    const paths = all ? locateAll(shell, name) : first === null ? [] : [first];
    if (paths.length === 0) status = 1;
    else if (!silent) await shell.print(paths.map((path) => `${path}\n`).join(""));
  }
  return status;
}

/** @type {Record<string, Utility>} */
export const UTILITIES = {
  ...{ basename, dirname, cat, find, head, yes, seq, tee, sleep, env, printenv, timeout, which, tail, node: runNode, jq: jqCommand("jq"), yq: jqCommand("yq") },
  ...{ nohup, setsid, nice, stdbuf, flock },
  ...{ bash: shellCommand("bash"), sh: shellCommand("sh") },
};

