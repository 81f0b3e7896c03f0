// What begins with `$` or a backquote (Bash manual, 3.5.3 to 3.5.5).
import type { Node } from "../../shell.ts";
import { Input } from "./input.ts";
import { bareCharacters, endOfCalculation, findEnd } from "./scanning.ts";
import { readParts } from "./words.ts";

const NAME = /[A-Za-z_]\w*/y;
const SPECIAL = /[@*#?$!-]|\d/y;
const INNER = /[A-Za-z_]\w*|\d+|[@*#?$!-]/y;

/** set by the parser of commands, which needs this module itself */
const commands: { list: (input: Input, closing: string) => Node[] } = { list: () => [] };
export const useCommandReader = (list: typeof commands.list) => void (commands.list = list);

/** @returns the matching text, "" if it doesn't match */
const match = (pattern: RegExp, input: Input): string => input.match(pattern)?.[0] ?? "";

/**
 * @param input - which stands at a `$`
 * @returns null for a dollar that stands for itself
 */
export function readExpansion(input: Input, quoted: boolean): Node | null {
  const next = input.peek(1);
  if (next === "(") return input.peek(2) === "(" ? (readCalculation(input) ?? readCommand(input)) : readCommand(input);
  if (next === "{") return readBraced(input, quoted);
  if (next === "[") return readOldCalculation(input);
  input.at++;
  const name = match(NAME, input) || match(SPECIAL, input);
  if (!name) input.at--;
  else input.at += name.length;
  return name ? { type: "ParameterExpansion", parameter: name, operation: null } : null;
}

function readCommand(input: Input): Node {
  input.at += 2;
  const statements = commands.list(input, ")");
  if (!input.take(")")) throw input.ended ? input.unclosed(")") : input.unexpected();
  return { type: "CommandSubstitution", body: { type: "Script", statements }, legacy: false };
}

export function readBackquoted(input: Input, quoted: boolean): Node {
  const start = input.at;
  let text = "";
  for (let at = start + 1; at < input.text.length; at++) {
    const character = input.text.charAt(at);
    if (character === "`") {
      const inner = new Input(text, input.dialect, input.line(start));
      input.at = at + 1;
      const statements = commands.list(inner, "");
      if (!inner.ended) throw inner.unexpected();
      return { type: "CommandSubstitution", body: { type: "Script", statements }, legacy: true };
    }
    const next = input.text.charAt(at + 1);
    const escapes = character === "\\" && (next === "\\" || next === "$" || next === "`" || (quoted && next === '"'));
    text += escapes ? next : character === "\\" ? character + next : character;
    if (character === "\\") at++;
  }
  throw input.unclosed("`", start);
}

export const calculation = (text: string): Node => ({ type: "ArithmeticExpression", originalText: text });

/** @returns null if it is a command that begins with a subshell */
function readCalculation(input: Input): Node | null {
  const end = endOfCalculation(input, input.at + 3);
  if (end < 0) return null;
  const text = input.text.slice(input.at + 3, end);
  input.at = end + 2;
  return { type: "ArithmeticExpansion", expression: calculation(text) };
}

/** `$[…]`, an old form of `$((…))`. */
function readOldCalculation(input: Input): Node | null {
  const end = findEnd(input, input.at + 2, "]");
  if (end < 0) return null;
  const text = input.text.slice(input.at + 2, end - 1);
  input.at = end;
  return { type: "ArithmeticExpansion", expression: calculation(text) };
}

function readBraced(input: Input, quoted: boolean): Node {
  const start = input.at;
  input.at += 2;
  const found = readOperation(input, quoted);
  if (found && input.take("}")) return { type: "ParameterExpansion", ...found };
  const end = findEnd(input, start + 2, "}");
  if (end < 0) throw input.unclosed("}", start);
  input.at = end;
  const text = input.text.slice(start + 2, end - 1);
  return { type: "ParameterExpansion", parameter: text, operation: { type: "BadSubstitution", text } };
}

function readOperation(input: Input, quoted: boolean): { parameter: string; operation: Node | null } | null {
  if (input.peek() === "#") {
    const length = readLength(input);
    if (length) return length;
  } else if (input.peek() === "!") {
    const indirect = readIndirect(input, quoted);
    if (indirect) return indirect;
  }
  const parameter = readParameter(input);
  return parameter === "" ? null : { parameter, operation: readOperator(input, quoted) };
}

/**
 * A parameter with its subscript, as it is written.
 * @returns "" if there is none
 */
function readParameter(input: Input): string {
  const name = match(INNER, input);
  input.at += name.length;
  if (input.peek() !== "[" || !/^[A-Za-z_]/.test(name)) return name;
  const end = findEnd(input, input.at + 1, "]");
  if (end < 0) return "";
  const subscript = input.text.slice(input.at, end);
  input.at = end;
  return name + subscript;
}

/** `${#name}`. */
function readLength(input: Input) {
  const start = input.at;
  input.at++;
  const parameter = readParameter(input);
  if (parameter && input.peek() === "}") return { parameter, operation: { type: "Length" } };
  const slices = /^(?:[A-Za-z_]|[@*])/.test(parameter) && input.peek() === ":";
  input.at = start;
  if (!slices) return null;
  const end = findEnd(input, start, "}");
  const text = input.text.slice(start, end - 1);
  input.at = end - 1;
  return { parameter: text, operation: { type: "LengthSliceError" } };
}

/** `${!name}`, `${!prefix*}`, `${!list[@]}`. */
function readIndirect(input: Input, quoted: boolean) {
  const start = input.at;
  input.at++;
  const name = match(NAME, input);
  const after = input.text.charAt(input.at + name.length);
  if (name && (after === "@" || after === "*") && input.text.charAt(input.at + name.length + 1) === "}") {
    input.at += name.length + 1;
    return { parameter: "", operation: { type: "VarNamePrefix", prefix: name, star: after === "*" } };
  }
  const parameter = readParameter(input);
  const list = /^(\w+)\[([@*])\]$/.exec(parameter);
  if (list && input.peek() === "}")
    return { parameter: "", operation: { type: "ArrayKeys", array: list[1], star: list[2] === "*" } };
  if (
    /^\w/.test(parameter) ||
    ((parameter === "#" || parameter === "@" || parameter === "*") && input.peek() === "}")
  ) {
    const innerOp = readOperator(input, quoted);
    return { parameter, operation: { type: "Indirection", ...(innerOp ? { innerOp } : {}) } };
  }
  input.at = start;
  return null;
}

const closes = (character: string) => character === "}";

/** @param quoted - whether single quotes stand for themselves */
function readPattern(input: Input, quoted: boolean, ends: (character: string) => boolean = closes): Node {
  const parts = readParts(input, { ends, tilde: true, globs: true, extended: true, quotedWord: quoted });
  return { type: "Word", parts };
}

/** The word after `:-` and its like, where `*` is no separate pattern. */
function readDefault(input: Input, quoted: boolean): Node {
  const parts = readParts(input, {
    ends: closes,
    tilde: !quoted,
    globs: !quoted,
    extended: input.dialect.extglob,
    quotedWord: quoted,
  });
  return { type: "Word", parts };
}

const DEFAULTS: Record<string, string> = {
  "-": "DefaultValue",
  "=": "AssignDefault",
  "?": "ErrorIfUnset",
  "+": "UseAlternative",
};
const CASES: Record<string, "upper" | "lower" | "toggle"> = { "^": "upper", ",": "lower", "~": "toggle" };

/**
 * @param input - which stands after the parameter
 * @returns null if there is no operation
 */
function readOperator(input: Input, quoted: boolean): Node | null {
  const checkEmpty = input.peek() === ":" && /[-=?+]/.test(input.peek(1));
  if (checkEmpty) input.at++;
  const character = input.peek();
  const type = DEFAULTS[character];
  if (type) {
    input.at++;
    const word = readDefault(input, quoted);
    return { type, word: type === "ErrorIfUnset" && word.parts.length === 0 ? null : word, checkEmpty };
  }
  if (character === ":") return readSubstring(input);
  if (character === "#" || character === "%") {
    input.at++;
    const greedy = input.take(character);
    return {
      type: "PatternRemoval",
      pattern: readPattern(input, false),
      side: character === "#" ? "prefix" : "suffix",
      greedy,
    };
  }
  if (character === "/") return readReplacement(input);
  if (CASES[character]) {
    input.at++;
    const all = input.take(character);
    const pattern = readPattern(input, false);
    return {
      type: "CaseModification",
      direction: CASES[character],
      all,
      pattern: pattern.parts.length ? pattern : null,
    };
  }
  if (character === "@" && /[A-Za-z]/.test(input.peek(1)) && input.peek(2) === "}") {
    input.at += 2;
    return { type: "Transform", operator: input.peek(-1) };
  }
  return null;
}

function readSubstring(input: Input): Node {
  input.at++;
  const offset = readExpression(input);
  const length = input.take(":") ? readExpression(input) : null;
  return { type: "Substring", offset, length };
}

/** A calculation until a colon or the closing brace. */
function readExpression(input: Input): Node {
  const start = input.at;
  let depth = 0;
  let choices = 0;
  input.at = input.text.length;
  for (const [at, character] of bareCharacters(input, start)) {
    const isEnd = depth === 0 && (character === "}" || (character === ":" && choices-- === 0));
    if (isEnd) {
      input.at = at;
      break;
    }
    if (character === "?") choices++;
    else if (/[([{]/.test(character)) depth++;
    else if (/[)\]}]/.test(character)) depth--;
  }
  return calculation(input.text.slice(start, input.at));
}

function readReplacement(input: Input): Node {
  input.at++;
  const all = input.take("/");
  const anchor: "start" | "end" | null = all ? null : input.take("#") ? "start" : input.take("%") ? "end" : null;
  // In `${name///by}`, the third slash is the pattern.
  const slash = all && input.take("/") ? [{ type: "Escaped", value: "/" }] : [];
  const { parts } = readPattern(input, false, (character) => character === "}" || character === "/");
  const pattern = { type: "Word", parts: [...slash, ...parts] };
  const replacement = input.take("/") ? readPattern(input, false) : null;
  return { type: "PatternReplacement", pattern, replacement, all, anchor };
}
