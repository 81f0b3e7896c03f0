// Programs: commands that aren't the shell's own. They are Python's, ours here (utilities.ts), git, or scripts.
import { EMPTY, concat } from "../../bytes.ts";
import { noteRunning } from "../execution/process_files.ts";
import { CommandError, WriteError, isOfCommand } from "../control.ts";
import { lendDescriptors } from "../execution/descriptor_paths.ts";
import { neverEnds } from "../execution/list_files.ts";
import { Bytes, RegularFile, type OpenFile } from "../execution/open_files.ts";
import { runGit } from "./git.ts";
import { printable } from "../language/locale.ts";
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
} from "../execution/program_input.ts";
import {
  BOTH,
  GIT,
  SHELLS,
  interpreterOf,
  isKnown,
  isProgram,
  isThere,
  locate,
  programNames,
} from "../execution/program_paths.ts";
import { runBuiltin } from "../execution/simple_command.ts";
import { runPython } from "./python_programs.ts";
import { readText } from "../execution/redirections.ts";
import { runScript } from "./scripts.ts";
import { EISDIR, SystemError } from "../../system_errors.ts";
import { UTILITIES } from "../execution/utility_table.ts";
import type { Shell } from "../shell.ts";

const BATCH = 1 << 16;
const MOST_BATCH = 1 << 23;
const NEWLINE = 10;
// What reads lines from a pipe gets those that are there when no more come for so long.
const PATIENCE_MS = 50;
// They name no files in what they print, so they get the real paths of descriptors.
const TAKE_PATHS = new Set(["jq", "yq", "node"]);
/** Exit codes of programs whose output can't be written, where it isn't 1. */
const UNWRITABLE: Record<string, number> = {
  ls: 2,
  sort: 2,
  sed: 4,
  grep: 2,
  egrep: 2,
  fgrep: 2,
  diff: 2,
  gawk: 2,
  jq: 2,
};
const NOT_FOUND = 127;
const CANNOT_EXECUTE = 126;

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

/** @returns the exit code */
export async function runProgram(shell: Shell, words: string[]): Promise<number> {
  const { task } = shell;
  const { words: before } = task;
  task.words = words;
  noteRunning(task);
  try {
    return await runNamed(shell, words);
  } catch (error) {
    const [name = ""] = words;
    if (error instanceof WriteError) {
      await shell.write(2, `${name}: write error: ${error.message}\n`);
      return UNWRITABLE[name] ?? 1;
    }
    if (error instanceof SystemError) {
      await shell.write(2, `${name}: -: ${error.message}\n`);
      return UNREADABLE[name] ?? 1;
    }
    return statusAfter(shell, error);
  } finally {
    task.words = before;
  }
}

/** Report the error of a program, which bears its own name, not the shell's. */
async function statusAfter(shell: Shell, error: unknown) {
  if (!isOfCommand(error)) throw error;
  await shell.write(2, `${error.message}\n`);
  return error.status;
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
  const exists = isThere(shell, name);
  const isFolder = shell.files.isFolder(shell.files.resolvePath(shell.cwd, name));
  const reason = isFolder ? "Is a directory" : exists ? "Permission denied" : "No such file or directory";
  await shell.complain(`${name}: ${reason}`);
  return exists ? CANNOT_EXECUTE : NOT_FOUND;
}

async function runKnown(shell: Shell, name: string, args: string[]): Promise<number> {
  shell.task.check();
  const utility = UTILITIES[name];
  if (utility && !TAKE_PATHS.has(name)) {
    const status = await utility(shell, args).catch((error) => statusAfter(shell, error));
    if (status !== null) return status;
  }
  if (BOTH.has(name)) return runExternally(shell, [name, ...args]);
  return withDescriptors(shell, name, args, async (words, stdin) => {
    const status = TAKE_PATHS.has(name) ? await UTILITIES[name]?.(shell, words) : null;
    return status ?? runOnInput(shell, name, words, stdin ? new Bytes(stdin) : inputOf(shell, name, words));
  });
}

/** Run a program while files stand for the descriptors that its arguments name. */
async function withDescriptors(
  shell: Shell,
  name: string,
  args: string[],
  run: (words: string[], stdin: Uint8Array | null) => Promise<number>,
) {
  const { files } = shell;
  const endless = READ_TO_THE_END.has(name) && args.find((word) => neverEnds(files, word));
  if (endless) throw new CommandError(`${name}: ${endless}: The list never ends`);
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

/** @param input - that the program reads while it runs */
async function runWhole(
  shell: Shell,
  name: string,
  args: string[],
  stdin: Uint8Array,
  input: OpenFile | null = null,
): Promise<number> {
  const running = name === GIT ? runGit(shell, args, stdin) : runPython(shell, name, args, stdin, input);
  const result = await running;
  shell.task.check();
  if (result.stderr.length) await shell.write(2, result.stderr);
  if (result.stdout.length) await shell.print(result.stdout);
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

// How an ELF file begins: https://man7.org/linux/man-pages/man5/elf.5.html
const COMPILED = "\x7fELF";

/** A script: its first bytes say which program reads it. */
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
