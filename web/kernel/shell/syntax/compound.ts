// Compound commands (Bash manual, 3.2.5) and the definition of functions (3.3).
import { readCondition } from "./conditions.js";
import { expandAliases, readBody, readCommand, readLineEnd, readList, skipLines, wordAhead } from "./commands.js";
import { calculation } from "./expansions.js";
import { readRedirection } from "./redirections.js";
import { endOfCalculation, skip } from "./scanning.js";
import { SyntaxProblem } from "./problem.js";
import { readWord } from "./words.js";

/**
 * @typedef {import("./input.js").Input} Input
 * @typedef {import("../shell.js").Node} Node
 */

/** The words that end a part of a compound command. */
export const RESERVED = new Set(["then", "else", "elif", "fi", "do", "done", "esac", "}"]);

/** @type {Record<string, (input: Input) => Node>} */
const READERS = {
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

/** @param {Input} input @param {string} word "" for a parenthesis @returns {Node} */
export function readCompound(input, word) {
  if (word === "") return input.startsWith("((") ? readArithmetic(input) ?? readSubshell(input) : readSubshell(input);
  return /** @type {(input: Input) => Node} */ (READERS[word])(input);
}

/** Read a word that has to be next. @param {Input} input @param {string} word */
function expect(input, word) {
  expandAliases(input);
  if (wordAhead(input) !== word) throw input.unexpected();
  input.at += word.length;
}

/** Throw unless a word is next, on the same line. @param {Input} input */
function requireWord(input) {
  if (input.ended) throw input.unexpected("newline");
  if (/[\n;&|()<>]/.test(input.peek())) throw input.unexpected();
}

/** @param {...string} words @returns {(word: string) => boolean} */
const oneOf = (...words) => (word) => words.includes(word);

/** @param {Input} input @returns {Node} */
function readGroup(input) {
  input.at++;
  const body = readBody(input, oneOf("}"));
  expect(input, "}");
  return { type: "Group", body, redirections: [] };
}

/** @param {Input} input @returns {Node} */
function readSubshell(input) {
  input.at++;
  const body = readBody(input, () => false);
  if (!input.take(")")) throw input.unexpected();
  return { type: "Subshell", body, redirections: [] };
}

/** `((…))`. @param {Input} input @returns {Node | null} null if these are two subshells */
function readArithmetic(input) {
  const line = input.line();
  const end = endOfCalculation(input, input.at + 2);
  if (end < 0) return null;
  const text = input.text.slice(input.at + 2, end);
  input.at = end + 2;
  return { type: "ArithmeticCommand", expression: calculation(text), redirections: [], line };
}

/** @param {Input} input @returns {Node} */
function readConditional(input) {
  const line = input.line();
  input.at += 2;
  return { type: "ConditionalCommand", expression: readCondition(input), redirections: [], line };
}

/** @param {Input} input @returns {Node} */
function readIf(input) {
  /** @type {Node[]} */
  const clauses = [];
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

/** @param {Input} input @param {"While" | "Until"} type @returns {Node} */
function readLoop(input, type) {
  input.at += 5;
  const condition = readBody(input, oneOf("do"));
  return { type, condition, body: readDo(input), redirections: [] };
}

/** `do … done`. @param {Input} input */
function readDo(input) {
  expect(input, "do");
  const body = readBody(input, oneOf("done"));
  expect(input, "done");
  return body;
}

/** The body of a `for`, which may be in braces. @param {Input} input */
function readForBody(input) {
  expandAliases(input);
  if (wordAhead(input) !== "{") return readDo(input);
  return readGroup(input).body;
}

/** @param {Input} input @returns {Node} */
function readFor(input) {
  const line = input.line();
  input.at += 3;
  input.skipBlanks();
  if (input.startsWith("((")) return readCounting(input, line);
  return readChoices(input, "For");
}

/** @param {Input} input @returns {Node} */
function readSelect(input) {
  input.at += 6;
  return readChoices(input, "Select");
}

/** The variable, the words and the body of a `for` or `select`. @param {Input} input @param {"For" | "Select"} type @returns {Node} */
function readChoices(input, type) {
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

/** `for ((…; …; …))`. @param {Input} input @param {number} line @returns {Node} */
function readCounting(input, line) {
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
  const part = (/** @type {string} */ text) => (text.trim() ? calculation(text.trim()) : null);
  return { type: "CStyleFor", init: part(init), condition: part(condition), update: part(update), body: readForBody(input), redirections: [], line };
}

/** @param {Input} input @param {number} start @param {number} end @returns {string[]} what is between semicolons */
function splitCalculations(input, start, end) {
  /** @type {string[]} */
  const parts = [];
  let from = start;
  for (let at = start; at < end; at = Math.max(skip(input, at), at + 1)) {
    if (input.text.charAt(at) !== ";") continue;
    parts.push(input.text.slice(from, at));
    from = at + 1;
  }
  return [...parts, input.text.slice(from, end)];
}

/** @param {Input} input @returns {Node} */
function readCase(input) {
  input.at += 4;
  input.skipBlanks();
  requireWord(input);
  const word = readWord(input, { braces: false });
  skipLines(input);
  expect(input, "in");
  /** @type {Node[]} */
  const items = [];
  for (;;) {
    skipLines(input);
    if (wordAhead(input) === "esac") break;
    items.push(readItem(input));
    if (items.at(-1)?.last) break;
  }
  expect(input, "esac");
  return { type: "Case", word, items: items.map(({ last: _, ...item }) => item), redirections: [] };
}

/** @param {Input} input @returns {Node} */
function readItem(input) {
  if (input.take("(")) input.skipBlanks();
  /** @type {Node[]} */
  const patterns = [];
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

/** `name () command`. @param {Input} input @param {string} name @returns {Node | null} null if it is another command */
export function readDefinition(input, name) {
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

/** `function name [()] command`. @param {Input} input @returns {Node} */
function readFunction(input) {
  input.at += 8;
  input.skipBlanks();
  requireWord(input);
  const { text: name } = readWord(input, { braces: false });
  input.skipBlanks();
  if (input.peek() === "(" && /^\([ \t]*\)/.test(input.text.slice(input.at))) input.at = input.text.indexOf(")", input.at) + 1;
  return readFunctionBody(input, name);
}

/** @param {Input} input @param {string} name @returns {Node} */
function readFunctionBody(input, name) {
  skipLines(input);
  expandAliases(input);
  const word = wordAhead(input);
  if (input.peek() !== "(" && (!COMPOUND.has(word) || word === "function" || word === "coproc")) throw input.unexpected();
  const body = readCompound(input, word);
  /** @type {Node[]} */
  const redirections = [];
  for (;;) {
    input.skipBlanks();
    const redirection = readRedirection(input);
    if (!redirection) break;
    redirections.push(redirection);
  }
  return { type: "FunctionDef", name, body, redirections };
}

/** `coproc [NAME] command` (Bash manual, 3.2.6). @param {Input} input @returns {Node} */
function readCoprocess(input) {
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
