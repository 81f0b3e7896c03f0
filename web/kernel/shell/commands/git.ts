// The command `git`, which is loaded on first use (web/kernel/git/).
import { concat, decode, encode, latin1 } from "../../bytes.ts";
import type { CommandResult } from "../execution/host.ts";
import { askPerson } from "../execution/lines.ts";
import { TerminalInput, type OpenFile } from "../execution/open_files.ts";
import { runForCommand, runPython } from "./python_programs.ts";
import type { Shell } from "../shell.ts";
import { zoneOf } from "./zone.ts";

const MODULE = "git_command.mjs";
const NEWLINE = 10;
// As in the panel Source Control.
const FIRST_BRANCH = "main";

const PAGED = new Set(["blame", "branch", "diff", "grep", "log", "reflog", "shortlog", "show", "tag"]);
// What fits on the screen is printed, and colors are shown.
interface GitModule {
  runGit(args: string[], context: object): Promise<{ stdout: string; stderr: string; exitCode: number }>;
}

const PAGER = "less";
const PAGER_OPTIONS = ["-F", "-R"];

export async function runGit(shell: Shell, args: string[], stdin: Uint8Array): Promise<CommandResult> {
  const { files, host, variables } = shell;
  const { runGit: run } = await host.options.importModule<GitModule>(MODULE);
  files.umask = shell.umask;
  const env = new Map(Object.entries(variables.exported()));
  const exec = async (script: string, cwd: string) => {
    // A repository's programs ask in their own name, not in the name of git's caller.
    const origin = host.options.originUnderGit(shell.task.origin, cwd);
    const done = await runForCommand(shell, script, cwd, variables.exported(), origin);
    return { stdout: decode(done.stdout), stderr: decode(done.stderr), exitCode: done.exitCode };
  };
  let known: ReturnType<typeof zoneOf> | null = null;
  const zone = () => (known ??= zoneOf(shell));
  const seen = { isTerminal: isWatched(shell), firstBranch: FIRST_BRANCH };
  const context = { fs: files, cwd: shell.cwd, env, zone, stdin: latin1(stdin), exec, ...seen, ...dialog(shell) };
  const done = await run(args, context);
  const [stdout, stderr] = [encode(done.stdout), encode(done.stderr)];
  if (!isPaged(shell, args, env)) return { stdout, stderr, exitCode: done.exitCode };
  const { stdout: printed } = await runPython(shell, PAGER, PAGER_OPTIONS, stdout, null);
  return { stdout: printed, stderr, exitCode: done.exitCode };
}

/** Return the functions by which a command prints, asks and reads. */
function dialog(shell: Shell) {
  const print = (text: string) => shell.write(1, text);
  const ask = async (shown: string, prompt: string) => {
    const file = shell.descriptors.table.get(0);
    const asks = file instanceof TerminalInput && shell.host.attended && shell.task.job === null;
    // A terminal shows the prompt itself.
    await print(asks ? shown : shown + prompt);
    return asks ? askPerson(shell, prompt) : readLine(shell, file ?? null);
  };
  return { print, complain: (text: string) => shell.write(2, text), ask };
}

/** A line, and nothing after it. */
async function readLine({ task }: Shell, file: OpenFile | null): Promise<string | null> {
  const bytes: Uint8Array[] = [];
  for (;;) {
    const byte = (await file?.read(1, task)) ?? new Uint8Array();
    if (byte.length === 0) return bytes.length ? decode(concat(bytes)) : null;
    if (byte[0] === NEWLINE) return decode(concat(bytes));
    bytes.push(byte.slice());
  }
}

/** Return whether a user sees a call's output on the terminal. */
const isWatched = ({ host, task, descriptors }: Shell) =>
  host.watched && task.job === null && descriptors.table.get(1)?.isTerminal === true;

/** Return whether a user reads a call's output in the pager. */
function isPaged(shell: Shell, args: string[], env: Map<string, string>) {
  if (!isWatched(shell)) return false;
  const chosen = env.get("GIT_PAGER") ?? env.get("PAGER");
  const command = args.find((word, at) => !word.startsWith("-") && !/^-[cC]$/.test(args[at - 1] ?? ""));
  return chosen !== "" && chosen !== "cat" && !args.includes("--no-pager") && PAGED.has(command ?? "");
}
