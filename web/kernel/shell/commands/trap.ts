// The builtin `trap` (Bash manual, 4.1).
import { parseOptions } from "./builtin_options.ts";
import { CommandError } from "../control.ts";
import { usage } from "./help.ts";
import { shellQuote } from "../language/quoting.ts";
import type { Shell } from "../shell.ts";
import { SIGNALS, byNumber, nameOfSignal } from "../execution/signals.ts";

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
const REAL_TIME = [34, 49, 64];

/** All signals, five in a row. */
export function signalList() {
  const [first, middle, last] = REAL_TIME as [number, number, number];
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
  shell.traps.listed = null;
  return shell.forEach(events, (given) => {
    const name = nameOfSignal(given);
    if (name === null) return `trap: ${given}: invalid signal specification`;
    if (resets) shell.traps.actions.delete(name);
    else shell.traps.actions.set(name, action);
    return null;
  });
}
