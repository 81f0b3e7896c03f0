// `trap`: what a shell does when a signal arrives, a command fails, or it ends (Bash manual, 4.1).
import { CommandError, Exit, Killed, LineError } from "./control.js";
import { runList } from "./execution.js";
import { usage } from "./help.js";
import { parseOptions } from "./builtin_options.js";
import { parse } from "./syntax/reader.js";
import { shellQuote } from "./quoting.js";
import { SIGNALS, byNumber, nameOfSignal } from "./signals.js";

/** @typedef {import("./shell.js").Shell} Shell */

export class Traps {
  /** An empty action ignores the signal. @type {Map<string, string>} */
  actions = new Map();
  /** The traps that `trap` in a subshell lists until it sets its own. @type {Map<string, string> | null} */
  listed = null;
  /** The events whose traps run. @type {Set<string>} */
  running = new Set();

  /** @param {boolean} keepsErrors `set -E` @param {boolean} traces `set -T` */
  fork(keepsErrors, traces) {
    const copy = new Traps();
    copy.listed = new Map([...(this.listed ?? []), ...this.actions]);
    const stays = (/** @type {string} */ name) => (name === "ERR" && keepsErrors) || ((name === "DEBUG" || name === "RETURN") && traces);
    for (const [name, action] of this.actions) if (action === "" || stays(name)) copy.actions.set(name, action);
    copy.running = new Set(this.running);
    return copy;
  }

  /** In a function, some traps don't apply. @param {Set<string>} options @returns {Map<string, string>} what `leave` gets */
  enter(options) {
    /** @type {Map<string, string>} */
    const hidden = new Map();
    for (const [name, option] of /** @type {const} */ ([["ERR", "errtrace"], ["DEBUG", "functrace"], ["RETURN", "functrace"]])) {
      const action = this.actions.get(name);
      if (action === undefined || options.has(option)) continue;
      hidden.set(name, action);
      this.actions.delete(name);
    }
    return hidden;
  }
  /** @param {Map<string, string>} hidden */
  leave(hidden) {
    for (const [name, action] of hidden) if (!this.actions.has(name)) this.actions.set(name, action);
  }
}

/** Run an action; `$?` stays. An error that ends a line ends the action only. @param {Shell} shell @param {string} event @param {string} action */
export async function runTrap(shell, event, action) {
  const { traps, status, line, pipeStatus, conditions } = shell;
  if (traps.running.has(event)) return;
  traps.running.add(event);
  try {
    const statements = parseAction(action);
    if (typeof statements === "string") await shell.complain(`trap: ${statements}`);
    else await runList(shell, event === "ERR" || event === "DEBUG" ? statements.map((one) => withLine(one, line)) : statements);
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

/** @param {string} action */
function parseAction(action) {
  try {
    return parse(action);
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/** `$LINENO` is that of the command that set off the trap. @param {any} node @param {number} line @returns {any} */
const withLine = (node, line) => JSON.parse(JSON.stringify(node), (key, value) => (key === "line" ? line : value));

/** @param {Shell} shell @param {string} text of the command that is to run */
export async function runDebugTrap(shell, text) {
  const action = shell.traps.actions.get("DEBUG");
  if (!action || shell.traps.running.size) return;
  shell.command = () => text;
  await runTrap(shell, "DEBUG", action);
}

/** Run the traps of the signals that have arrived. @param {Shell} shell */
export async function deliverSignals(shell) {
  const { pending } = shell.task;
  while (pending.length) {
    const signal = pending.shift() ?? "";
    const action = shell.traps.actions.get(signal);
    if (action) await runTrap(shell, signal, action);
    else if (action === undefined) throw new Killed(signal);
  }
}

/** @param {Shell} shell */
async function listTraps(shell, /** @type {string[]} */ names) {
  const { traps } = shell;
  const all = new Map([...(traps.listed ?? []), ...traps.actions]);
  const order = ["EXIT", ...Object.keys(SIGNALS), "DEBUG", "ERR", "RETURN"];
  const unknown = names.find((name) => nameOfSignal(name) === null);
  if (unknown !== undefined) throw new CommandError(`trap: ${unknown}: invalid signal specification`);
  const chosen = names.length ? names.map((name) => nameOfSignal(name) ?? "") : order;
  const lines = chosen.filter((name) => all.has(name)).map((name) => `trap -- ${shellQuote(all.get(name) ?? "")} ${label(name)}\n`);
  await shell.print(lines.join(""));
  return 0;
}

/** @param {string} name */
const label = (name) => (name in SIGNALS ? `SIG${name}` : name);

// The middle of Linux's real-time signals, which nothing here sends: 34 to 64.
const REAL_TIME = [34, 49, 64];

/** All signals, five in a row. */
export function signalList() {
  const [first, middle, last] = /** @type {[number, number, number]} */ (REAL_TIME);
  const realTime = Array.from({ length: last - first + 1 }, (_, at) => {
    const number = first + at;
    const [name, distance] = number <= middle ? ["RTMIN+", number - first] : ["RTMAX-", last - number];
    return /** @type {[number, string]} */ ([number, distance ? `${name}${distance}` : name.slice(0, -1)]);
  });
  const all = [...byNumber, ...realTime];
  return `${all.map(([number, name], at) => `${String(number).padStart(2)}) SIG${name}${at % 5 === 4 ? "\n" : "\t"}`).join("")}\n`;
}

/** @param {Shell} shell @param {string[]} args */
export async function trap(shell, args) {
  const { flags, operands: words } = args[0] === "-" ? { flags: new Set(), operands: args } : parseOptions("trap", args, "lp");
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

