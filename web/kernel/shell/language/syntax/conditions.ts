// The expressions of `[[ … ]]` (Bash manual, 3.2.5.2).
import type { Node } from "../../shell.ts";
import { skipLines, wordAhead } from "./commands.ts";
import { META, type Input } from "./input.ts";
import { SyntaxProblem } from "./problem.ts";
import { readParts, readWord, type Manner } from "./words.ts";

const UNARY = /^-[a-hknoprstuvwxzGLNORS]$/;
const BINARY = new Set(["=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"]);

/** Read until after `]]`. */
export function readCondition(input: Input): Node {
  const line = input.line();
  const condition = readOr(input);
  if (wordAhead(input) !== "]]") {
    if (input.ended) throw input.missing("`]]'", line);
    const token = input.token();
    throw wrong(
      input,
      `syntax error in conditional expression${META.has(token.charAt(0)) ? `: unexpected token \`${token}'` : ""}`,
    );
  }
  input.at += 2;
  return condition;
}

/** An error within `[[`, after which bash keeps the exit code of the command before. */
function wrong(input: Input, message: string): SyntaxProblem {
  if (!input.ended) return new SyntaxProblem(message, { line: input.line(), status: null });
  return new SyntaxProblem("unexpected token `EOF' in conditional command", {
    line: input.line() + 1,
    incomplete: true,
  });
}

function readOr(input: Input): Node {
  const left = readAnd(input);
  return input.take("||") ? { type: "CondOr", left, right: readOr(input) } : left;
}

function readAnd(input: Input): Node {
  const left = readTerm(input);
  skipLines(input);
  return input.take("&&") ? { type: "CondAnd", left, right: readAnd(input) } : left;
}

function readTerm(input: Input): Node {
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

function readUnary(input: Input, operator: string): Node {
  input.at += 2;
  return { type: "CondUnary", operator, operand: readOperand(input, "unary") };
}

const isWordNext = (input: Input) =>
  !input.ended &&
  wordAhead(input) !== "]]" &&
  (!META.has(input.peek()) || /^[<>]\(/.test(input.text.slice(input.at, input.at + 2)));

/** @param arity - of its operator */
function readOperand(
  input: Input,
  arity: "unary" | "binary",
  how: Partial<Manner> = { braces: false, globs: false },
): Node {
  input.skipBlanks();
  const isPattern = how.extended && input.peek() === "(";
  if (!isWordNext(input) && !isPattern)
    throw wrong(input, `unexpected argument \`${input.token()}' to conditional ${arity} operator`);
  return readWord(input, how);
}

function readBinary(input: Input): Node {
  if (!isWordNext(input)) throw wrong(input, `unexpected token \`${input.token()}' in conditional command`);
  const left = readWord(input, { braces: false, globs: false });
  input.skipBlanks();
  const operator = BINARY.has(wordAhead(input))
    ? wordAhead(input)
    : /^[<>](?![(&|<>])/.test(input.text.slice(input.at, input.at + 2))
      ? input.peek()
      : null;
  if (operator === null) {
    const endsHere =
      wordAhead(input) === "]]" || input.startsWith("&&") || input.startsWith("||") || input.peek() === ")";
    if (endsHere) return { type: "CondWord", word: left };
    throw wrong(
      input,
      isWordNext(input)
        ? "conditional binary operator expected"
        : `unexpected token \`${input.token()}', conditional binary operator expected`,
    );
  }
  input.at += operator.length;
  input.skipBlanks();
  if (operator === "=~" && wordAhead(input) !== "]]")
    return { type: "CondBinary", operator, left, right: readRegex(input) };
  const isPattern = operator === "=" || operator === "==" || operator === "!=";
  const right = readOperand(input, "binary", isPattern ? { braces: false, extended: true } : undefined);
  return { type: "CondBinary", operator, left, right };
}

/** A regular expression: blanks end it outside of parentheses. */
function readRegex(input: Input): Node {
  const start = input.at;
  const parts: Node[] = [];
  let depth = 0;
  const ends = (character: string) => character === "(" || character === ")" || /\s/.test(character);
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
