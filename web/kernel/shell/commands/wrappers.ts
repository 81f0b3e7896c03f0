// Programs that run another one: `nohup`, `setsid`, `nice`, `stdbuf`, `flock`. Their options end before that program's name.
import { CommandError } from "../control.ts";
import { RegularFile, type OpenFile } from "../execution/open_files.ts";
import { locate } from "../execution/program_paths.ts";
import { runExternally, runWrapped } from "./programs.ts";
import { answers, readOptions, wrongUse as misuse } from "./program_options.ts";
import { openPath } from "../execution/redirections.ts";
import type { Shell } from "../shell.ts";
import { startTask } from "../execution/subshells.ts";
import type { Task } from "../execution/task.ts";

const CANNOT_RUN = 125;
const WRONG_USAGE = 64;
const UNAVAILABLE = 69;
const RETRY_MS = 20;

const wrongUse = (name: string, problem: string, status: number = CANNOT_RUN) => misuse(name, problem, status);

/** @returns whether help was asked for */
async function helps(shell: Shell, args: string[], help: string): Promise<boolean> {
  if (args[0] !== "--help") return false;
  await shell.print(`${help}\n`);
  return true;
}

export async function nohup(shell: Shell, args: string[]) {
  const { options, rest } = readOptions("nohup", args, "", {}, CANNOT_RUN);
  if (await answers(shell, "nohup", options, "Usage: nohup COMMAND [ARG]...\nRun COMMAND.")) return 0;
  if (rest.length === 0) throw wrongUse("nohup", "missing operand");
  return runWrapped(shell, "nohup: failed to run command ", rest);
}

const SETSID_HELP = `Usage: setsid [-c] [-w] PROGRAM [ARG]...
Run PROGRAM in a new session, and wait for it.`;

export async function setsid(shell: Shell, args: string[]) {
  if (await helps(shell, args, SETSID_HELP)) return 0;
  const { options, rest: command } = readOptions("setsid", args, "cfw", { ctty: "c", fork: "f", wait: "w" });
  const { task } = shell;
  if (options.some(({ name }) => name === "f"))
    throw new CommandError("setsid: -f isn't supported: run `setsid PROGRAM &`");
  if (command.length === 0) throw wrongUse("setsid", "no command specified", 1);
  if (options.some(({ name }) => name === "c") && !shell.descriptors.table.get(0)?.isTerminal) {
    throw new CommandError("setsid: failed to set the controlling terminal: Inappropriate ioctl for device");
  }
  // A job that is only this command becomes the first of the session itself, as a process does that isn't the first of its group.
  if (task.job === task && shell.lastRedirections !== null && task.group !== task.pid) {
    task.lead(true);
    return runExternally(shell, command);
  }
  return startTask(shell, async (copy) => void (copy.status = await runExternally(copy, command)), new Map(), {
    prepare: (copy) => copy.task.lead(true),
  }).done;
}

const NICE_HELP = `Usage: nice [OPTION] [COMMAND [ARG]...]
Run COMMAND, or print the niceness.

  -n, --adjustment=N  add N to the niceness (10), which has no effect here: all programs share a worker`;
const DEFAULT_ADJUSTMENT = 10;
const NICEST = 19;
/** The niceness of tasks that `nice` has started. */
const niceness = new WeakMap<object, number>();

const nicenessOf = (task: Task | null): number => (task === null ? 0 : (niceness.get(task) ?? nicenessOf(task.parent)));

export async function nice(shell: Shell, args: string[]) {
  // `-5` and `--5` are adjustments, too.
  const words = args.map((word, at) =>
    /^--?[-+]?\d+$/.test(word) && args.slice(0, at).every((one) => one.startsWith("-")) && args[at - 1] !== "-n"
      ? `-n${word.slice(1)}`
      : word,
  );
  const { options, rest } = readOptions("nice", words, "n:", { "adjustment=": "n" }, CANNOT_RUN);
  if (await answers(shell, "nice", options, NICE_HELP)) return 0;
  const given = options.at(-1)?.value;
  if (given !== undefined && !/^[-+]?\d+$/.test(given))
    throw new CommandError(`nice: invalid adjustment '${given}'`, CANNOT_RUN);
  if (rest.length === 0) {
    if (given !== undefined) throw wrongUse("nice", "a command must be given with an adjustment");
    await shell.print(`${nicenessOf(shell.task)}\n`);
    return 0;
  }
  const level = Math.max(-NICEST - 1, Math.min(NICEST, nicenessOf(shell.task) + Number(given ?? DEFAULT_ADJUSTMENT)));
  const run = async (copy: Shell) => {
    niceness.set(copy.task, level);
    copy.status = await runWrapped(copy, "nice: ", rest);
  };
  return startTask(shell, run).done;
}

const STDBUF_HELP = `Usage: stdbuf OPTION... COMMAND
Run COMMAND. Buffers have no effect here: each program has its own.

  -i, --input=MODE, -o, --output=MODE, -e, --error=MODE  L, 0 or a size`;

export async function stdbuf(shell: Shell, args: string[]) {
  const { options, rest } = readOptions(
    "stdbuf",
    args,
    "i:o:e:",
    { "input=": "i", "output=": "o", "error=": "e" },
    CANNOT_RUN,
  );
  if (await answers(shell, "stdbuf", options, STDBUF_HELP)) return 0;
  for (const { name, value } of options) {
    if (value === "L" && name === "i") throw wrongUse("stdbuf", "line buffering stdin is meaningless");
    if (!/^(?:L|\d+(?:[kKMGTPEZY](?:i?B)?)?)$/.test(value))
      throw new CommandError(`stdbuf: invalid mode '${value}'`, CANNOT_RUN);
  }
  if (rest.length === 0) throw wrongUse("stdbuf", "missing operand");
  if (options.length === 0) throw wrongUse("stdbuf", "you must specify a buffering mode option");
  return runWrapped(shell, "stdbuf: failed to run command ", rest);
}

/** The open files that hold a lock, by the node of their file. */
const locks = new WeakMap<object, { exclusive: boolean; holders: Set<OpenFile> }>();

function unlock(node: object, file: OpenFile) {
  const lock = locks.get(node);
  lock?.holders.delete(file);
  if (lock?.holders.size === 0) locks.delete(node);
}

/** Lock a file if no other open file holds a lock that excludes it. */
function tryLock(node: object, file: OpenFile, exclusive: boolean) {
  const lock = locks.get(node);
  const others = [...(lock?.holders ?? [])].filter((holder) => holder !== file);
  if (others.length && (exclusive || lock?.exclusive)) return false;
  if (!lock?.holders.has(file)) {
    // A lock lasts until its file is closed (flock(2)).
    const close = file.close.bind(file);
    file.close = () => {
      unlock(node, file);
      close();
    };
  }
  locks.set(node, { exclusive, holders: new Set([...others, file]) });
  return true;
}

const LONG = {
  shared: "s",
  exclusive: "x",
  unlock: "u",
  nonblock: "n",
  nb: "n",
  "timeout=": "w",
  "wait=": "w",
  "conflict-exit-code=": "E",
  close: "o",
  "no-fork": "F",
  verbose: "verbose",
};
const HIGHEST_STATUS = 255;

interface LockOptions {
  exclusive: boolean;
  unlocks: boolean;
  wait: number;
  status: number;
  script: string | null;
  rest: string[];
}

function lockOptions(args: string[]): LockOptions {
  const { options, rest } = readOptions("flock", args, "sexunw:E:oF", LONG, WRONG_USAGE);
  if (options.some(({ name }) => name === "verbose"))
    throw new CommandError("flock: --verbose isn't supported: leave it out", WRONG_USAGE);
  const value = (letter: string) => options.findLast(({ name }) => name === letter)?.value;
  const kind = options.findLast(({ name }) => "sex".includes(name))?.name;
  const [seconds, status] = [value("w") ?? "Infinity", value("E") ?? "1"];
  if (!(Number(seconds) >= 0) || seconds === "")
    throw new CommandError(`flock: invalid timeout value: '${seconds}'`, WRONG_USAGE);
  if (!/^\d+$/.test(status) || Number(status) > HIGHEST_STATUS)
    throw new CommandError(`flock: invalid exit code: '${status}'`, WRONG_USAGE);
  return {
    exclusive: kind !== "s",
    unlocks: options.some(({ name }) => name === "u"),
    wait: options.some(({ name }) => name === "n") ? 0 : Number(seconds) * 1000,
    status: Number(status),
    script: ["-c", "--command"].includes(rest[1] ?? "") ? (rest[2] ?? "") : null,
    rest,
  };
}

const FLOCK_HELP = `Usage: flock [-s|-x] [-n|-w SECONDS] [-E STATUS] FILE COMMAND...
  or:  flock [-u] [OPTION]... NUMBER
Lock FILE while COMMAND runs, or the file of a descriptor.`;

export async function flock(shell: Shell, args: string[]) {
  if (await helps(shell, args, FLOCK_HELP)) return 0;
  const options = lockOptions(args);
  const [path, ...command] = options.rest;
  if (path === undefined)
    throw wrongUse(
      "flock",
      args.length ? "requires file descriptor, file or directory" : "not enough arguments",
      WRONG_USAGE,
    );
  const byNumber = command.length === 0;
  if (byNumber && !/^\d+$/.test(path)) throw new CommandError(`flock: bad file descriptor: '${path}'`, WRONG_USAGE);
  const file = byNumber ? shell.descriptors.table.get(Number(path)) : openPath(shell, path, ">>");
  const node = file instanceof RegularFile ? file.file.node : null;
  if (!file || !node)
    throw new CommandError(
      `flock: ${path}: ${file ? "only files can be locked here" : "Bad file descriptor"}`,
      byNumber ? 65 : 1,
    );
  file.retain();
  try {
    if (options.unlocks) {
      unlock(node, file);
      return 0;
    }
    const end = performance.now() + options.wait;
    while (!tryLock(node, file, options.exclusive)) {
      if (performance.now() >= end) return options.status;
      await shell.task.sleep(RETRY_MS);
    }
    if (byNumber) return 0;
    if (options.script !== null) return await runExternally(shell, ["sh", "-c", options.script]);
    const [program = ""] = command;
    if (locate(shell, program) === null)
      throw new CommandError(`flock: failed to execute ${program}: No such file or directory`, UNAVAILABLE);
    return await runExternally(shell, command);
  } finally {
    file.release();
  }
}
