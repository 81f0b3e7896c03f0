// Subshells: `( … )`, the parts of a pipeline, substitutions, jobs.
import { BrokenPipe, CommandError, Exit, FatalError, Killed, LoopExit, Return } from "./control.js";
import { runList } from "./execution.js";
import { messageOf } from "./files.js";
import { exitOfSignal } from "./parameters.js";
import { Task } from "./task.js";
import { runTrap } from "./traps.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./shell.js").Node} Node
 * @typedef {import("./open_files.js").OpenFile} OpenFile
 * @typedef {{ task: Task, shell: Shell, done: Promise<number> }} Running
 */

/**
 * Start something in a copy of a shell.
 * @param {Shell} shell
 * @param {(copy: Shell) => Promise<void>} action
 * @param {Map<number, OpenFile>} [files] by the descriptors that they get
 * @param {{ background?: boolean, prepare?: (copy: Shell) => void }} [options]
 * @returns {Running}
 */
export function startTask(shell, action, files = new Map(), { background = false, prepare = () => {} } = {}) {
  const task = new Task(shell.host, shell.task, background);
  const copy = shell.fork(task);
  for (const [number, file] of files) copy.descriptors.set(number, file);
  prepare(copy);
  return { task, shell: copy, done: runToEnd(copy, () => action(copy)) };
}

/**
 * Start statements in a copy of a shell.
 * @type {(
 *   shell: Shell,
 *   statements: Node[],
 *   files?: Map<number, OpenFile>,
 *   options?: { background?: boolean, prepare?: (copy: Shell) => void },
 * ) => Running}
 */
export const startSubshell = (shell, statements, files, options) => startTask(shell, (copy) => runList(copy, statements), files, options);

/**
 * Run what a shell is there for, its trap of EXIT, and close its files.
 * @param {Shell} shell @param {() => Promise<void>} action @returns {Promise<number>} its exit code
 */
export async function runToEnd(shell, action) {
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

/** @param {Shell} shell */
export async function runExitTrap(shell) {
  const action = shell.traps.actions.get("EXIT");
  if (!action) return;
  shell.traps.actions.delete("EXIT");
  try {
    await runTrap(shell, "EXIT", action);
  } catch (error) {
    shell.status = await statusOf(shell, error);
  }
}

/** The exit code of a shell that ends by what was thrown. @param {Shell} shell @param {unknown} error @returns {Promise<number>} */
export async function statusOf(shell, error) {
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
