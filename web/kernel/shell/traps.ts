// `trap`: what a shell does when a signal arrives, a command fails, or it ends (Bash manual, 4.1).
import { messageOf } from "../system_errors.ts";
import { CommandError, Exit, Killed, LineError } from "./control.ts";
import { runList } from "./execution.ts";
import { usage } from "./help.ts";
import { parseOptions } from "./builtin_options.ts";
import { parse } from "./syntax/reader.ts";
import { shellQuote } from "./quoting.ts";
import type { Node, Shell } from "./shell.ts";
import { SIGNALS, byNumber, nameOfSignal } from "./signals.ts";

export class Traps {
  /** An empty action ignores the signal. */
  actions = new Map<string, string>();
  /** The traps that `trap` in a subshell lists until it sets its own. */
  listed: Map<string, string> | null = null;
  /** The events whose traps run. */
  running = new Set<string>();

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
      await runList(
        shell,
        event === "ERR" || event === "DEBUG" ? statements.map((one) => withLine(one, line)) : statements,
      );
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    await shell.complain(error.message);
    if (shell.options.has("errexit")) throw new Exit(error.status);
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

/** `$LINENO` is that of the command that set off the trap. */
const withLine = (node: Node, line: number): Node =>
  JSON.parse(JSON.stringify(node), (key, value) => (key === "line" ? line : value));

/** @param text - of the command that is to run */
export async function runDebugTrap(shell: Shell, text: string) {
  const action = shell.traps.actions.get("DEBUG");
  if (!action || shell.traps.running.size) return;
  shell.command = () => text;
  await runTrap(shell, "DEBUG", action);
}

/** Run the traps of the signals that have arrived. */
export async function deliverSignals(shell: Shell) {
  const { pending } = shell.task;
  while (pending.length) {
    const signal = pending.shift() ?? "";
    const action = shell.traps.actions.get(signal);
    if (action) await runTrap(shell, signal, action);
    else if (action === undefined) throw new Killed(signal);
  }
}

async function listTraps(shell: Shell, names: string[]) {
  const { traps } = shell;
  const all = new Map([...(traps.listed ?? []), ...traps.actions]);
  const order = ["EXIT", ...Object.keys(SIGNALS), "DEBUG", "ERR", "RETURN"];
  const unknown = names.find((name) => nameOfSignal(name) === null);
  if (unknown !== undefined) throw new CommandError(`trap: ${unknown}: invalid signal specification`);
  const chosen = names.length ? names.map((name) => nameOfSignal(name) ?? "") : order;
  const lines = chosen
    .filter((name) => all.has(name))
    .map((name) => `trap -- ${shellQuote(all.get(name) ?? "")} ${label(name)}\n`);
  await shell.print(lines.join(""));
  return 0;
}

const label = (name: string) => (name in SIGNALS ? `SIG${name}` : name);

// The middle of Linux's real-time signals, which nothing here sends: 34 to 64.
const REAL_TIME: [number, number, number] = [34, 49, 64];

/** All signals, five in a row. */
export function signalList() {
  const [first, middle, last] = REAL_TIME;
  const realTime = Array.from({ length: last - first + 1 }, (_, at) => {
    const number = first + at;
    const [name, distance] = number <= middle ? ["RTMIN+", number - first] : ["RTMAX-", last - number];
    return [number, distance ? `${name}${distance}` : name.slice(0, -1)];
  });
  const all = [...byNumber, ...realTime];
  return `${all.map(([number, name], at) => `${String(number).padStart(2)}) SIG${name}${at % 5 === 4 ? "\n" : "\t"}`).join("")}\n`;
}

export async function trap(shell: Shell, args: string[]) {
  const { flags, operands: words } =
    args[0] === "-" ? { flags: new Set(), operands: args } : parseOptions("trap", args, "lp");
  if (flags.has("l")) {
    await shell.print(signalList());
    return 0;
  }
  if (flags.has("p")) return listTraps(shell, words);
  if (words.length === 0) return listTraps(shell, []);
  const [action = "", ...names] = words;
  const resets = action === "-" || (names.length === 0 && nameOfSignal(action) !== null) || /^\d+$/.test(action);
  const events = resets && action !== "-" ? words : names;
  if (events.length === 0) return usage(shell, "trap");
  let status = 0;
  shell.traps.listed = null;
  for (const given of events) {
    const name = nameOfSignal(given);
    if (name === null) {
      await shell.complain(`trap: ${given}: invalid signal specification`);
      status = 1;
    } else if (resets) shell.traps.actions.delete(name);
    else shell.traps.actions.set(name, action);
  }
  return status;
}
