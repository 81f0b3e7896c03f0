// Programs that work with streams, or run other programs.
import { concat, encode } from "../../bytes.ts";
import { CommandError } from "../control.ts";
import { eachChunk, eachFile, isDirectory, startOfLast } from "./each_file.ts";
import { find } from "./find.ts";
import { jqCommand } from "./jq.ts";
import { mkfifo } from "./mkfifo.ts";
import { basename, dirname } from "./names.ts";
import { runNode } from "./node.ts";
import { env, printenv } from "./environment.ts";
import { RegularFile, type OpenFile } from "../execution/open_files.ts";
import { openPath } from "../execution/redirections.ts";
import { answers, readOptions, wrongUse } from "./program_options.ts";
import { locate, locateAll } from "../execution/program_paths.ts";
import { shellCommand } from "./scripts.ts";
import type { Shell } from "../shell.ts";
import { SystemError } from "../../system_errors.ts";
import { tail } from "./tail.ts";
import { sleep, timeout } from "./timeout.ts";
import { time } from "./time_program.ts";
import { UTILITIES } from "../execution/utility_table.ts";
import { flock, nice, nohup, setsid, stdbuf } from "./wrappers.ts";

const CHUNK = 1 << 16;
const NEWLINE = 10;
// Longer counts are Python's.
const MOST_DIGITS = 15;

/** Return whether what is read from a file is appended to it, without an end. */
function feedsItself({ descriptors }: Shell, file: OpenFile): boolean {
  const output = descriptors.table.get(1);
  if (!(file instanceof RegularFile && output instanceof RegularFile)) return false;
  const { node, position } = file.file;
  return node === output.file.node && position < node.node_ops.getattr(node).size;
}

async function cat(shell: Shell, args: string[]): Promise<number | null> {
  if (args.some((word) => /^-./.test(word) && word !== "-u" && word !== "--")) return null;
  const paths = args.filter((word) => word !== "-u" && word !== "--");
  return eachFile(shell, "cat", paths, async (file, path) => {
    if (feedsItself(shell, file)) throw new CommandError(`${path}: input file is output file`);
    await eachChunk(shell, file, (chunk) => shell.print(chunk));
  });
}

type HeadOptions = { count: number; bytes: boolean; titles: "never" | "always" | "many"; paths: string[] };

function headOptions(args: string[]): HeadOptions | null {
  const options: HeadOptions = { count: 10, bytes: false, titles: "many", paths: [] };
  const units = { "": 1, b: 512, k: 1024, K: 1024, kB: 1000, M: 1 << 20 };
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    const match = /^(?:-([qv]*)([nc])|--(lines|bytes)(?:=|$))(.*)$/s.exec(word) ?? /^(-)()()(\d+)$/.exec(word);
    if (word === "--") {
      options.paths.push(...args.slice(at + 1));
      break;
    }
    if (/^-[qv]+$/.test(word) || word === "--quiet" || word === "--verbose")
      options.titles = /v/.test(word) ? "always" : "never";
    else if (match) {
      const text = match[4] || args[++at] || "";
      const number = /^([-+]?\d+)(|b|k|K|kB|M)$/.exec(text);
      if (!number || (number[1]?.length ?? 0) > MOST_DIGITS) return null;
      // The expression lets no other units pass.
      options.count = Number(number[1]) * units[number[2] as keyof typeof units];
      if (number[1]?.startsWith("-") && options.count === 0) options.count = -0;
      options.bytes = match[2] === "c" || match[3] === "bytes";
      if (match[1] && match[1] !== "-") options.titles = match[1].includes("v") ? "always" : "never";
    } else if (word === "-" || !word.startsWith("-")) options.paths.push(word);
    else return null;
  }
  return options;
}

/** Find the end of the first `count` lines of a chunk. */
function linesIn(chunk: Uint8Array, count: number): { end: number; lines: number } {
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

async function head(shell: Shell, args: string[]): Promise<number | null> {
  const options = headOptions(args);
  if (!options) return null;
  const { count, bytes, titles, paths } = options;
  const { task } = shell;
  // A directory has a heading, too, which is Python's.
  if (paths.some((path) => isDirectory(shell, path))) return null;
  let first = true;
  return eachFile(shell, "head", paths, async (file, path) => {
    if (titles === "always" || (titles === "many" && paths.length > 1)) {
      await shell.print(`${first ? "" : "\n"}==> ${path === "-" ? "standard input" : path} <==\n`);
    }
    first = false;
    if (count < 0 || Object.is(count, -0))
      return shell.print(allBut(await file.readAll(task), -count, bytes)) ?? Promise.resolve();
    for (let left = count; left > 0; ) {
      const chunk = await file.read(bytes ? Math.min(left, CHUNK) : CHUNK, task);
      if (chunk.length === 0) return;
      const { end, lines } = bytes ? { end: chunk.length, lines: chunk.length } : linesIn(chunk, left);
      left -= lines;
      await shell.print(chunk.subarray(0, end));
      if (end < chunk.length) file.unread(chunk.subarray(end));
    }
  });
}

function allBut(data: Uint8Array, count: number, bytes: boolean) {
  if (bytes) return data.subarray(0, Math.max(0, data.length - count));
  return data.subarray(0, startOfLast(data, count, NEWLINE));
}

const YES_HELP = `Usage: yes [TEXT]...
Print a line with all TEXTs, or y, until it is ended.`;

/** Write a text again and again. */
async function yes(shell: Shell, args: string[]): Promise<number | null> {
  const { options, rest } = readOptions("yes", args, "", {});
  if (await answers(shell, "yes", options, YES_HELP)) return 0;
  const line = encode(`${rest.length ? rest.join(" ") : "y"}\n`);
  shell.descriptors.get(1).markEndless();
  const block = concat(Array.from({ length: Math.max(1, Math.floor(8192 / line.length)) }, () => line));
  for (;;) {
    await shell.print(block);
    await shell.host.breathe(shell.task);
  }
}

/** Whole numbers; others are Python's. */
async function seq(shell: Shell, args: string[]): Promise<number | null> {
  const numbers = args.map(Number);
  if (
    args.length === 0 ||
    args.length > 3 ||
    !args.every((word) => /^-?\d+$/.test(word)) ||
    !numbers.every(Number.isSafeInteger)
  )
    return null;
  if (args.some((word) => /^-?0\d/.test(word))) return null;
  const [first = 1, step = 1, last = 1] =
    args.length === 1 ? [1, 1, numbers[0]] : args.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
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

const TEE_HELP = `Usage: tee [OPTION]... [FILE]...
Copy standard input to each FILE, and to standard output.

  -a, --append  append to FILEs
  -i, -p, --output-error[=MODE]  have no effect here`;

async function tee(shell: Shell, args: string[]): Promise<number | null> {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  // Its options may follow its operands.
  const given = args.slice(0, end).filter((word) => /^-./.test(word));
  const paths = [...args.slice(0, end).filter((word) => !/^-./.test(word)), ...args.slice(end + 1)];
  const { options } = readOptions("tee", given, "aip", {
    append: "a",
    "ignore-interrupts": "i",
    "output-error=?": "error",
  });
  if (await answers(shell, "tee", options, TEE_HELP)) return 0;
  const wrong = options.find(({ name, value }) => name === "error" && !/^$|^(?:warn|exit)(?:-nopipe)?$/.test(value));
  if (wrong) throw wrongUse("tee", `invalid argument '${wrong.value}' for '--output-error'`, 1);
  const appends = options.some(({ name }) => name === "a");
  const targets = new Map<string, OpenFile>();
  let status = await eachTarget(shell, paths, (path) => {
    targets.set(path, openPath(shell, path, appends ? ">>" : ">").retain());
  });
  try {
    for (;;) {
      const chunk = await shell.descriptors.get(0).read(CHUNK, shell.task);
      if (chunk.length === 0) return status;
      await shell.print(chunk);
      status ||= await eachTarget(shell, [...targets.keys()], async (path) => {
        await targets.get(path)?.write(chunk, shell.task);
      });
    }
  } finally {
    for (const target of targets.values()) target.release();
  }
}

async function eachTarget(shell: Shell, paths: string[], action: (path: string) => Promise<void> | void) {
  let status = 0;
  for (const path of paths) {
    try {
      await action(path);
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof SystemError)) throw error;
      await shell.write(2, `tee: ${error instanceof SystemError ? `${path}: ` : ""}${error.message}\n`);
      status = 1;
    }
  }
  return status;
}

const PWD_HELP =
  "Usage: pwd [OPTION]...\nPrint the working directory.\n\n  -L, --logical   print the value of PWD\n  -P, --physical  print it without links, as by default";

/** The program, which `env pwd` runs; the builtin prints the logical path. */
async function pwd(shell: Shell, args: string[]): Promise<number | null> {
  const { options } = readOptions("pwd", args, "LP", { logical: "L", physical: "P" });
  if (await answers(shell, "pwd", options, PWD_HELP)) return 0;
  const logical = options.at(-1)?.name === "L";
  await shell.print(`${logical ? shell.cwd : shell.files.realPath(shell.cwd)}\n`);
  return 0;
}

async function which(shell: Shell, args: string[]): Promise<number | null> {
  const wrong = args.find((word) => /^-./.test(word) && !/^-a+$|^--$/.test(word));
  if (wrong) {
    await shell.print("Usage: /usr/bin/which [-a] args\n");
    throw new CommandError(`Illegal option ${wrong.slice(0, 2)}`, 2);
  }
  const all = args.some((word) => /^-a/.test(word));
  const names = args.filter((word) => !word.startsWith("-"));
  let status = names.length ? 0 : 1;
  for (const name of names) {
    const first = locate(shell, name);
    const paths = all ? locateAll(shell, name) : first === null ? [] : [first];
    if (paths.length === 0) status = 1;
    else await shell.print(paths.map((path) => `${path}\n`).join(""));
  }
  return status;
}

Object.assign(UTILITIES, {
  ...{
    basename,
    dirname,
    cat,
    find,
    head,
    yes,
    seq,
    tee,
    sleep,
    env,
    printenv,
    timeout,
    which,
    tail,
    pwd,
    node: runNode,
    jq: jqCommand("jq"),
    yq: jqCommand("yq"),
  },
  ...{ nohup, setsid, nice, stdbuf, flock, time, mkfifo },
  ...{ bash: shellCommand("bash"), sh: shellCommand("sh") },
});
