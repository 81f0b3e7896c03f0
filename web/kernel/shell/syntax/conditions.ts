// The expressions of `[[ … ]]` (Bash manual, 3.2.5.2).
import { skipLines, wordAhead } from "./commands.js";
import { META } from "./input.js";
import { SyntaxProblem } from "./problem.js";
import { readParts, readWord } from "./words.js";

/**
 * @typedef {import("./input.js").Input} Input
 * @typedef {import("../shell.js").Node} Node
 */

const UNARY = /^-[a-hknoprstuvwxzGLNORS]$/;
const BINARY = new Set(["=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"]);

/** Read until after `]]`. @param {Input} input @returns {Node} */
export function readCondition(input) {
  const line = input.line();
  const condition = readOr(input);
  if (wordAhead(input) !== "]]") {
    if (input.ended) throw input.missing("`]]'", line);
    const token = input.token();
    throw wrong(input, `syntax error in conditional expression${META.has(token.charAt(0)) ? `: unexpected token \`${token}'` : ""}`);
  }
  input.at += 2;
  return condition;
}

/**
 * An error within `[[`, after which bash keeps the exit code of the command before.
 * @param {Input} input @param {string} message @returns {SyntaxProblem}
 */
function wrong(input, message) {
  if (!input.ended) return new SyntaxProblem(message, { line: input.line(), status: null });
  return new SyntaxProblem("unexpected token `EOF' in conditional command", { line: input.line() + 1, incomplete: true });
}

/** @param {Input} input @returns {Node} */
function readOr(input) {
  const left = readAnd(input);
  return input.take("||") ? { type: "CondOr", left, right: readOr(input) } : left;
}

/** @param {Input} input @returns {Node} */
function readAnd(input) {
  const left = readTerm(input);
  skipLines(input);
  return input.take("&&") ? { type: "CondAnd", left, right: readAnd(input) } : left;
}

/** @param {Input} input @returns {Node} */
function readTerm(input) {
  skipLines(input);
  const word = wordAhead(input);
  if (word === "!") {
    input.at++;
    return { type: "CondNot", operand: readTerm(input) };
  }
  if (input.take("(")) {
    const expression = readOr(input);
    if (!input.take(")")) throw wrong(input, `unexpected token \`${input.token()}', expected \`)'`);
    return { type: "CondGroup", expression };
  }
  if (word === "]]") throw wrong(input, "syntax error near unexpected token `]]'");
  return UNARY.test(word) ? readUnary(input, word) : readBinary(input);
}

/** @param {Input} input @param {string} operator @returns {Node} */
function readUnary(input, operator) {
  input.at += 2;
  return { type: "CondUnary", operator, operand: readOperand(input, "unary") };
}

/** @param {Input} input */
const isWordNext = (input) => !input.ended && wordAhead(input) !== "]]" && (!META.has(input.peek()) || /^[<>]\(/.test(input.text.slice(input.at, input.at + 2)));

/** @param {Input} input @param {"unary" | "binary"} arity of its operator @param {Partial<import("./words.js").Manner>} [how] @returns {Node} */
function readOperand(input, arity, how = { braces: false, globs: false }) {
  input.skipBlanks();
  const isPattern = how.extended && input.peek() === "(";
  if (!isWordNext(input) && !isPattern) throw wrong(input, `unexpected argument \`${input.token()}' to conditional ${arity} operator`);
  return readWord(input, how);
}

/** @param {Input} input @returns {Node} */
function readBinary(input) {
  if (!isWordNext(input)) throw wrong(input, `unexpected token \`${input.token()}' in conditional command`);
  const left = readWord(input, { braces: false, globs: false });
  input.skipBlanks();
  const operator = BINARY.has(wordAhead(input)) ? wordAhead(input) : /^[<>](?![(&|<>])/.test(input.text.slice(input.at, input.at + 2)) ? input.peek() : null;
  if (operator === null) {
    const endsHere = wordAhead(input) === "]]" || input.startsWith("&&") || input.startsWith("||") || input.peek() === ")";
    if (endsHere) return { type: "CondWord", word: left };
    throw wrong(input, isWordNext(input) ? "conditional binary operator expected" : `unexpected token \`${input.token()}', conditional binary operator expected`);
  }
  input.at += operator.length;
  input.skipBlanks();
  if (operator === "=~" && wordAhead(input) !== "]]") return { type: "CondBinary", operator, left, right: readRegex(input) };
  const isPattern = operator === "=" || operator === "==" || operator === "!=";
  const right = readOperand(input, "binary", isPattern ? { braces: false, extended: true } : undefined);
  return { type: "CondBinary", operator, left, right };
}

/** A regular expression: blanks end it outside of parentheses. @param {Input} input @returns {Node} */
function readRegex(input) {
  const start = input.at;
  /** @type {Node[]} */
  const parts = [];
  let depth = 0;
  const ends = (/** @type {string} */ character) => character === "(" || character === ")" || /\s/.test(character);
  for (;;) {
    parts.push(...readParts(input, { ends, tilde: parts.length === 0 }));
    const character = input.peek();
    if (character === "(") depth++;
    else if (character === ")" && depth > 0) depth--;
    else if (!(depth > 0 && (character === " " || character === "\t"))) break;
    parts.push({ type: "Literal", value: character });
    input.at++;
  }
  if (input.at === start) throw input.unexpected();
  return { type: "Word", parts, text: input.text.slice(start, input.at) };
}
