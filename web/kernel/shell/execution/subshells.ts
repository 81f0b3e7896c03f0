// Subshells: `( … )`, the parts of a pipeline, substitutions, jobs.
import { BrokenPipe, CommandError, Exit, FatalError, Killed, LoopExit, Return } from "../control.ts";
import { evaluator } from "../evaluator.ts";
import { messageOf } from "./files.ts";
import type { OpenFile } from "./open_files.ts";
import { exitOfSignal } from "./signals.ts";
import type { Shell, Node } from "../shell.ts";
import { Task } from "./task.ts";
import { runTrap } from "./traps.ts";

export type Running = { task: Task; shell: Shell; done: Promise<number> };
interface Start {
  background?: boolean;
  /** whether a program has started it, so that the shell hears nothing of its end */
  isProgram?: boolean;
  prepare?: (copy: Shell) => void;
}

/**
 * Start something in a copy of a shell.
 * @param files - by the descriptors that they get
 */
export function startTask(
  shell: Shell,
  action: (copy: Shell) => Promise<void>,
  files: Map<number, OpenFile> = new Map(),
  { background = false, isProgram = false, prepare = () => {} }: Start = {},
): Running {
  const task = new Task(shell.host, shell.task, background);
  const copy = shell.fork(task);
  for (const [number, file] of files) copy.descriptors.set(number, file);
  prepare(copy);
  const done = runToEnd(copy, () => action(copy));
  return { task, shell: copy, done: isProgram ? done : done.finally(() => shell.traps.noteEnd()) };
}

/** Start statements in a copy of a shell. */
export const startSubshell = (shell: Shell, statements: Node[], files?: Map<number, OpenFile>, options?: Start) =>
  startTask(shell, (copy) => evaluator.runList(copy, statements), files, options);

/**
 * Run what a shell is there for, its trap of EXIT, and close its files.
 * @returns its exit code
 */
export async function runToEnd(shell: Shell, action: () => Promise<void>): Promise<number> {
  try {
    await action();
    // Its last command has ended it, such as `kill -9 $$`.
    if (shell.task.killed !== null) throw new Killed(shell.task.killed);
  } catch (error) {
    shell.status = await statusOf(shell, error);
  }
  if (shell.task.killed !== "KILL") await runExitTrap(shell);
  // Such as by `kill 0` in the trap.
  if (shell.task.killed !== null) shell.status = exitOfSignal(shell.task.killed);
  for (const finish of shell.substitutions.splice(0)) {
    try {
      await finish();
    } catch (error) {
      shell.status = await statusOf(shell, error);
    }
  }
  shell.descriptors.closeAll();
  shell.task.end();
  return shell.status;
}

export async function runExitTrap(shell: Shell) {
  const action = shell.traps.actions.get("EXIT");
  if (!action) return;
  shell.traps.actions.delete("EXIT");
  try {
    await runTrap(shell, "EXIT", action);
  } catch (error) {
    shell.status = await statusOf(shell, error);
  }
}

/** The exit code of a shell that ends by what was thrown. */
export async function statusOf(shell: Shell, error: unknown): Promise<number> {
  if (error instanceof Exit || error instanceof Return) return error.status;
  if (error instanceof Killed) return exitOfSignal(error.signal);
  if (error instanceof BrokenPipe) return exitOfSignal("PIPE");
  if (error instanceof LoopExit) return 0;
  if (error instanceof CommandError) {
    await shell.complain(error.message);
    return error instanceof FatalError && (shell.depth > 0 || shell.source !== null) ? 1 : error.status;
  }
  await shell.complain(messageOf(error));
  return 1;
}
