// Programs: commands that aren't the shell's own. They are Python's, ours here (utilities.ts), git, or scripts.
import { EMPTY, concat, decode } from "../bytes.ts";
import { CommandError, FatalError, LineError } from "./control.ts";
import { End, setEnvironment, startChild } from "./children.ts";
import { lendDescriptors } from "./descriptor_paths.ts";
import { Bytes, Capture, RegularFile, TerminalInput, type OpenFile } from "./open_files.ts";
import { GIT, runGit } from "./git.ts";
import { printable } from "./locale.ts";
import {
  NEED_INPUT,
  READ_MEANWHILE,
  READ_TO_THE_END,
  REPORT_INPUT,
  UNREADABLE,
  indexOfFiles,
  inputOf,
  isLinewise,
  isUnbuffered,
} from "./program_input.ts";
import { runBuiltin } from "./simple_command.ts";
import { rejoined } from "./quoting.ts";
import { readText } from "./redirections.ts";
import { runScript } from "./scripts.ts";
import { startTask } from "./subshells.ts";
import { EISDIR, SystemError } from "../system_errors.ts";
import type { Host, Invocation, Calls, CommandResult } from "./host.ts";
import { UTILITIES, type Utility } from "./utility_table.ts";
import { runText } from "./run_text.ts";
import type { Shell } from "./shell.ts";

const BATCH = 1 << 16;
const MOST_BATCH = 1 << 23;
const NEWLINE = 10;
// What reads lines from a pipe gets those that are there when no more come for so long.
const PATIENCE_MS = 50;
// They name no files in what they print, so they get the real paths of descriptors.
const TAKE_PATHS = new Set(["jq", "yq", "node"]);
const NOT_FOUND = 127;
const CANNOT_EXECUTE = 126;
const STANDARD = new Set(["/bin", "/usr/bin"]);
/** Of `command -p`. */
export const DEFAULT_PATH = "/bin:/usr/bin";
// Builtins that are programs as well, for `env`, `exec` and their like.
const BOTH = new Set(["echo", "printf", "test", "[", "true", "false", "kill"]);

const isKnown = ({ host }: Shell, name: string) => host.python.has(name) || name in UTILITIES || name === GIT;

/** The names of all programs that are no files, those of Python's first. */
export const programNames = ({ python }: Host): string[] => [
  ...new Set([...python, ...Object.keys(UTILITIES), GIT, ...BOTH]),
];

function isFile({ files, cwd }: Shell, path: string) {
  const { FS } = files;
  const whole = files.resolvePath(cwd, path);
  return FS.analyzePath(whole).exists && !FS.isDir(FS.stat(whole).mode);
}

const isExecutable = ({ files, cwd }: Shell, path: string) =>
  (files.FS.stat(files.resolvePath(cwd, path)).mode & 0o111) !== 0;

/** A file of that name in the folders of PATH. */
export function findPath(shell: Shell, name: string, executable: boolean): string | null {
  for (const folder of (shell.variables.text("PATH") ?? "").split(":")) {
    const path = `${folder || "."}/${name}`;
    if (isFile(shell, path) && (!executable || isExecutable(shell, path))) return path;
  }
  return null;
}

/** The path of a program. */
export function locate(shell: Shell, name: string): string | null {
  if (name.includes("/")) return isFile(shell, name) && isExecutable(shell, name) ? name : null;
  const hashed = shell.hashed.get(name);
  if (hashed && isThere(shell, hashed.path)) return hashed.path;
  for (const folder of (shell.variables.text("PATH") ?? "").split(":")) {
    const path = `${folder || "."}/${name}`;
    if (isFile(shell, path) && isExecutable(shell, path)) return path;
    if (STANDARD.has(folder) && isKnown(shell, name)) return path;
  }
  return null;
}

/** Every path of a program in the folders of PATH. */
export function locateAll(shell: Shell, name: string): string[] {
  const folders = (shell.variables.text("PATH") ?? "").split(":");
  const isThere = (folder: string, path: string) =>
    (isFile(shell, path) && isExecutable(shell, path)) || (STANDARD.has(folder) && isKnown(shell, name));
  return folders
    .map((folder) => [folder, `${folder || "."}/${name}`])
    .flatMap(([folder = "", path = ""]) => (isThere(folder, path) ? [path] : []));
}

/** Run a program, or a builtin that is one as well. */
export async function runExternally(shell: Shell, words: string[]): Promise<number> {
  const [name = "", ...args] = words;
  if (!BOTH.has(name)) return runProgram(shell, words);
  await runBuiltin(shell, name, args);
  return shell.status;
}

/**
 * Run a program for another one, such as `env`, which says if it is missing.
 * @param before - its message
 * @param shown - the program's name in the message
 */
export async function runWrapped(
  shell: Shell,
  before: string,
  words: string[],
  shown: string = `'${words[0] ?? ""}'`,
): Promise<number> {
  const [name = ""] = words;
  if (BOTH.has(name) || locate(shell, name) !== null) return runExternally(shell, words);
  const exists = name.includes("/") && isThere(shell, name);
  await shell.write(2, `${before}${shown}: ${exists ? "Permission denied" : "No such file or directory"}\n`);
  if (!exists) await suggest(shell, name);
  return exists ? CANNOT_EXECUTE : NOT_FOUND;
}

const isThere = ({ files, cwd }: Shell, path: string) => files.FS.analyzePath(files.resolvePath(cwd, path)).exists;

/** @returns the exit code */
export async function runProgram(shell: Shell, words: string[]): Promise<number> {
  const { task } = shell;
  const { command } = task;
  task.command = words.join(" ");
  try {
    return await runNamed(shell, words);
  } catch (error) {
    const [name = ""] = words;
    if (error instanceof SystemError) {
      await shell.write(2, `${name}: -: ${error.message}\n`);
      return UNREADABLE[name] ?? 1;
    }
    if (!(error instanceof CommandError) || error instanceof LineError || error instanceof FatalError) throw error;
    // A program says its own name, and not that of the shell.
    await shell.write(2, `${error.message}\n`);
    return error.status;
  } finally {
    task.command = command;
  }
}

async function runNamed(shell: Shell, words: string[]): Promise<number> {
  const [name = "", ...args] = words;
  const path = locate(shell, name);
  if (path === null) return refuse(shell, name);
  const { hits } = shell.hashed.get(name) ?? { hits: 0 };
  if (!name.includes("/") && shell.options.has("hashall")) shell.hashed.set(name, { path, hits: hits + 1 });
  return runLocated(shell, path, args);
}

/** @param path - from `locate` */
export async function runLocated(shell: Shell, path: string, args: string[]) {
  return isProgram(shell, path)
    ? runKnown(shell, path.slice(path.lastIndexOf("/") + 1), args)
    : runFile(shell, path, args);
}

/** Return whether a path from `locate` is one of the programs that are no files. */
export function isProgram(shell: Shell, path: string) {
  const slash = path.lastIndexOf("/");
  const base = path.slice(slash + 1);
  return STANDARD.has(path.slice(0, slash)) && (isKnown(shell, base) || BOTH.has(base));
}

/** The program that the first line of a script names. */
export function readInterpreter(shell: Shell, path: string): { line: string | null; known: boolean } {
  const { files, cwd } = shell;
  const bytes = files.FS.readFile(files.resolvePath(cwd, path)).subarray(0, 256);
  const line = /^#!\s*([^\n]*)/.exec(decode(bytes))?.[1] ?? null;
  const words = interpreterOf(line ?? "");
  return { line, known: SHELLS.includes(words[0] ?? "") || isKnown(shell, words[0] ?? "") };
}

/** Print what may help where a program is missing. */
async function suggest(shell: Shell, name: string) {
  const { host } = shell;
  const hint = await host.options.suggest(name, programNames(host).join(" "));
  if (hint) await shell.write(2, `${hint}\n`);
}

async function refuse(shell: Shell, name: string) {
  if (!name.includes("/")) {
    await shell.complain(`${printable(shell.variables, name)}: command not found`);
    await suggest(shell, name);
    return NOT_FOUND;
  }
  const { files, cwd } = shell;
  const whole = files.resolvePath(cwd, name);
  const exists = files.FS.analyzePath(whole).exists;
  const reason = !exists
    ? "No such file or directory"
    : files.FS.isDir(files.FS.stat(whole).mode)
      ? "Is a directory"
      : "Permission denied";
  await shell.complain(`${name}: ${reason}`);
  return exists ? CANNOT_EXECUTE : NOT_FOUND;
}

async function runKnown(shell: Shell, name: string, args: string[]): Promise<number> {
  shell.task.check();
  const utility = UTILITIES[name];
  if (utility && !TAKE_PATHS.has(name)) {
    const status = await runUtility(shell, utility, args);
    if (status !== null) return status;
  }
  if (BOTH.has(name)) return runExternally(shell, [name, ...args]);
  return withDescriptors(shell, name, args, async (words, stdin) => {
    const status = TAKE_PATHS.has(name) ? await UTILITIES[name]?.(shell, words) : null;
    return status ?? runOnInput(shell, name, words, stdin ? new Bytes(stdin) : inputOf(shell, name, words));
  });
}

/** Run a program of ours; its errors bear its own name, not the shell's. */
async function runUtility(shell: Shell, utility: Utility, args: string[]) {
  try {
    return await utility(shell, args);
  } catch (error) {
    if (!(error instanceof CommandError) || error instanceof LineError || error instanceof FatalError) throw error;
    await shell.write(2, `${error.message}\n`);
    return error.status;
  }
}

/** Run a program while files stand for the descriptors that its arguments name. */
async function withDescriptors(
  shell: Shell,
  name: string,
  args: string[],
  run: (words: string[], stdin: Uint8Array | null) => Promise<number>,
) {
  const { files } = shell;
  const lent = await lendDescriptors(shell, name, args.slice(indexOfFiles(name, args)), READ_MEANWHILE.has(name));
  if (Object.keys(lent.places).length === 0) return run(args, lent.stdin);
  shell.files = files.withPlaces(lent.places);
  try {
    return await run(TAKE_PATHS.has(name) ? args.map((word) => lent.places[word] ?? word) : args, lent.stdin);
  } finally {
    shell.files = files;
    await lent.finish();
  }
}

/** @param file - its standard input, if it reads that */
async function runOnInput(shell: Shell, name: string, args: string[], file: OpenFile | null) {
  const { files } = shell;
  const folder =
    file instanceof RegularFile && files.FS.isDir(file.file.node.mode) ? files.FS.getPath(file.file.node) : null;
  if (READ_MEANWHILE.has(name)) {
    if (folder !== null && NEED_INPUT.has(name)) throw new SystemError(EISDIR);
    return runWhole(shell, name, args, EMPTY, file);
  }
  if (folder !== null && REPORT_INPUT.has(name)) {
    shell.files = files.withPlaces({ ...files.places, "-": folder });
    return runWhole(shell, name, args, EMPTY).finally(() => void (shell.files = files));
  }
  // What `tr -s` squeezes may span two batches, so only input without an end comes in batches.
  const squeezes = name === "tr" && args.some((word) => /^-\w*s|^--s/.test(word));
  if (file && isLinewise(name, args) && !(squeezes && !file.isEndless)) return runInBatches(shell, name, args, file);
  return runWhole(shell, name, args, file ? await file.readAll(shell.task, READ_TO_THE_END.has(name)) : EMPTY);
}

function runOn(
  shell: Shell,
  name: string,
  args: string[],
  stdin: Uint8Array,
  input: OpenFile | null,
): Promise<CommandResult> {
  return name === GIT ? runGit(shell, args, stdin) : runPython(shell, name, args, stdin, input);
}

/** @param input - that the program reads while it runs */
async function runWhole(
  shell: Shell,
  name: string,
  args: string[],
  stdin: Uint8Array,
  input: OpenFile | null = null,
): Promise<number> {
  const result = await runOn(shell, name, args, stdin, input);
  shell.task.check();
  if (result.stderr.length) await shell.write(2, result.stderr);
  if (result.stdout.length) await shell.write(1, result.stdout);
  return result.exitCode;
}

/**
 * Return whether there is more to read within a time.
 * @param patience - in milliseconds
 */
async function isReadySoon({ task }: Shell, file: OpenFile, patience: number) {
  const readable = file.whenReadable();
  if (!readable) return true;
  if (patience > 0) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waited = new Promise((resolve) => void (timer = setTimeout(resolve, patience)));
    await task.pause(Promise.race([readable, waited]));
    clearTimeout(timer);
  }
  return file.isReady;
}

/** Run a command on one batch of lines after another, so that it works in front of a `head`. */
async function runInBatches(shell: Shell, name: string, args: string[], file: OpenFile) {
  let status: number | null = null;
  let rest: Uint8Array = EMPTY;
  let most = BATCH;
  const patience = isUnbuffered(args) ? 0 : PATIENCE_MS;
  for (let ended = false; !ended; ) {
    const chunks = [rest];
    for (let size = rest.length; size < most && !ended; ) {
      if (size > 0 && concat(chunks).includes(NEWLINE) && !(await isReadySoon(shell, file, patience))) break;
      const chunk = await file.read(BATCH, shell.task);
      chunks.push(chunk);
      size += chunk.length;
      ended = chunk.length === 0;
    }
    const whole = concat(chunks);
    if (file.isEndless) shell.descriptors.table.get(1)?.markEndless();
    // A call of Python costs as much as many lines.
    else most = Math.min(most * 4, MOST_BATCH);
    const end = ended || name === "tr" ? whole.length : whole.lastIndexOf(NEWLINE) + 1 || whole.length;
    rest = whole.subarray(end);
    if (whole.length === 0 && status !== null) break;
    const code = await runWhole(shell, name, args, whole.subarray(0, end));
    status = status === null ? code : Math.min(status, code);
  }
  return status ?? 0;
}

const SHELLS = ["bash", "sh", "dash"];
// How an ELF file begins: https://man7.org/linux/man-pages/man5/elf.5.html
const COMPILED = "\x7fELF";

/** The program's name and its options. */
function interpreterOf(line: string) {
  const [interpreter = "", ...options] = line.trim().split(/\s+/);
  const base = interpreter.split("/").at(-1) ?? "";
  return base === "env" ? options.filter((word) => word !== "-S") : [base, ...options];
}

/** A script: what it begins with says which program reads it. */
async function runFile(shell: Shell, path: string, args: string[]) {
  const text = await readText(shell, path);
  if (text.startsWith(COMPILED)) {
    await shell.complain(`${path}: cannot execute binary file: Exec format error`);
    await suggest(shell, path);
    return CANNOT_EXECUTE;
  }
  const [, line = ""] = /^#!\s*([^\n]*)/.exec(text) ?? [];
  const words = interpreterOf(line);
  const [name = ""] = words;
  if (line === "" || SHELLS.includes(name)) return runScript(shell, text, path, args, words.slice(1));
  if (!isKnown(shell, name)) {
    await shell.complain(`${path}: ${line.trim().split(/\s+/)[0]}: bad interpreter: No such file or directory`);
    await suggest(shell, name);
    return CANNOT_EXECUTE;
  }
  return runKnown(shell, name, [...words.slice(1), path, ...args]);
}

export async function runPython(
  shell: Shell,
  name: string,
  args: string[],
  stdin: Uint8Array,
  input: OpenFile | null,
): Promise<CommandResult> {
  const { host, task, descriptors } = shell;
  const live = host.options.liveCommands.includes(name);
  const stream = (number: number) => (live ? (descriptors.table.get(number)?.stream ?? 0) : 0);
  host.flush();
  // Python would see null as an object.
  const end = input ? new End(input) : undefined;
  const invocation: Invocation = {
    name,
    args: args.map(rejoined),
    origin: task.origin,
    cwd: shell.cwd,
    descriptors: shell.files.descriptors,
    places: shell.files.places,
    umask: shell.umask,
    env: shell.variables.exported(),
    reads: host.attended && task.job === null && descriptors.table.get(0) instanceof TerminalInput,
    live: { stdout: stream(1), stderr: stream(2) },
    terminals: [1, 2].filter((number) => descriptors.table.get(number)?.isTerminal === true),
    stdinSize: sizeOf(shell, descriptors.table.get(0)),
    job: task.pid,
  };
  const calls: Calls = {
    stdin,
    input: end,
    print: (number, bytes) => descriptors.table.get(number)?.push(bytes.slice()) ?? false,
    writable: (number) => descriptors.table.get(number)?.whenWritable(),
    start: (request) => startChild(shell, request),
    shell: (script, cwd, env) => runForCommand(shell, script, cwd, env),
  };
  let done;
  try {
    const running = host.options.runCommand(JSON.stringify(invocation), calls);
    done = "exitCode" in running ? running : await running;
  } finally {
    end?.close();
  }
  return { stdout: done.stdout.slice(), stderr: done.stderr.slice(), exitCode: done.exitCode };
}

/** The size of the file that a descriptor refers to; null if it is something else. */
function sizeOf({ files }: Shell, file: OpenFile | undefined) {
  if (!(file instanceof RegularFile)) return null;
  const { node } = file.file;
  return node && files.FS.isFile(node.mode) ? node.node_ops.getattr(node).size : null;
}

/**
 * Run a script for a command, such as `xargs`.
 * @param origin - by which Python finds who asks for what the script needs
 */
export async function runForCommand(
  shell: Shell,
  script: string,
  cwd: string,
  env: Record<string, string>,
  origin: number = shell.task.origin,
): Promise<CommandResult> {
  const [stdout, stderr] = [new Capture(), new Capture()];
  const files = new Map<number, OpenFile>();
  [new Bytes(EMPTY), stdout, stderr].forEach((file, number) => files.set(number, file));
  const run = async (copy: Shell) => void (copy.status = await runText(copy, script, "-c"));
  const prepare = (copy: Shell) => {
    setEnvironment(copy, env, cwd);
    copy.task.origin = origin;
  };
  const running = startTask(shell, run, files, { prepare });
  const exitCode = await running.done;
  return { stdout: stdout.bytes, stderr: stderr.bytes, exitCode };
}
