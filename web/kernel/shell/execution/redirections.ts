// Redirections, applied in the order in which they are written (Bash manual, 3.6).
import { CommandError, LineError, ReportedError, isOfCommand } from "../control.ts";
import { Bytes, DEVICES, RegularFile, type OpenFile } from "./open_files.ts";
import { createPipe } from "./pipes.ts";
import { decode, encode, isText } from "../../bytes.ts";
import { descriptorOf, openFileAt, pathOf } from "./descriptor_paths.ts";
import { noteRunning } from "./process_files.ts";
import { reasonOf } from "./files.ts";
import { openPipe, pipeAt } from "./named_pipes.ts";
import { parseParameter, readParameter } from "../language/parameters.ts";
import { rejoined } from "../language/quoting.ts";
import type { Shell, Node } from "../shell.ts";
import { startSubshell } from "./subshells.ts";
import { wordText } from "../language/syntax/printer.ts";
import { Variables } from "../language/variables.ts";
import { expandFields, expandHereText, expandText } from "../language/words.ts";

const OPENINGS: Record<string, { flags: string; fd: number }> = {
  "<": { flags: "r", fd: 0 },
  ">": { flags: "w", fd: 1 },
  ">|": { flags: "w", fd: 1 },
  ">>": { flags: "a", fd: 1 },
  "<>": { flags: "r+", fd: 0 },
  "&>": { flags: "w", fd: 1 },
  "&>>": { flags: "a", fd: 1 },
};

// Names of files are text here: Emscripten's filesystem has strings.
const STDERR = 2;
const NO_NAME = "Not UTF-8, as names of files must be here";

/**
 * Run `action` with redirections, which end with it.
 * @param ofProgram - whether they are a program's: bash expands those in the child, so what they assign ends with it
 */
export async function withRedirections<T>(
  shell: Shell,
  redirections: Node[],
  action: () => T | Promise<T>,
  ofProgram = false,
): Promise<T> {
  const { descriptors } = shell;
  const saved = new Map<number, OpenFile | null>();
  const lasts = redirections === shell.lastRedirections;
  const outer = shell.substitutions;
  const own: (() => unknown)[] = [];
  const apply = ofProgram && redirections.some(({ target }) => assigns(target)) ? redirectApart : redirect;
  try {
    shell.substitutions = own;
    try {
      await apply(shell, redirections, (number) => {
        if (!saved.has(number)) saved.set(number, lasts ? null : (descriptors.save([number]).get(number) ?? null));
      });
    } catch (error) {
      if (saved.has(STDERR)) await report(shell, error);
      throw error;
    }
    shell.substitutions = outer;
    return await action();
  } finally {
    shell.substitutions = outer;
    descriptors.restore(saved);
    for (const finish of own) await finish();
  }
}

/** Write a redirection's error to where those before it have led standard error. */
async function report(shell: Shell, error: unknown) {
  if (!isOfCommand(error)) return;
  await shell.complain(error.message);
  throw new ReportedError(error.status);
}

/** Apply redirections permanently, as `exec` does. */
export async function redirect(shell: Shell, redirections: Node[], beforeChange: (number: number) => void = () => {}) {
  for (const item of redirections) {
    const { operator } = item;
    if (operator === ">&" || operator === "<&") await duplicate(shell, item, beforeChange);
    else await openFor(shell, item, beforeChange);
  }
}

/** Return whether the expansion of a word may assign a variable: `${name:=word}`, `$((name++))`. */
function assigns(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const { type }: Node = node;
  if (type === "ArithmeticExpansion" || type === "AssignDefault") return true;
  return type !== "CommandSubstitution" && Object.values(node).some(assigns);
}

async function redirectApart(
  shell: Shell,
  redirections: Node[],
  beforeChange: ((number: number) => void) | undefined,
): Promise<void> {
  const saved = new Variables();
  saved.copyFrom(shell.variables);
  try {
    await redirect(shell, redirections, beforeChange);
  } finally {
    shell.variables.table = saved.table;
  }
}

async function openFor(shell: Shell, item: Node, beforeChange: (number: number) => void) {
  const { operator } = item;
  const file = operator.startsWith("<<") ? await hereText(shell, item) : await target(shell, item);
  const numbers = item.fdVariable ? [choose(shell, item.fdVariable)] : [item.fd ?? OPENINGS[operator]?.fd ?? 0];
  if (operator.startsWith("&")) numbers.push(2);
  file.retain();
  for (const number of numbers) {
    // What `{name}>file` opens stays open.
    if (!item.fdVariable) beforeChange(number);
    shell.descriptors.set(number, file);
  }
  file.release();
}

/** @param name - of the variable that gets the number */
function choose(shell: Shell, name: string) {
  const number = shell.descriptors.firstFree();
  try {
    shell.variables.assignTo(parseParameter(name), String(number));
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    // It costs the command only.
    throw new CommandError(error.message);
  }
  return number;
}

async function hereText(shell: Shell, { operator, target: word }: Node): Promise<OpenFile> {
  if (operator === "<<<") return new Bytes(encode(`${await expandText(shell, word)}\n`));
  const { content, quoted } = word;
  const text = quoted
    ? content.parts.map((part: Node) => part.value ?? "").join("")
    : await expandHereText(shell, content);
  return new Bytes(encode(text));
}

async function target(shell: Shell, { operator, target: word }: Node): Promise<OpenFile> {
  const [only] = word.parts;
  if (word.parts.length === 1 && only.type === "ProcessSubstitution") return connect(shell, only);
  const fields = await expandFields(shell, [word]);
  const [path = ""] = fields;
  if (fields.length !== 1) throw new CommandError(`${wordText(word)}: ambiguous redirect`);
  return openPath(shell, path, operator);
}

/** `< <(list)` and `> >(list)`: the list runs at the same time, at the other end of a pipe. */
function connect(shell: Shell, { body, direction }: Node) {
  const { reader, writer } = createPipe();
  const [ours, theirs, number] = direction === "input" ? [reader, writer, 1] : [writer, reader, 0];
  const running = startSubshell(shell, body.statements, new Map([[number, theirs]]));
  if (direction === "output") shell.substitutions.push(() => running.done);
  shell.lastPid = running.task.pid;
  return ours;
}

export function openPath(shell: Shell, given: string, operator: string): OpenFile {
  const path = rejoined(given);
  noteRunning(shell.task);
  const open = openFileAt(shell, path);
  const again = open && pathOf(shell, open);
  if (open && !again) return open;
  if (path === "/dev/tty") return shell.host.terminal(OPENINGS[operator]?.fd ? 1 : 0);
  const device = DEVICES[path];
  if (device) return device();
  const { files } = shell;
  const place = again ?? files.place(files.resolvePath(shell.cwd, path));
  let { flags = "r" } = OPENINGS[operator] ?? {};
  if (path === "" || (descriptorOf(path) !== null && place === path))
    throw new CommandError(`${path}: No such file or directory`);
  if (!isText(path)) throw new CommandError(`${path}: ${NO_NAME}`);
  const pipe = pipeAt(files.FS, place);
  if (pipe) return openPipe(pipe, flags);
  try {
    const { exists } = files.FS.analyzePath(place);
    if (exists && files.FS.isDir(files.FS.stat(place).mode) && flags !== "r")
      throw new CommandError(`${path}: Is a directory`);
    if (
      exists &&
      (operator === ">" || operator === "&>") &&
      shell.options.has("noclobber") &&
      files.FS.isFile(files.FS.stat(place).mode)
    ) {
      throw new CommandError(`${path}: cannot overwrite existing file`);
    }
    if (path.endsWith("/") && !exists) throw new CommandError(`${path}: Is a directory`);
    if (flags === "r+" && !exists) flags = "w+";
    return new RegularFile(files.FS, files.FS.open(place, flags, 0o666 & ~shell.umask));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path}: ${reasonOf(error)}`);
  }
}

/** Read all of a file, or what a descriptor's path stands for. */
export async function readText(shell: Shell, path: string): Promise<string> {
  const file = openPath(shell, path, "<").retain();
  try {
    return decode(await file.readAll(shell.task));
  } finally {
    file.release();
  }
}

function existing(shell: Shell, number: number, name: string) {
  const file = shell.descriptors.table.get(number);
  if (!file) throw new CommandError(`${name}: Bad file descriptor`);
  return file;
}

/** `2>&1`, `>&-`, `3<&0-` (Bash manual, 3.6.8 and 3.6.9). */
async function duplicate(shell: Shell, item: Node, beforeChange: (number: number) => void) {
  const { descriptors } = shell;
  const words = await expandFields(shell, [item.target]);
  const [word = ""] = words;
  const number = item.fd ?? (item.operator === ">&" ? 1 : 0);
  const match = /^(\d*)(-?)$/.exec(word);
  if (words.length !== 1 || word === "") throw new CommandError(`${wordText(item.target)}: ambiguous redirect`);
  if (!match) {
    if (item.operator !== ">&" || (item.fd ?? 1) !== 1) throw new CommandError(`${word}: ambiguous redirect`);
    return openFor(shell, { ...item, operator: "&>" }, beforeChange);
  }
  const [, from = "", closes] = match;
  if (item.fdVariable && from === "") {
    const number = readParameter(shell, parseParameter(item.fdVariable)).values?.[0];
    return descriptors.set(Number(number), null);
  }
  const to = item.fdVariable ? choose(shell, item.fdVariable) : number;
  if (!item.fdVariable) beforeChange(to);
  if (from !== "") descriptors.set(to, existing(shell, Number(from), word));
  else descriptors.set(to, null);
  if (from !== "" && closes) {
    beforeChange(Number(from));
    descriptors.set(Number(from), null);
  }
}
