// What begins with `$` or a backquote (Bash manual, 3.5.3 to 3.5.5).
import { Input } from "./input.js";
import { endOfCalculation, findEnd, skip } from "./scanning.js";
import { readParts } from "./words.js";

/** @typedef {import("../shell.js").Node} Node */

const NAME = /[A-Za-z_]\w*/y;
const SPECIAL = /[@*#?$!-]|\d/y;
const INNER = /[A-Za-z_]\w*|\d+|[@*#?$!-]/y;

/** @type {{ list: (input: Input, closing: string) => Node[] }} set by the parser of commands, which needs this module itself */
const commands = { list: () => [] };
/** @param {typeof commands.list} list */
export const useCommandReader = (list) => void (commands.list = list);

/** @param {RegExp} pattern sticky @param {Input} input @returns {string} what is next, "" if it doesn't match */
function match(pattern, input) {
  pattern.lastIndex = input.at;
  return pattern.exec(input.text)?.[0] ?? "";
}

/** @param {Input} input which stands at a `$` @param {boolean} quoted @returns {Node | null} null for a dollar that stands for itself */
export function readExpansion(input, quoted) {
  const next = input.peek(1);
  if (next === "(") return input.peek(2) === "(" ? readCalculation(input) ?? readCommand(input) : readCommand(input);
  if (next === "{") return readBraced(input, quoted);
  if (next === "[") return readOldCalculation(input);
  input.at++;
  const name = match(NAME, input) || match(SPECIAL, input);
  if (!name) input.at--;
  else input.at += name.length;
  return name ? { type: "ParameterExpansion", parameter: name, operation: null } : null;
}

/** @param {Input} input @returns {Node} */
function readCommand(input) {
  input.at += 2;
  const statements = commands.list(input, ")");
  if (!input.take(")")) throw input.ended ? input.unclosed(")") : input.unexpected();
  return { type: "CommandSubstitution", body: { type: "Script", statements }, legacy: false };
}

/** @param {Input} input @param {boolean} quoted @returns {Node} */
export function readBackquoted(input, quoted) {
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

/** @param {string} text @returns {Node} */
export const calculation = (text) => ({ type: "ArithmeticExpression", originalText: text });

/** @param {Input} input @returns {Node | null} null if it is a command that begins with a subshell */
function readCalculation(input) {
  const end = endOfCalculation(input, input.at + 3);
  if (end < 0) return null;
  const text = input.text.slice(input.at + 3, end);
  input.at = end + 2;
  return { type: "ArithmeticExpansion", expression: calculation(text) };
}

/** `$[…]`, an old form of `$((…))`. @param {Input} input @returns {Node | null} */
function readOldCalculation(input) {
  const end = findEnd(input, input.at + 2, "]");
  if (end < 0) return null;
  const text = input.text.slice(input.at + 2, end - 1);
  input.at = end;
  return { type: "ArithmeticExpansion", expression: calculation(text) };
}

/** @param {Input} input @param {boolean} quoted @returns {Node} */
function readBraced(input, quoted) {
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

/** @param {Input} input @param {boolean} quoted @returns {{ parameter: string, operation: Node | null } | null} */
function readOperation(input, quoted) {
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

/** A parameter with its subscript, as it is written. @param {Input} input @returns {string} "" if there is none */
function readParameter(input) {
  const name = match(INNER, input);
  input.at += name.length;
  if (input.peek() !== "[" || !/^[A-Za-z_]/.test(name)) return name;
  const end = findEnd(input, input.at + 1, "]");
  if (end < 0) return "";
  const subscript = input.text.slice(input.at, end);
  input.at = end;
  return name + subscript;
}

/** `${#name}`. @param {Input} input */
function readLength(input) {
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

/** `${!name}`, `${!prefix*}`, `${!list[@]}`. @param {Input} input @param {boolean} quoted */
function readIndirect(input, quoted) {
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
  if (list && input.peek() === "}") return { parameter: "", operation: { type: "ArrayKeys", array: list[1], star: list[2] === "*" } };
  if (/^\w/.test(parameter) || ((parameter === "#" || parameter === "@" || parameter === "*") && input.peek() === "}")) {
    const innerOp = readOperator(input, quoted);
    return { parameter, operation: { type: "Indirection", ...(innerOp ? { innerOp } : {}) } };
  }
  input.at = start;
  return null;
}

const closes = (/** @type {string} */ character) => character === "}";

/** @param {Input} input @param {boolean} quoted whether single quotes stand for themselves @param {(character: string) => boolean} [ends] @returns {Node} */
function readPattern(input, quoted, ends = closes) {
  const parts = readParts(input, { ends, tilde: true, globs: true, extended: true, quotedWord: quoted });
  return { type: "Word", parts };
}

/** The word after `:-` and its like, where `*` is no pattern of its own. @param {Input} input @param {boolean} quoted @returns {Node} */
function readDefault(input, quoted) {
  const parts = readParts(input, { ends: closes, tilde: !quoted, globs: !quoted, extended: input.dialect.extglob, quotedWord: quoted });
  return { type: "Word", parts };
}

/** @type {Record<string, string>} */
const DEFAULTS = { "-": "DefaultValue", "=": "AssignDefault", "?": "ErrorIfUnset", "+": "UseAlternative" };
/** @type {Record<string, "upper" | "lower" | "toggle">} */
const CASES = { "^": "upper", ",": "lower", "~": "toggle" };

/** @param {Input} input which stands after the parameter @param {boolean} quoted @returns {Node | null} null if there is no operation */
function readOperator(input, quoted) {
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
    return { type: "PatternRemoval", pattern: readPattern(input, false), side: character === "#" ? "prefix" : "suffix", greedy };
  }
  if (character === "/") return readReplacement(input);
  if (CASES[character]) {
    input.at++;
    const all = input.take(character);
    const pattern = readPattern(input, false);
    return { type: "CaseModification", direction: CASES[character], all, pattern: pattern.parts.length ? pattern : null };
  }
  if (character === "@" && /[A-Za-z]/.test(input.peek(1)) && input.peek(2) === "}") {
    input.at += 2;
    return { type: "Transform", operator: input.peek(-1) };
  }
  return null;
}

/** @param {Input} input @returns {Node} */
function readSubstring(input) {
  input.at++;
  const offset = readExpression(input);
  const length = input.take(":") ? readExpression(input) : null;
  return { type: "Substring", offset, length };
}

/** A calculation until a colon or the closing brace. @param {Input} input @returns {Node} */
function readExpression(input) {
  const start = input.at;
  let depth = 0;
  let choices = 0;
  while (!input.ended) {
    const next = skip(input, input.at);
    if (next > input.at) {
      input.at = next;
      continue;
    }
    const character = input.peek();
    if (character === "}" && depth === 0) break;
    if (character === ":" && depth === 0 && choices-- === 0) break;
    if (character === "?") choices++;
    else if (character === "(" || character === "[" || character === "{") depth++;
    else if (character === ")" || character === "]" || character === "}") depth--;
    input.at++;
  }
  return calculation(input.text.slice(start, input.at));
}

/** @param {Input} input @returns {Node} */
function readReplacement(input) {
  input.at++;
  const all = input.take("/");
  /** @type {"start" | "end" | null} */
  const anchor = all ? null : input.take("#") ? "start" : input.take("%") ? "end" : null;
  // In `${name///by}`, the third slash is the pattern.
  const slash = all && input.take("/") ? [{ type: "Escaped", value: "/" }] : [];
  const { parts } = readPattern(input, false, (character) => character === "}" || character === "/");
  const pattern = { type: "Word", parts: [...slash, ...parts] };
  const replacement = input.take("/") ? readPattern(input, false) : null;
  return { type: "PatternReplacement", pattern, replacement, all, anchor };
}
