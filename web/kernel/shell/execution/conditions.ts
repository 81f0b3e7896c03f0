// `[[ … ]]`, `test` and `[` (Bash manual, 3.2.5.2, 4.1 and 6.4).
import { isText } from "../../bytes.ts";
import { ArithmeticError, CommandError } from "../control.ts";
import { isLinkToOpenFile, openFileAt, pathOf } from "./descriptor_paths.ts";
import { noteRunning } from "./process_files.ts";
import { inCharacters, isByteLocale, matchesPattern } from "../language/locale.ts";
import { DEVICES } from "./open_files.ts";
import { rejoined } from "../language/quoting.ts";
import type { Shell, Node } from "../shell.ts";
import { traceText } from "../language/tracing.ts";
import { CLASSES as CLASSES_OF_PATTERNS } from "../language/patterns.ts";
import { longestMatch } from "../language/longest.ts";
import { withPosixRepetition } from "../language/repetition.ts";
import { parseReference } from "../language/variables.ts";
import { calculateText, expandPattern, expandRegex, expandText } from "../language/words.ts";
import { tableOf } from "../../tables.ts";

/** `set -x` of one test. */
async function trace(shell: Shell, words: string[], negated: boolean) {
  if (shell.options.has("xtrace"))
    await traceText(shell, `[[ ${negated ? "! " : ""}${words.map((word) => word || "''").join(" ")} ]]`);
}

/** @param negated - by the "!" before it */
export async function evaluateCondition(shell: Shell, node: Node, negated = false): Promise<boolean> {
  switch (node.type) {
    case "CondAnd":
      return (await evaluateCondition(shell, node.left)) && evaluateCondition(shell, node.right);
    case "CondOr":
      return (await evaluateCondition(shell, node.left)) || evaluateCondition(shell, node.right);
    case "CondNot":
      return !(await evaluateCondition(shell, node.operand, true));
    case "CondGroup":
      return evaluateCondition(shell, node.expression);
    case "CondWord": {
      const text = await expandText(shell, node.word);
      await trace(shell, ["-n", text], negated);
      return text !== "";
    }
    case "CondUnary": {
      const text = await expandText(shell, node.operand);
      await trace(shell, [node.operator, text], negated);
      return testUnary(shell, node.operator, text);
    }
    default:
      return compare(shell, node, negated);
  }
}

async function compare(shell: Shell, { operator, left, right }: Node, negated: boolean) {
  const text = await expandText(shell, left);
  const note = (other: string) => trace(shell, [text, operator, other], negated);
  if (operator === "=~") {
    const source = await expandRegex(shell, right);
    await note(source);
    return matchesRegex(shell, text, source);
  }
  if (operator === "=" || operator === "==" || operator === "!=") {
    const pattern = await expandPattern(shell, right);
    await note(pattern);
    return matchesPattern(shell, text, pattern) === (operator !== "!=");
  }
  const other = await expandText(shell, right);
  await note(other);
  const number = NUMERIC[operator];
  if (number) return compareNumbers(shell, number, text, other);
  return testBinary(shell, text, operator, other);
}

/** An expression with an error isn't equal to anything, and not less or more. */
async function compareNumbers(
  shell: Shell,
  compareTwo: (one: bigint, other: bigint) => boolean,
  text: string,
  other: string,
) {
  try {
    return compareTwo(await calculateText(shell, text), await calculateText(shell, other));
  } catch (error) {
    if (!(error instanceof ArithmeticError)) throw error;
    await shell.complain(`[[: ${error.message}`);
    return false;
  }
}

/** Those of patterns, with letters of ASCII only. */
const CLASSES: Record<string, string> = tableOf({
  ...CLASSES_OF_PATTERNS,
  ...{ alpha: "a-zA-Z", alnum: "a-zA-Z0-9", upper: "A-Z", lower: "a-z", print: " -~", graph: "!-~" },
});

// An invalid byte matches only itself.
const BYTES = "\\udc80-\\udcff";

/**
 * `=~`, which sets BASH_REMATCH.
 * @param pattern - a regular expression of POSIX
 */
function matchesRegex(shell: Shell, given: string, pattern: string) {
  const [text, source] = [inCharacters(shell.variables, given), inCharacters(shell.variables, pattern)];
  let inBracket = false;
  const hasBytes = !isText(text) && !isByteLocale(shell.variables);
  const translated = source.replace(
    /\[:(\w+):\]|\\([^])|(\[\^?\]?)|(\])|\./gu,
    (whole, name, escaped, opens, closes) => {
      if (name) return CLASSES[name] ?? "";
      if (escaped && inBracket) {
        // There a backslash stands for itself.
        if (escaped === "]") inBracket = false;
        return `\\\\${escaped}`;
      }
      if (escaped) return /[<>]/.test(escaped) ? "\\b" : /[1-9wWsSbB^$\\.*+?()[\]{}|/]/.test(escaped) ? whole : escaped;
      if (opens && !inBracket) {
        inBracket = true;
        const start = opens.replace(/\]$/, "\\]");
        return hasBytes ? start.replace("^", `^${BYTES}`) : start;
      }
      if (whole === ".") return hasBytes && !inBracket ? `[^${BYTES}]` : whole;
      if (opens) return opens.replaceAll("[", "\\[");
      inBracket = closes ? false : inBracket;
      return whole;
    },
  );
  const match = longestMatch(compiled(translated, source, shell.shopts.has("nocasematch") ? "is" : "s"), text);
  shell.variables.table.set("BASH_REMATCH", {
    kind: "list",
    value: match ? Array.from(match, (group) => rejoined(group ?? "")) : [],
  });
  return match !== null;
}

function compiled(given: string, source: string, flags: string): RegExp {
  const translated = withPosixRepetition(given);
  if (translated === null) throw new CommandError(`[[: invalid regular expression \`${source}'`, 2);
  // Unicode's syntax is stricter, but each character is one.
  for (const mode of ["u", ""]) {
    try {
      return new RegExp(translated, flags + mode);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  throw new CommandError(`[[: invalid regular expression \`${source}'`, 2);
}

const NUMERIC: Record<string, (left: bigint, right: bigint) => boolean> = {
  "-eq": (left, right) => left === right,
  "-ne": (left, right) => left !== right,
  "-lt": (left, right) => left < right,
  "-le": (left, right) => left <= right,
  "-gt": (left, right) => left > right,
  "-ge": (left, right) => left >= right,
};

function testBinary(shell: Shell, left: string, operator: string, right: string) {
  if (operator === "<") return left < right;
  if (operator === ">") return left > right;
  const [one, other] = [statOf(shell, left), statOf(shell, right)];
  if (operator === "-ef") return one !== null && other !== null && one.ino === other.ino && one.dev === other.dev;
  const [time, otherTime] = [Number(one?.mtime ?? -Infinity), Number(other?.mtime ?? -Infinity)];
  return operator === "-nt" ? time > otherTime : time < otherTime;
}

/** @param follows - links */
function statOf(shell: Shell, path: string, follows = true) {
  if (path === "") return null;
  noteRunning(shell.task);
  const { files, cwd } = shell;
  const file = openFileAt(shell, path);
  const again = file && pathOf(shell, file);
  if (file && !again) return { mode: file.mode, size: 0, mtime: 0, ino: file, dev: 0 };
  if (DEVICES[path]) return { mode: 0o020666, size: 0, mtime: 0, ino: path, dev: 0 };
  try {
    const place = again ?? files.place(files.resolvePath(cwd, path));
    const stat = follows ? files.FS.stat(place) : files.FS.lstat(place);
    return path.endsWith("/") && !files.FS.isDir(stat.mode) ? null : stat;
  } catch {
    return null;
  }
}

const TYPE_MASK = 0o170000;
const TYPES: Record<string, number> = {
  "-f": 0o100000,
  "-d": 0o040000,
  "-b": 0o060000,
  "-c": 0o020000,
  "-p": 0o010000,
  "-S": 0o140000,
};
const BITS: Record<string, number> = {
  "-r": 0o400,
  "-w": 0o200,
  "-x": 0o111,
  "-u": 0o4000,
  "-g": 0o2000,
  "-k": 0o1000,
};

/** The tests whose operand is no file. */
const OF_TEXT: Record<string, (shell: Shell, operand: string) => boolean> = {
  "-z": (_, operand) => operand === "",
  "-n": (_, operand) => operand !== "",
  "-v": isSet,
  "-R": ({ variables }, operand) => Boolean(variables.table.get(operand)?.nameref),
  "-o": ({ options }, operand) => options.has(operand),
  "-t": ({ descriptors }, operand) => descriptors.table.get(Number(operand))?.isTerminal ?? false,
};

function testUnary(shell: Shell, operator: string, operand: string): boolean {
  const ofText = OF_TEXT[operator];
  if (ofText) return ofText(shell, operand);
  const ofLinks = operator === "-h" || operator === "-L";
  if (ofLinks && isLinkToOpenFile(shell, operand)) return true;
  const stat = statOf(shell, operand, !ofLinks);
  if (!stat) return false;
  if (ofLinks) return (stat.mode & TYPE_MASK) === 0o120000;
  if (operator === "-s") return stat.size > 0;
  const type = TYPES[operator];
  if (type !== undefined) return (stat.mode & TYPE_MASK) === type;
  const bits = BITS[operator];
  // All files are the user's own.
  return bits === undefined ? true : (stat.mode & bits) !== 0;
}

function isSet(shell: Shell, text: string) {
  if (/^\d+$/.test(text)) return Number(text) <= shell.positional.length;
  const reference = parseReference(text);
  if (!reference) return false;
  const { name, subscript } = reference;
  if (subscript === null) return shell.variables.text(name) !== undefined;
  if (subscript === "@" || subscript === "*") return shell.variables.elements(name).length > 0;
  return shell.variables.element(name, subscript) !== undefined;
}

const UNARY = /^-[abcdefghknoprstuvwxzGLNORS]$/;
const BINARY = new Set(["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"]);

class Test {
  shell: Shell;
  words: string[];
  at = 0;

  constructor(shell: Shell, words: string[]) {
    this.shell = shell;
    this.words = words;
  }

  compare(left: string, operator: string, right: string) {
    if (operator === "=" || operator === "==") return left === right;
    if (operator === "!=") return left !== right;
    const number = NUMERIC[operator];
    if (!number) return testBinary(this.shell, left, operator, right);
    for (const text of [left, right]) {
      if (!/^\s*[-+]?\d+\s*$/.test(text)) throw new CommandError(`[: ${text}: integer expression expected`, 2);
    }
    return number(BigInt(left.trim().replace(/^\+/, "")), BigInt(right.trim().replace(/^\+/, "")));
  }

  /** By the number of words, as POSIX has it. */
  evaluate(words: string[]): boolean {
    const [first = "", second = "", third = ""] = words;
    if (words.length === 0) return false;
    if (words.length === 1) return first !== "";
    if (words.length === 2) {
      if (first === "!") return second === "";
      if (UNARY.test(first)) return testUnary(this.shell, first === "-a" ? "-e" : first, second);
      throw new CommandError(`[: ${first}: unary operator expected`, 2);
    }
    if (words.length === 3) {
      if (BINARY.has(second)) return this.compare(first, second, third);
      if (second === "-a") return first !== "" && third !== "";
      if (second === "-o") return first !== "" || third !== "";
      if (first === "!") return !this.evaluate(words.slice(1));
      if (first === "(" && third === ")") return second !== "";
      throw new CommandError(`[: ${second}: binary operator expected`, 2);
    }
    if (words.length === 4 && first === "!") return !this.evaluate(words.slice(1));
    this.at = 0;
    const result = this.or();
    if (this.at < this.words.length) throw new CommandError("[: too many arguments", 2);
    return result;
  }

  or(): boolean {
    let result = this.and();
    while (this.words[this.at] === "-o") {
      this.at++;
      result = this.and() || result;
    }
    return result;
  }
  and(): boolean {
    let result = this.primary();
    while (this.words[this.at] === "-a") {
      this.at++;
      result = this.primary() && result;
    }
    return result;
  }
  primary(): boolean {
    const [word = "", next = "", after = ""] = this.words.slice(this.at);
    if (this.at >= this.words.length) throw new CommandError("[: argument expected", 2);
    if (word === "!") return (this.at++, !this.primary());
    if (word === "(") {
      this.at++;
      const result = this.or();
      this.at++;
      return result;
    }
    if (BINARY.has(next)) return ((this.at += 3), this.compare(word, next, after));
    if (UNARY.test(word) && this.at + 1 < this.words.length) return ((this.at += 2), testUnary(this.shell, word, next));
    this.at++;
    return word !== "";
  }
}

/** @param command - its name, for messages */
function testWords(shell: Shell, words: string[], command: string): number {
  try {
    return new Test(shell, words).evaluate(words) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(error.message.replace(/^\[/, command), error.status);
  }
}

export const test = (shell: Shell, words: string[]): number => testWords(shell, words, "test");

/** `[`. */
export function bracket(shell: Shell, words: string[]): number {
  if (words.at(-1) !== "]") throw new CommandError("[: missing `]'", 2);
  return testWords(shell, words.slice(0, -1), "[");
}
