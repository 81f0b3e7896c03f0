// `tail -f`, and `tail -n +N` in streams. The other forms are Python's (py/gemini_userland/tail.py).
import { CommandError } from "../control.ts";
import { signalProcess } from "../processes.ts";
import { readOptions, wrongUse } from "./program_options.ts";
import { openPath } from "../execution/redirections.ts";
import { eachChunk, eachFile, startOfLast } from "./each_file.ts";
import type { OpenFile } from "../execution/open_files.ts";
import type { Shell } from "../shell.ts";

interface TailOptions {
  /** `+` counts from the beginning */
  sign: string;
  count: number;
  /** whether bytes are counted instead of lines */
  bytes: boolean;
  /** of a line: a byte */
  end: number;
  /** whether appended text is printed, also if the file is replaced (`name`) */
  follows: "" | "descriptor" | "name";
  /** whether a file that isn't there is waited for */
  retries: boolean;
  titles: "never" | "always" | "many";
  /** the process with which it ends */
  pid: string | null;
  /** in milliseconds */
  interval: number;
  paths: string[];
}

interface Followed {
  path: string;
  /** its absolute path */
  whole: string;
  /** null while there is none */
  file: OpenFile | null;
  node: object | null;
  /** the bytes that were read */
  seen: number;
}

const NEWLINE = 10;
// Longer counts are Python's.
const MOST_DIGITS = 15;
const LONG = {
  ...{
    "lines=": "n",
    "bytes=": "c",
    "follow=?": "follow",
    "sleep-interval=": "s",
    quiet: "q",
    silent: "q",
    verbose: "v",
  },
  ...{ "zero-terminated": "z", retry: "retry", "pid=": "pid", "max-unchanged-stats=": "unchanged" },
};

/** The arguments with options before operands, and a first one like `-5f` as options. */
function inOrder(args: string[]) {
  const [first = "", ...others] = args;
  const old = args.length <= 2 ? /^([-+])(\d+)(f?)$/.exec(first) : null;
  const words = old ? [...(old[3] ? ["-f"] : []), `-n${old[1] === "+" ? "+" : ""}${old[2]}`, ...others] : args;
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const options: string[] = [];
  const operands = [];
  for (let at = 0; at < end; at++) {
    const word = words[at] ?? "";
    if (!/^-./.test(word)) operands.push(word);
    else {
      options.push(word);
      const takesNext = /^-[fFqvz]*[ncs]$|^--(?:lines|bytes|sleep-interval|pid|max-unchanged-stats)$/.test(word);
      if (takesNext && at + 1 < end) options.push(words[++at] ?? "");
    }
  }
  return [...options, "--", ...operands, ...words.slice(end + 1)];
}

/** @returns null for options that are Python's */
function parse(args: string[]): TailOptions | null {
  const { options: given, rest } = readOptions("tail", inOrder(args), "n:c:fFqs:vz", LONG);
  const options: TailOptions = {
    sign: "",
    count: 10,
    bytes: false,
    end: NEWLINE,
    follows: "",
    retries: false,
    titles: "many",
    pid: null,
    interval: 1000,
    paths: rest,
  };
  for (const { name, value } of given) {
    if (name === "n" || name === "c") {
      const number = /^([-+]?)(\d+)$/.exec(value);
      if (!number || (number[2]?.length ?? 0) > MOST_DIGITS) return null;
      Object.assign(options, { sign: number[1], count: Number(number[2]), bytes: name === "c" });
    } else if (name === "f") options.follows = "descriptor";
    else if (name === "follow") {
      if (!/^(?:|name|descriptor)$/.test(value))
        throw wrongUse("tail", `invalid argument '${value}' for '--follow'`, 1);
      options.follows = value === "name" ? "name" : "descriptor";
    } else if (name === "F") Object.assign(options, { follows: "name", retries: true });
    else if (name === "s") {
      options.interval = Number(value) * 1000;
      if (!/^\d*\.?\d+$/.test(value)) throw new CommandError(`tail: invalid number of seconds: '${value}'`);
    } else if (name === "q" || name === "v") options.titles = name === "q" ? "never" : "always";
    else if (name === "z") options.end = 0;
    else if (name === "retry") options.retries = true;
    else if (name === "pid") {
      if (!/^\d+$/.test(value)) throw new CommandError(`tail: invalid PID: '${value}'`);
      options.pid = value;
    } else if (name !== "unchanged") return null;
  }
  return options;
}

/** @returns null to leave the call to Python */
export async function tail(shell: Shell, args: string[]): Promise<number | null> {
  // Counts such as -5c are Python's.
  const options = /^[-+]\d*[bcl]/.test(args[0] ?? "") && !/^-[bcl]/.test(args[0] ?? "") ? null : parse(args);
  if (!options) return null;
  const paths = options.paths.filter((path) => path !== "-");
  if (options.follows && paths.length > 0) return follow(shell, paths, options);
  if (options.sign !== "+" || options.end !== NEWLINE || options.titles === "always" || options.paths.length > 1)
    return null;
  return eachFile(shell, "tail", options.paths, (file) =>
    skip(shell, file, Math.max(0, options.count - 1), options.bytes),
  );
}

/** Print what follows so many lines or bytes. */
async function skip(shell: Shell, file: OpenFile, left: number, bytes: boolean) {
  await eachChunk(shell, file, (chunk) => {
    let start = 0;
    if (bytes) {
      start = Math.min(left, chunk.length);
      left -= start;
    }
    for (; !bytes && left > 0 && start < chunk.length; left--) {
      const at = chunk.indexOf(NEWLINE, start);
      start = at < 0 ? chunk.length : at + 1;
      if (at < 0) break;
    }
    return shell.write(1, chunk.subarray(start));
  });
}

/** The part of a file that `tail` prints first. */
function lastPart(data: Uint8Array, { sign, count, bytes, end }: TailOptions) {
  if (bytes) return data.subarray(sign === "+" ? Math.max(0, count - 1) : Math.max(0, data.length - count));
  if (sign === "+") {
    let start = 0;
    for (let left = count - 1; left > 0 && start < data.length; left--)
      start = data.indexOf(end, start) + 1 || data.length;
    return data.subarray(start);
  }
  return data.subarray(startOfLast(data, count, end));
}

/** `always` prints a heading without data, too */
type Print = (path: string, data: Uint8Array, always?: boolean) => Promise<void>;

/** Return what prints the text of several files, with a heading where another one begins. */
function withHeadings(shell: Shell, shown: boolean): Print {
  let last: string | null = null;
  return async (path, data, always = false) => {
    if (data.length === 0 && !always) return;
    if (shown && last !== path) await shell.print(`${last === null ? "" : "\n"}==> ${path} <==\n`);
    last = path;
    await shell.write(1, data);
  };
}

/** Print the ends of files and then appended text, until a signal comes or no file remains. */
async function follow(shell: Shell, paths: string[], options: TailOptions): Promise<number> {
  if (options.retries && options.follows === "descriptor")
    await shell.write(2, "tail: warning: --retry only effective for the initial open\n");
  const print = withHeadings(shell, options.titles === "always" || (options.titles === "many" && paths.length > 1));
  shell.descriptors.get(1).markEndless();
  const followed: Followed[] = [];
  let status = 0;
  try {
    for (const path of paths) {
      const one = { path, whole: shell.files.resolvePath(shell.cwd, path), file: null, node: null, seen: 0 };
      if (await begin(shell, one, options, print)) followed.push(one);
      if (one.file === null) status = 1;
    }
    while (followed.length) {
      const isLast = options.pid !== null && !signalProcess(shell.host, Number(options.pid), "EXIT");
      for (const one of followed) await printNews(shell, one, options, print);
      if (isLast) return status;
      await shell.task.sleep(options.interval);
    }
    await shell.write(2, "tail: no files remaining\n");
    return 1;
  } finally {
    for (const { file } of followed) file?.release();
  }
}

/**
 * Open a file, if it is there.
 * @returns why that isn't possible
 */
function reopen(shell: Shell, one: Followed): string | null {
  const { FS } = shell.files;
  if (!FS.analyzePath(one.whole).exists) return `cannot open '${one.path}' for reading: No such file or directory`;
  if (FS.isDir(FS.stat(one.whole).mode)) return `error reading '${one.path}': Is a directory`;
  one.file?.release();
  one.file = openPath(shell, one.path, "<").retain();
  one.node = FS.lookupPath(one.whole, { follow: true }).node;
  one.seen = 0;
  return null;
}

/**
 * Print the end of a file.
 * @returns whether it is followed
 */
async function begin(shell: Shell, one: Followed, options: TailOptions, print: Print): Promise<boolean> {
  const problem = reopen(shell, one);
  if (problem !== null) {
    await shell.write(2, `tail: ${problem}\n`);
    const isFolder = problem.startsWith("error reading");
    if (isFolder)
      await shell.write(2, `tail: ${one.path}: cannot follow end of this type of file; giving up on this name\n`);
    return options.retries && !isFolder;
  }
  const data = (await one.file?.readAll(shell.task)) ?? new Uint8Array();
  one.seen = data.length;
  await print(one.path, lastPart(data, options), true);
  return true;
}

/** Print what was appended to a file. */
async function printNews(shell: Shell, one: Followed, options: TailOptions, print: Print) {
  const { FS } = shell.files;
  const say = (text: string) => shell.write(2, `tail: ${text}\n`);
  const present = FS.analyzePath(one.whole).exists ? FS.lookupPath(one.whole, { follow: true }).node : null;
  if (present !== one.node && (options.follows === "name" || one.file === null)) {
    if (present === null) {
      await say(`'${one.path}' has become inaccessible: No such file or directory`);
      one.node = null;
    } else {
      const before = one.node;
      if (reopen(shell, one) === null)
        await say(`'${one.path}' has ${before ? "been replaced" : "appeared"};  following new file`);
    }
  }
  if (one.file === null) return;
  if (one.node === present && present !== null && FS.stat(one.whole).size < one.seen) {
    await say(`${one.path}: file truncated`);
    reopen(shell, one);
  }
  const data = await one.file.readAll(shell.task);
  one.seen += data.length;
  await print(one.path, data);
}
