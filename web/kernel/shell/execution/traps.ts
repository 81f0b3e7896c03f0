// Traps: what a shell does when a signal arrives, a command fails, or it ends (Bash manual, 4.1).
import { messageOf } from "../../system_errors.ts";
import { Exit, ExpansionError, FatalError, Killed, LineError } from "../control.ts";
import { evaluator } from "../evaluator.ts";
import { parse } from "../language/syntax/reader.ts";
import type { Node, Shell } from "../shell.ts";

export class Traps {
  /** An empty action ignores the signal. */
  actions = new Map<string, string>();
  /** The traps that `trap` in a subshell lists until it sets its own. */
  listed: Map<string, string> | null = null;
  /** The events whose traps run. */
  running = new Set<string>();
  /** The number of the shell's processes that have ended since the trap of CHLD ran. */
  ended = 0;

  /** A process that the shell has started has ended. Those of the trap of CHLD don't set it off. */
  noteEnd() {
    if (this.actions.get("CHLD") && !this.running.has("CHLD")) this.ended++;
  }

  /**
   * @param keepsErrors - `set -E`
   * @param traces - `set -T`
   */
  fork(keepsErrors: boolean, traces: boolean) {
    const copy = new Traps();
    copy.listed = new Map([...(this.listed ?? []), ...this.actions]);
    const stays = (name: string) =>
      (name === "ERR" && keepsErrors) || ((name === "DEBUG" || name === "RETURN") && traces);
    for (const [name, action] of this.actions) if (action === "" || stays(name)) copy.actions.set(name, action);
    copy.running = new Set(this.running);
    return copy;
  }

  /**
   * In a function, some traps don't apply.
   * @returns what `leave` gets
   */
  enter(options: Set<string>): Map<string, string> {
    const hidden = new Map<string, string>();
    for (const [name, option] of [
      ["ERR", "errtrace"],
      ["DEBUG", "functrace"],
      ["RETURN", "functrace"],
    ] as const) {
      const action = this.actions.get(name);
      if (action === undefined || options.has(option)) continue;
      hidden.set(name, action);
      this.actions.delete(name);
    }
    return hidden;
  }
  leave(hidden: Map<string, string>) {
    for (const [name, action] of hidden) if (!this.actions.has(name)) this.actions.set(name, action);
  }
}

/** Run an action; `$?` stays. An error that ends a line ends the action only. */
export async function runTrap(shell: Shell, event: string, action: string) {
  const { traps, status, line, pipeStatus, conditions } = shell;
  if (traps.running.has(event)) return;
  traps.running.add(event);
  try {
    const statements = parseAction(action);
    if (typeof statements === "string") await shell.complain(`trap: ${statements}`);
    else
      await evaluator.runList(
        shell,
        event === "ERR" || event === "DEBUG" ? statements.map((one) => withLine(one, line)) : statements,
      );
  } catch (error) {
    // The trap of EXIT ends with it, and the shell's exit code stays.
    const isOver = event === "EXIT" && error instanceof FatalError;
    if (!(error instanceof LineError || isOver)) throw error;
    await shell.complain(error.message);
    if (shell.options.has("errexit") && !(error instanceof ExpansionError)) throw new Exit(isOver ? 1 : error.status);
  } finally {
    traps.running.delete(event);
    Object.assign(shell, { line, pipeStatus, conditions });
  }
  shell.status = status;
}

function parseAction(action: string) {
  try {
    return parse(action);
  } catch (error) {
    return messageOf(error);
  }
}

/** `$LINENO` is the line of the command that set off the trap. */
const withLine = (node: Node, line: number): Node =>
  JSON.parse(JSON.stringify(node), (key, value) => (key === "line" ? line : value));

/** @param text - of the command that is to run */
export async function runDebugTrap(shell: Shell, text: string) {
  const action = shell.traps.actions.get("DEBUG");
  if (!action || shell.traps.running.size) return;
  shell.command = () => text;
  await runTrap(shell, "DEBUG", action);
}

/** Return whether traps are to run. */
export const areSignalsThere = ({ task, traps }: Shell) => task.pending.length > 0 || traps.ended > 0;

/** Run the traps of the signals that have arrived, and that of CHLD for each process that has ended. */
export async function deliverSignals(shell: Shell) {
  const { ended } = shell.traps;
  shell.traps.ended = 0;
  for (let count = 0; count < ended; count++) await runTrap(shell, "CHLD", shell.traps.actions.get("CHLD") ?? "");
  const { pending } = shell.task;
  shell.task.programEnding = null;
  while (pending.length) {
    const signal = pending.shift() ?? "";
    const action = shell.traps.actions.get(signal);
    if (action) await runTrap(shell, signal, action);
    else if (action === undefined) throw new Killed(signal);
  }
}
