// `read` and `mapfile` (Bash manual, 4.2).
import { CommandError } from "../control.ts";
import { evaluator } from "../evaluator.ts";
import { readLine, unescaped, type Character, type Limits, type Line } from "../execution/lines.ts";
import { inCharacters, isAscii } from "../language/locale.ts";
import { separatorsOf } from "../language/parameters.ts";
import { parseOptions } from "./builtin_options.ts";
import { shellQuote } from "../language/quoting.ts";
import { SystemError } from "../../system_errors.ts";
import type { Shell } from "../shell.ts";
import { NAME, parseReference } from "../language/variables.ts";

const LATE = 142;
// After so many lines `mapfile -C` calls.
const DEFAULT_QUANTUM = 5000;

const textOf = (characters: Character[]) => characters.map(({ character }) => character).join("");

class Splitter {
  characters: Character[];
  separators: string;
  at = 0;

  constructor(text: string, raw: boolean, separators: string) {
    this.characters = unescaped(text, raw);
    this.separators = separators;
    this.skipBlanks();
  }
  isSeparator(at: number) {
    const one = this.characters[at];
    return one !== undefined && !one.escaped && this.separators.includes(one.character);
  }
  isBlank(at: number) {
    return this.isSeparator(at) && /[ \t\n]/.test(this.characters[at]?.character ?? "");
  }
  skipBlanks() {
    while (this.isBlank(this.at)) this.at++;
  }
  skipSeparator() {
    this.skipBlanks();
    if (this.isSeparator(this.at)) {
      this.at++;
      this.skipBlanks();
    }
  }
  text(start: number, end: number) {
    return textOf(this.characters.slice(start, end));
  }
  next(): string {
    const start = this.at;
    while (this.at < this.characters.length && !this.isSeparator(this.at)) this.at++;
    const field = this.text(start, this.at);
    this.skipSeparator();
    return field;
  }
  /** Return the rest, without a separator that only ends it. */
  rest() {
    const start = this.at;
    let end = this.characters.length;
    while (end > start && this.isBlank(end - 1)) end--;
    this.next();
    if (this.at >= this.characters.length) {
      while (end > start && this.isSeparator(end - 1)) end--;
    }
    return this.text(start, end);
  }
}

async function readOrComplain(shell: Shell, number: number, limits: Limits): Promise<Line> {
  try {
    return await readLine(shell, number, limits);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    await shell.complain(`read: read error: ${number}: ${error.message}`);
    return { text: "", ended: true, late: false };
  }
}

function descriptorNumber(shell: Shell, command: string, given: string | undefined = "0"): number {
  if (!/^\d+$/.test(given)) throw new CommandError(`${command}: ${given}: invalid file descriptor specification`);
  if (!shell.descriptors.table.get(Number(given)))
    throw new CommandError(`${command}: ${given}: invalid file descriptor: Bad file descriptor`);
  return Number(given);
}

export async function read(shell: Shell, args: string[]) {
  const { flags, values, operands } = parseOptions("read", args, "ersp:a:d:n:N:t:u:i:");
  const exact = values.N !== undefined;
  if (values.t !== undefined && !/^\d*\.?\d*$/.test(values.t))
    throw new CommandError(`read: ${values.t}: invalid timeout specification`);
  for (const given of [values.n, values.N])
    if (given !== undefined && !/^\d+$/.test(given)) throw new CommandError(`read: ${given}: invalid number`);
  const timeout = values.t === undefined ? null : Number(values.t) * 1000;
  const number = descriptorNumber(shell, "read", values.u);
  if (timeout === 0) return shell.descriptors.get(number).isReady ? 0 : 1;
  for (const name of operands)
    if (!parseReference(name)) throw new CommandError(`read: \`${name}': not a valid identifier`);
  const count = values.N ?? values.n;
  const raw = flags.has("r");
  const line = await readOrComplain(shell, number, {
    delimiter: values.d === undefined ? "\n" : values.d.slice(0, 1),
    count: count === undefined ? null : Number(count),
    exact,
    raw,
    timeoutMs: timeout,
    prompt: values.p ?? "",
    hidden: flags.has("s"),
  });
  assign(shell, line.text.replaceAll("\0", ""), { raw, names: operands, list: values.a, exact });
  return line.late ? LATE : line.ended ? 1 : 0;
}

function assign(
  shell: Shell,
  given: string,
  { raw, names, list, exact }: { raw: boolean; names: string[]; list: string | undefined; exact: boolean },
) {
  const { variables } = shell;
  const separators = inCharacters(variables, separatorsOf(shell));
  const text = isAscii(separators) ? given : inCharacters(variables, given);
  const put = (name: string, value: string) =>
    variables.assignTo(parseReference(name) ?? { name, subscript: null }, value);
  if (list !== undefined) {
    const splitter = new Splitter(text, raw, separators);
    const items = [];
    while (splitter.at < splitter.characters.length)
      items.push({ subscript: null, text: splitter.next(), append: false });
    variables.assignList(list, items, false);
  } else if (names.length === 0) put("REPLY", textOf(unescaped(text, raw)));
  else {
    const splitter = new Splitter(text, raw, exact ? "" : separators);
    names.forEach((name, at) => put(name, at < names.length - 1 ? splitter.next() : splitter.rest()));
  }
}

/** Read an item of `mapfile`, to which an error is the end. */
async function readItem(shell: Shell, number: number, delimiter: string) {
  try {
    return await readLine(shell, number, { delimiter });
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return { text: "", ended: true };
  }
}

/** A number of `mapfile`. */
function countOf(command: string, what: string, given: string | undefined, otherwise: number) {
  if (given === undefined) return otherwise;
  if (!/^\d+$/.test(given)) throw new CommandError(`${command}: ${given}: invalid ${what}`);
  return Number(given);
}

/** @param command - `mapfile` or `readarray` */
export async function mapfile(shell: Shell, command: string, args: string[]) {
  const { flags, values, operands } = parseOptions(command, args, "td:n:O:s:u:C:c:");
  const [name = "MAPFILE"] = operands;
  if (name === "") throw new CommandError(`${command}: empty array variable name`, 2);
  if (!NAME.test(name)) throw new CommandError(`${command}: \`${name}': not a valid identifier`);
  if (shell.variables.isMap(name)) throw new CommandError(`${command}: ${name}: not an indexed array`);
  const quantum = countOf(command, "callback quantum", values.c, DEFAULT_QUANTUM);
  if (quantum === 0) throw new CommandError(`${command}: 0: invalid callback quantum`);
  const number = descriptorNumber(shell, command, values.u);
  const delimiter = values.d === undefined ? "\n" : values.d.slice(0, 1);
  const most = countOf(command, "line count", values.n, 0) || Infinity;
  let skipped = countOf(command, "line count", values.s, 0);
  const items = [];
  const start = countOf(command, "array origin", values.O, 0);
  while (items.length < most) {
    const { text, ended } = await readItem(shell, number, delimiter);
    if (ended && text === "") break;
    if (skipped-- > 0) continue;
    const subscript: string | null = values.O !== undefined && items.length === 0 ? String(start) : null;
    const [stored = ""] = (flags.has("t") || ended ? text : text + delimiter).split("\0", 1);
    items.push({ subscript, text: stored, append: false });
    if (values.C !== undefined && items.length % quantum === 0)
      await evaluator.runText(shell, `${values.C} ${start + items.length - 1} ${shellQuote(stored)}`, command);
    if (ended) break;
  }
  shell.variables.assignList(name, items, values.O !== undefined);
  return 0;
}
