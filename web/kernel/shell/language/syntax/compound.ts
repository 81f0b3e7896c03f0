// Compound commands (Bash manual, 3.2.5) and the definition of functions (3.3).
import type { Node } from "../../shell.ts";
import { readCondition } from "./conditions.ts";
import { expandAliases, readBody, readCommand, readLineEnd, readList, skipLines, wordAhead } from "./commands.ts";
import { calculation } from "./expansions.ts";
import type { Input } from "./input.ts";
import { readRedirections } from "./redirections.ts";
import { bareCharacters, endOfCalculation } from "./scanning.ts";
import { SyntaxProblem } from "./problem.ts";
import { readWord } from "./words.ts";

/** The words that end a part of a compound command. */
export const RESERVED = new Set(["then", "else", "elif", "fi", "do", "done", "esac", "}"]);

const READERS: Record<string, (input: Input) => Node> = {
  "{": readGroup,
  "[[": readConditional,
  if: readIf,
  while: (input) => readLoop(input, "While"),
  until: (input) => readLoop(input, "Until"),
  for: readFor,
  select: readSelect,
  case: readCase,
  function: readFunction,
  coproc: readCoprocess,
};
/** The words that begin a compound command. */
export const COMPOUND = new Set(Object.keys(READERS));

/** @param word - "" for a parenthesis */
export function readCompound(input: Input, word: string): Node {
  if (word === "") return input.startsWith("((") ? (readArithmetic(input) ?? readSubshell(input)) : readSubshell(input);
  // Its callers ask whether there is one.
  return (READERS[word] as (input: Input) => Node)(input);
}

/** Read a word that has to be next. */
function expect(input: Input, word: string) {
  expandAliases(input);
  if (wordAhead(input) !== word) throw input.unexpected();
  input.at += word.length;
}

/** Throw unless a word is next, on the same line. */
function requireWord(input: Input) {
  if (input.ended) throw input.unexpected("newline");
  if (/[\n;&|()<>]/.test(input.peek())) throw input.unexpected();
}

const oneOf =
  (...words: string[]): ((word: string) => boolean) =>
  (word) =>
    words.includes(word);

function readGroup(input: Input): Node {
  input.at++;
  const body = readBody(input, oneOf("}"));
  expect(input, "}");
  return { type: "Group", body, redirections: [] };
}

function readSubshell(input: Input): Node {
  input.at++;
  const body = readBody(input, () => false);
  if (!input.take(")")) throw input.unexpected();
  return { type: "Subshell", body, redirections: [] };
}

/**
 * `((…))`.
 * @returns null if these are two subshells
 */
function readArithmetic(input: Input): Node | null {
  const line = input.line();
  const end = endOfCalculation(input, input.at + 2);
  if (end < 0) return null;
  const text = input.text.slice(input.at + 2, end);
  input.at = end + 2;
  return { type: "ArithmeticCommand", expression: calculation(text), redirections: [], line };
}

function readConditional(input: Input): Node {
  const line = input.line();
  input.at += 2;
  return { type: "ConditionalCommand", expression: readCondition(input), redirections: [], line };
}

function readIf(input: Input): Node {
  const clauses: Node[] = [];
  let elseBody = null;
  input.at += 2;
  for (;;) {
    const condition = readBody(input, oneOf("then"));
    expect(input, "then");
    clauses.push({ condition, body: readBody(input, oneOf("elif", "else", "fi")) });
    if (wordAhead(input) !== "elif") break;
    input.at += 4;
  }
  if (wordAhead(input) === "else") {
    input.at += 4;
    elseBody = readBody(input, oneOf("fi"));
  }
  expect(input, "fi");
  return { type: "If", clauses, elseBody, redirections: [] };
}

function readLoop(input: Input, type: "While" | "Until"): Node {
  input.at += 5;
  const condition = readBody(input, oneOf("do"));
  return { type, condition, body: readDo(input), redirections: [] };
}

/** `do … done`. */
function readDo(input: Input) {
  expect(input, "do");
  const body = readBody(input, oneOf("done"));
  expect(input, "done");
  return body;
}

/** The body of a `for`, which may be in braces. */
function readForBody(input: Input) {
  expandAliases(input);
  if (wordAhead(input) !== "{") return readDo(input);
  return readGroup(input).body;
}

function readFor(input: Input): Node {
  const line = input.line();
  input.at += 3;
  input.skipBlanks();
  if (input.startsWith("((")) return readCounting(input, line);
  return readChoices(input, "For");
}

function readSelect(input: Input): Node {
  input.at += 6;
  return readChoices(input, "Select");
}

/** The variable, the words and the body of a `for` or `select`. */
function readChoices(input: Input, type: "For" | "Select"): Node {
  input.skipBlanks();
  requireWord(input);
  const { text: variable } = readWord(input, { braces: false });
  skipLines(input);
  let words = null;
  if (wordAhead(input) === "in") {
    input.at += 2;
    words = [];
    for (input.skipBlanks(); !input.ended && !/[\n;]/.test(input.peek()); input.skipBlanks()) {
      if (/[&|()]/.test(input.peek()) || (/[<>]/.test(input.peek()) && input.peek(1) !== "(")) throw input.unexpected();
      words.push(readWord(input));
    }
    if (!input.take(";") && !readLineEnd(input)) throw input.unexpected();
  } else input.take(";");
  skipLines(input);
  return { type, variable, words, body: readForBody(input), redirections: [] };
}

/** `for ((…; …; …))`. */
function readCounting(input: Input, line: number): Node {
  const end = endOfCalculation(input, input.at + 2);
  if (end < 0) throw input.unexpected("((");
  const parts = splitCalculations(input, input.at + 2, end);
  if (parts.length !== 3) {
    const problem = parts.length < 3 ? "arithmetic expression required" : "`;' unexpected";
    throw new SyntaxProblem(`syntax error: ${problem}`, { line, text: null });
  }
  const [init = "", condition = "", update = ""] = parts;
  input.at = end + 2;
  skipLines(input);
  if (input.take(";")) skipLines(input);
  const part = (text: string) => (text.trim() ? calculation(text.trim()) : null);
  return {
    type: "CStyleFor",
    init: part(init),
    condition: part(condition),
    update: part(update),
    body: readForBody(input),
    redirections: [],
    line,
  };
}

/** @returns the parts between semicolons */
function splitCalculations(input: Input, start: number, end: number): string[] {
  const parts: string[] = [];
  let from = start;
  for (const [at, character] of bareCharacters(input, start)) {
    if (at >= end) break;
    if (character !== ";") continue;
    parts.push(input.text.slice(from, at));
    from = at + 1;
  }
  return [...parts, input.text.slice(from, end)];
}

function readCase(input: Input): Node {
  input.at += 4;
  input.skipBlanks();
  requireWord(input);
  const word = readWord(input, { braces: false });
  skipLines(input);
  expect(input, "in");
  const items: Node[] = [];
  for (;;) {
    skipLines(input);
    if (wordAhead(input) === "esac") break;
    items.push(readItem(input));
    if (items.at(-1)?.last) break;
  }
  expect(input, "esac");
  return { type: "Case", word, items: items.map(({ last: _, ...item }) => item), redirections: [] };
}

function readItem(input: Input): Node {
  if (input.take("(")) input.skipBlanks();
  const patterns: Node[] = [];
  do {
    skipLines(input);
    if (input.ended) throw input.unexpected();
    requireWord(input);
    patterns.push(readWord(input, { braces: false }));
    input.skipBlanks();
  } while (input.take("|"));
  if (!input.take(")")) throw input.unexpected();
  const body = readList(input, oneOf("esac"));
  skipLines(input);
  const terminator = [";;&", ";;", ";&"].find((one) => input.take(one));
  return { type: "CaseItem", patterns, body, terminator: terminator ?? ";;", last: terminator === undefined };
}

const ASSIGNS = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

// A parenthesis within the subscript of an assignment follows.
const OPENS_SUBSCRIPT = /^[A-Za-z_]\w*\[[^\]]*$/;

/**
 * `name () command`.
 * @returns null if it is another command
 */
export function readDefinition(input: Input, name: string): Node | null {
  if (!name || ASSIGNS.test(name) || OPENS_SUBSCRIPT.test(name)) return null;
  const start = input.at;
  input.at += name.length;
  input.skipBlanks();
  if (input.take("(")) {
    input.skipBlanks();
    if (input.take(")")) return readFunctionBody(input, name);
    throw input.unexpected();
  }
  input.at = start;
  return null;
}

/** `function name [()] command`. */
function readFunction(input: Input): Node {
  input.at += 8;
  input.skipBlanks();
  requireWord(input);
  const { text: name } = readWord(input, { braces: false });
  input.skipBlanks();
  if (input.peek() === "(" && /^\([ \t]*\)/.test(input.text.slice(input.at)))
    input.at = input.text.indexOf(")", input.at) + 1;
  return readFunctionBody(input, name);
}

function readFunctionBody(input: Input, name: string): Node {
  skipLines(input);
  expandAliases(input);
  const word = wordAhead(input);
  if (input.peek() !== "(" && (!COMPOUND.has(word) || word === "function" || word === "coproc"))
    throw input.unexpected();
  const body = readCompound(input, word);
  return { type: "FunctionDef", name, body, redirections: readRedirections(input) };
}

/** `coproc [NAME] command` (Bash manual, 3.2.6). */
function readCoprocess(input: Input): Node {
  const line = input.line();
  input.at += 6;
  input.skipBlanks();
  let name = "COPROC";
  const word = wordAhead(input);
  if (/^[A-Za-z_]\w*$/.test(word) && !COMPOUND.has(word)) {
    const start = input.at;
    input.at += word.length;
    input.skipBlanks();
    if (input.peek() === "(" || COMPOUND.has(wordAhead(input))) name = word;
    else input.at = start;
  }
  return { type: "Coprocess", name, command: readCommand(input), redirections: [], line };
}
