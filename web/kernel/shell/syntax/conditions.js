// The expressions of `[[ … ]]` (Bash manual, 3.2.5.2).
import { skipLines, wordAhead } from "./commands.js";
import { META } from "./input.js";
import { readParts, readWord } from "./words.js";

/**
 * @typedef {import("./input.js").Input} Input
 * @typedef {import("../shell.js").Node} Node
 */

const UNARY = /^-[a-hknoprstuvwxzGLNORS]$/;
const BINARY = new Set(["=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"]);

/** Read until after `]]`. @param {Input} input @returns {Node} */
export function readCondition(input) {
  const condition = readOr(input);
  skipLines(input);
  if (wordAhead(input) !== "]]") throw input.unexpected();
  input.at += 2;
  return condition;
}

/** @param {Input} input @returns {Node} */
function readOr(input) {
  const left = readAnd(input);
  skipLines(input);
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
    skipLines(input);
    if (!input.take(")")) throw input.unexpected();
    return { type: "CondGroup", expression };
  }
  if (word === "]]") throw input.unexpected();
  return UNARY.test(word) ? readUnary(input, word) : readBinary(input);
}

/** @param {Input} input @param {string} operator @returns {Node} */
function readUnary(input, operator) {
  const start = input.at;
  input.at += 2;
  input.skipBlanks();
  const next = wordAhead(input);
  // It may be the left side of a comparison, or a word of its own.
  if (next === "]]" || BINARY.has(next) || input.startsWith("&&") || input.startsWith("||") || input.peek() === ")") {
    input.at = start;
    return readBinary(input);
  }
  return { type: "CondUnary", operator, operand: readOperand(input) };
}

/** @param {Input} input @returns {Node} */
function readOperand(input) {
  if (input.ended || (META.has(input.peek()) && input.peek(1) !== "(")) throw input.unexpected();
  return readWord(input, { braces: false, globs: false });
}

/** @param {Input} input @returns {Node} */
function readBinary(input) {
  const left = readOperand(input);
  input.skipBlanks();
  const operator = BINARY.has(wordAhead(input)) ? wordAhead(input) : /^[<>](?![(&|<>])/.test(input.text.slice(input.at, input.at + 2)) ? input.peek() : null;
  if (operator === null) return { type: "CondWord", word: left };
  input.at += operator.length;
  input.skipBlanks();
  if (operator === "=~") return { type: "CondBinary", operator, left, right: readRegex(input) };
  const isPattern = operator === "=" || operator === "==" || operator === "!=";
  if (!isPattern) return { type: "CondBinary", operator, left, right: readOperand(input) };
  if (input.ended || (META.has(input.peek()) && input.peek() !== "(")) throw input.unexpected();
  return { type: "CondBinary", operator, left, right: readWord(input, { braces: false, extended: true }) };
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
