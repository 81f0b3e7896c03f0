// `read` and `mapfile` (Bash manual, 4.2).
import { runText } from "./run_text.js";
import { concat, decode, encode } from "../bytes.js";
import { CommandError } from "./control.js";
import { inCharacters, isAscii, isByteLocale } from "./locale.js";
import { TerminalInput } from "./open_files.js";
import { parseOptions } from "./builtin_options.js";
import { rejoined, shellQuote } from "./quoting.js";
import { SystemError } from "../system_errors.js";
import { NAME, parseReference } from "./variables.js";
import { separatorsOf } from "./words.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./open_files.js").OpenFile} OpenFile
 *
 * @typedef {object} Limits
 * @property {string} [delimiter] "" for a NUL byte
 * @property {number | null} [count] of characters at most
 * @property {boolean} [exact] whether the delimiter means nothing
 * @property {boolean} [raw] whether a backslash is a character like others
 * @property {number | null} [timeoutMs]
 * @property {string} [prompt]
 * @property {boolean} [hidden]
 *
 * @typedef {{ text: string, ended: boolean, late: boolean }} Line `ended`: without the delimiter
 */

const CHUNK = 4096;
const POLL_MS = 10;
const LATE = 142;
const NEWLINE = 10;
const BACKSLASH = 92;
// After so many lines `mapfile -C` calls.
const DEFAULT_QUANTUM = 5000;

/** @param {Shell} shell @param {number} number of the descriptor @param {Limits} limits @returns {Promise<Line>} */
export async function readLine(shell, number, limits) {
  const file = shell.descriptors.get(number);
  if (file instanceof TerminalInput) return askPerson(shell, limits);
  const { timeoutMs = null } = limits;
  if (timeoutMs !== null && !(await becomesReady(shell, file, timeoutMs))) return { text: "", ended: true, late: true };
  return limits.count == null ? readDelimited(shell, file, limits) : readCount(shell, file, limits);
}

/** @param {Shell} shell @param {Limits} limits @returns {Promise<Line>} */
async function askPerson({ host, task }, { prompt = "", hidden = false }) {
  if (!host.attended) return { text: "", ended: true, late: false };
  host.flush();
  const asked = host.options.ask(prompt, hidden);
  /** @type {string | null} */
  let typed = null;
  await task.pause(asked.then((text) => (typed = text ?? null)));
  return { text: typed ?? "", ended: typed === null, late: false };
}

/** @param {Shell} shell @param {OpenFile} file @param {number} timeoutMs */
async function becomesReady({ task }, file, timeoutMs) {
  const end = performance.now() + timeoutMs;
  while (!file.isReady && performance.now() < end) await task.sleep(POLL_MS);
  return file.isReady;
}

/** @param {Shell} shell @param {OpenFile} file @param {Limits} limits @returns {Promise<Line>} */
async function readDelimited({ task }, file, { delimiter = "\n", raw = true }) {
  const byte = delimiter === "" ? 0 : (encode(delimiter)[0] ?? NEWLINE);
  /** @type {Uint8Array[]} */
  const chunks = [];
  let escaped = false;
  for (;;) {
    const chunk = await file.read(CHUNK, task);
    if (chunk.length === 0) return { text: decode(concat(chunks)), ended: true, late: false };
    for (let at = 0; at < chunk.length; at++) {
      if (chunk[at] === byte && !escaped) {
        file.unread(chunk.subarray(at + 1));
        chunks.push(chunk.subarray(0, at));
        return { text: decode(concat(chunks)), ended: false, late: false };
      }
      escaped = !raw && !escaped && chunk[at] === BACKSLASH;
    }
    chunks.push(chunk);
  }
}

/** @param {Shell} shell @param {OpenFile} file @param {Limits} limits @returns {Promise<Line>} */
async function readCount({ task, variables }, file, { delimiter = "\n", count = 0, exact = false, raw = true }) {
  /** @type {Uint8Array[]} */
  const bytes = [];
  let text = "";
  while (unescaped(text, raw).length < (count ?? 0)) {
    const byte = await file.read(1, task);
    if (byte.length === 0) return { text, ended: true, late: false };
    if (!exact && decode(byte) === (delimiter || "\0")) break;
    bytes.push(byte);
    const whole = decode(concat(bytes));
    // A character may be several bytes.
    if (isByteLocale(variables)) text = inCharacters(variables, whole);
    else text = /[\udc80-\udcff]$/u.test(whole) && bytes.length < 4 * (count ?? 0) ? whole.replace(/[\udc80-\udcff]+$/u, "") : whole;
  }
  return { text: rejoined(text), ended: false, late: false };
}

/**
 * Characters with a mark at those that a backslash was before.
 * @param {string} text @param {boolean} raw @returns {{ character: string, escaped: boolean }[]}
 */
function unescaped(text, raw) {
  if (raw) return Array.from(text, (character) => ({ character, escaped: false }));
  const result = [];
  for (const [character = ""] of text.matchAll(/\\?[^]|\\$/gu)) {
    if (character === "\\\n") continue;
    const escaped = character.startsWith("\\");
    if (character !== "\\") result.push({ character: escaped ? character.slice(1) : character, escaped });
  }
  return result;
}

class Splitter {
  /** @param {string} text @param {boolean} raw @param {string} separators */
  constructor(text, raw, separators) {
    this.characters = unescaped(text, raw);
    this.separators = separators;
    this.at = 0;
    this.skipBlanks();
  }
  /** @param {number} at */
  isSeparator(at) {
    const one = this.characters[at];
    return one !== undefined && !one.escaped && this.separators.includes(one.character);
  }
  /** @param {number} at */
  isBlank(at) {
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
  /** @param {number} start @param {number} end */
  text(start, end) {
    return this.characters.slice(start, end).map(({ character }) => character).join("");
  }
  /** @returns {string} */
  next() {
    const start = this.at;
    while (this.at < this.characters.length && !this.isSeparator(this.at)) this.at++;
    const field = this.text(start, this.at);
    this.skipSeparator();
    return field;
  }
  /** Return what is left, without a separator that only ends it. */
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

/** @param {Shell} shell @param {number} number @param {Limits} limits @returns {Promise<Line>} */
async function readOrComplain(shell, number, limits) {
  try {
    return await readLine(shell, number, limits);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    await shell.complain(`read: read error: ${number}: ${error.message}`);
    return { text: "", ended: true, late: false };
  }
}

/** @param {Shell} shell @param {string} command @param {string | undefined} given @returns {number} */
function descriptorNumber(shell, command, given = "0") {
  if (!/^\d+$/.test(given)) throw new CommandError(`${command}: ${given}: invalid file descriptor specification`);
  if (!shell.descriptors.table.get(Number(given))) throw new CommandError(`${command}: ${given}: invalid file descriptor: Bad file descriptor`);
  return Number(given);
}

/** @param {Shell} shell @param {string[]} args */
export async function read(shell, args) {
  const { flags, values, operands } = parseOptions("read", args, "ersp:a:d:n:N:t:u:i:");
  const exact = values.N !== undefined;
  if (values.t !== undefined && !/^\d*\.?\d*$/.test(values.t)) throw new CommandError(`read: ${values.t}: invalid timeout specification`);
  for (const given of [values.n, values.N]) if (given !== undefined && !/^\d+$/.test(given)) throw new CommandError(`read: ${given}: invalid number`);
  const timeout = values.t === undefined ? null : Number(values.t) * 1000;
  const number = descriptorNumber(shell, "read", values.u);
  if (timeout === 0) return shell.descriptors.get(number).isReady ? 0 : 1;
  for (const name of operands) if (!parseReference(name)) throw new CommandError(`read: \`${name}': not a valid identifier`);
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

/** @param {Shell} shell @param {string} given @param {{ raw: boolean, names: string[], list: string | undefined, exact: boolean }} how */
function assign(shell, given, { raw, names, list, exact }) {
  const { variables } = shell;
  const separators = inCharacters(variables, separatorsOf(shell));
  const text = isAscii(separators) ? given : inCharacters(variables, given);
  const put = (/** @type {string} */ name, /** @type {string} */ value) =>
    variables.assignTo(parseReference(name) ?? { name, subscript: null }, value);
  if (list !== undefined) {
    const splitter = new Splitter(text, raw, separators);
    const items = [];
    while (splitter.at < splitter.characters.length) items.push({ subscript: null, text: splitter.next(), append: false });
    variables.assignList(list, items, false);
  } else if (names.length === 0) put("REPLY", unescaped(text, raw).map(({ character }) => character).join(""));
  else {
    const splitter = new Splitter(text, raw, exact ? "" : separators);
    names.forEach((name, at) => put(name, at < names.length - 1 ? splitter.next() : splitter.rest()));
  }
}

/** Read an item of `mapfile`, to which an error is the end. @param {Shell} shell @param {number} number @param {string} delimiter */
async function readItem(shell, number, delimiter) {
  try {
    return await readLine(shell, number, { delimiter });
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return { text: "", ended: true };
  }
}

/** A number of `mapfile`. @param {string} command @param {string} what @param {string | undefined} given @param {number} otherwise */
function countOf(command, what, given, otherwise) {
  if (given === undefined) return otherwise;
  if (!/^\d+$/.test(given)) throw new CommandError(`${command}: ${given}: invalid ${what}`);
  return Number(given);
}

/** `mapfile` and `readarray`. @param {string} command @returns {(shell: Shell, args: string[]) => Promise<number>} */
export function mapfile(command) {
  return (shell, args) => readItems(shell, command, args);
}

/** @param {Shell} shell @param {string} command @param {string[]} args */
async function readItems(shell, command, args) {
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
    /** @type {string | null} */
    const subscript = values.O !== undefined && items.length === 0 ? String(start) : null;
    const [stored = ""] = (flags.has("t") || ended ? text : text + delimiter).split("\0", 1);
    items.push({ subscript, text: stored, append: false });
    if (values.C !== undefined && items.length % quantum === 0) await runText(shell, `${values.C} ${start + items.length - 1} ${shellQuote(stored)}`, command);
    if (ended) break;
  }
  shell.variables.assignList(name, items, values.O !== undefined);
  return 0;
}
