// The grammar of commands (POSIX, 2.10; Bash manual, 3.2): lists, pipelines and simple commands.
import type { Node } from "../../shell.ts";
import { readAssignment } from "./assignments.ts";
import { COMPOUND, RESERVED, readCompound, readDefinition } from "./compound.ts";
import { useCommandReader } from "./expansions.ts";
import { readPendingBodies, readRedirection, readRedirections } from "./redirections.ts";
import { Input, META } from "./input.ts";
import { readParts, readWord, useProcessReader } from "./words.ts";

/** Skip blanks, comments and line ends. A line end begins the bodies of here-documents. */
export function skipLines(input: Input) {
  for (;;) {
    input.skipBlanks();
    if (!readLineEnd(input)) return;
  }
}

/** @returns whether a line end was next */
export function readLineEnd(input: Input): boolean {
  if (!input.take("\n")) return false;
  readPendingBodies(input);
  return true;
}

/**
 * Read statements until a word or an operator that ends them.
 * @param ends - whether a reserved word does
 */
export function readList(input: Input, ends: (word: string) => boolean): Node[] {
  const statements: Node[] = [];
  for (;;) {
    skipLines(input);
    expandAliases(input);
    if (
      input.ended ||
      input.peek() === ")" ||
      input.startsWith(";;") ||
      input.startsWith(";&") ||
      ends(wordAhead(input))
    )
      return statements;
    const statement = readStatement(input);
    statements.push(statement);
    input.skipBlanks();
    if (!readSeparator(input, statement) && !readLineEnd(input)) return statements;
  }
}

/** A list that has to have a statement. */
export function readBody(input: Input, ends: (word: string) => boolean): Node[] {
  const statements = readList(input, ends);
  if (statements.length === 0) throw input.unexpected();
  return statements;
}

/** @returns whether the next one may follow on the same line */
function readSeparator(input: Input, { background }: Node): boolean {
  // The ampersand is part of the statement.
  return background || (!input.startsWith(";;") && !input.startsWith(";&") && input.take(";"));
}

/**
 * The statements of a line.
 * @returns null at the end of the text
 */
export function readLine(input: Input): Node[] | null {
  skipLines(input);
  if (input.ended) return null;
  const statements: Node[] = [];
  for (;;) {
    const statement = readStatement(input);
    statements.push(statement);
    input.skipBlanks();
    const separated = readSeparator(input, statement);
    input.skipBlanks();
    if (input.ended) {
      // A here-document that begins in the last line has no text.
      readPendingBodies(input);
      return statements;
    }
    if (readLineEnd(input)) return statements;
    if (!separated) throw input.unexpected();
  }
}

/** Pipelines with `&&` and `||` between them. */
function readStatement(input: Input): Node {
  const start = input.at;
  const pipelines = [readPipeline(input)];
  const operators: string[] = [];
  for (;;) {
    input.skipBlanks();
    const operator = input.take("&&") ? "&&" : input.take("||") ? "||" : null;
    if (!operator) break;
    skipLines(input);
    operators.push(operator);
    pipelines.push(readPipeline(input));
  }
  const background = input.take("&");
  const sourceText = input.text.slice(start, input.at).trim();
  return { type: "Statement", pipelines, operators, background, sourceText };
}

function readPipeline(input: Input): Node {
  let negated = false;
  let [timed, timePosix] = [false, false];
  for (;;) {
    expandAliases(input);
    const word = wordAhead(input);
    if (word === "!") negated = !negated;
    else if (word === "time" && !timed) timed = true;
    else break;
    input.at += word.length;
    input.skipBlanks();
    if (timed && word === "time" && wordAhead(input) === "-p") {
      timePosix = true;
      input.at += 2;
      input.skipBlanks();
    }
    // Neither needs a command.
    if (endsCommand(input)) return { type: "Pipeline", commands: [emptyCommand(input)], negated, timed, timePosix };
  }
  const commands = [readCommand(input)];
  const pipeStderr: boolean[] = [];
  for (;;) {
    input.skipBlanks();
    if (input.peek() !== "|" || input.peek(1) === "|") break;
    input.at++;
    pipeStderr.push(input.take("&"));
    skipLines(input);
    commands.push(readCommand(input));
  }
  return { type: "Pipeline", commands, negated, timed, timePosix, ...(pipeStderr.length ? { pipeStderr } : {}) };
}

const endsCommand = (input: Input) => input.ended || /[\n;&|)]/.test(input.peek());

const emptyCommand = (input: Input): Node => ({
  type: "SimpleCommand",
  name: null,
  args: [],
  assignments: [],
  redirections: [],
  line: input.line(),
});

/** The unquoted word that is next, "" if there is none. */
export function wordAhead(input: Input) {
  const [word = ""] = input.match(WORD) ?? [];
  return word && endsWord(input, input.at + word.length) ? word : "";
}
const WORD = /[^\s;&|()<>"'\\$`]+/y;

const endsWord = ({ text }: Input, at: number) => at >= text.length || META.has(text.charAt(at));

export function readCommand(input: Input): Node {
  expandAliases(input);
  const word = wordAhead(input);
  if (input.peek() === "(" || COMPOUND.has(word)) return withRedirections(input, readCompound(input, word));
  if (RESERVED.has(word) || word === "in") throw input.unexpected(word);
  return readDefinition(input, word) ?? readSimple(input);
}

function withRedirections(input: Input, command: Node): Node {
  command.redirections.push(...readRedirections(input));
  // A reserved word may follow, as in `{ (a) }`.
  if (!endsCommand(input) && !RESERVED.has(wordAhead(input))) throw input.unexpected();
  return command;
}

/** Replace the word that is next while it is an alias (Bash manual, 6.6). */
export function expandAliases(input: Input) {
  const { aliases } = input.dialect;
  while (aliases.size > 0) {
    const word = wordAhead(input);
    const value = aliases.get(word);
    if (value === undefined || input.aliasing.some(({ name, end }) => name === word && input.at < end)) return;
    const start = input.at;
    input.at += word.length;
    input.splice(start, word, value);
    input.skipBlanks();
  }
}

function readSimple(input: Input): Node {
  const command = emptyCommand(input);
  const { redirections, assignments, args } = command;
  const start = input.at;
  for (;;) {
    if (command.name === null || endsAlias(input)) expandAliases(input);
    const redirection = readRedirection(input);
    if (redirection) redirections.push(redirection);
    else if (endsCommand(input)) break;
    else if (input.peek() === "(") throw input.unexpected("(");
    else {
      const assignment = command.name === null || DECLARING.has(command.name.text) ? readAssignment(input) : null;
      if (assignment && command.name === null) assignments.push(assignment);
      else if (assignment)
        args.push({
          type: "Word",
          parts: [{ type: "Literal", value: assignment.text }],
          text: assignment.text,
          assignment,
        });
      else if (TAKING_TEXT.has(command.name?.text) && ARRAY.test(input.text.slice(input.at)))
        args.push(readArray(input));
      else if (command.name === null) command.name = readWord(input);
      else args.push(readWord(input));
    }
    input.skipBlanks();
  }
  if (input.at === start) throw input.unexpected();
  return command;
}

/** The builtins whose arguments are assignments. */
const DECLARING = new Set(["declare", "typeset", "local", "export", "readonly"]);

/** The builtins that take a list of words in parentheses as text of an assignment. */
const TAKING_TEXT = new Set(["eval", "let"]);
const ARRAY = /^[A-Za-z_]\w*\+?=\(/;

/** Read `name=(…)`, and what follows without a blank, as one word, in which what is expanded is expanded. */
function readArray(input: Input): Node {
  const start = input.at;
  const line = input.line(start);
  const text = readAssignment(input)?.text ?? "";
  const parts = readParts(new Input(text, input.dialect, line), { ends: () => false });
  const rest = readWord(input).parts;
  return { type: "Word", parts: [...parts, ...rest], text: input.text.slice(start, input.at) };
}

/** Return whether an alias's text, which ends with a blank, ends here. */
const endsAlias = ({ aliasing, at, text }: Input) =>
  aliasing.some(({ end }) => end <= at && /[ \t]/.test(text.charAt(end - 1)) && text.slice(end, at).trim() === "");

/** Read the statements of a substitution. The bodies of here-documents that begin in it may follow it. */
function readInner(input: Input): Node[] {
  const { pending } = input;
  input.pending = [];
  const statements = readList(input, () => false);
  input.pending = [...pending, ...input.pending];
  return statements;
}

useCommandReader((input, closing) => {
  const statements = readInner(input);
  if (closing === "" && !input.ended) throw input.unexpected();
  return statements;
});

useProcessReader((input) => {
  const direction = input.peek() === "<" ? "input" : "output";
  const start = input.at;
  input.at += 2;
  const statements = readInner(input);
  if (!input.take(")")) throw input.ended ? input.unclosed(")", start) : input.unexpected();
  return { type: "ProcessSubstitution", body: { type: "Script", statements }, direction };
});
