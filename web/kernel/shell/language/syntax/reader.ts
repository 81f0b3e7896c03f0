// Reads a script line by line, as bash does: what a line changes, such as an alias or `shopt -s extglob`, holds for the next.
import type { Node } from "../../shell.ts";
import "./commands.ts";
import { readLine } from "./commands.ts";
import { Input, PLAIN, type Dialect } from "./input.ts";
import { readParts, readQuotedText } from "./words.ts";

export class ScriptReader {
  #input: Input;

  /** @param line - of its first character */
  constructor(text: string, line = 1) {
    this.#input = new Input(text, PLAIN, line);
  }

  /**
   * Read the next line and those that belong to it.
   * @returns its statements, null at the end of the script
   * @throws {import("./problem.ts").SyntaxProblem}
   */
  next(dialect: Dialect = PLAIN): Node[] | null {
    this.#input.dialect = dialect;
    return readLine(this.#input);
  }

  /** Return the warnings about what was read since the last call. */
  takeWarnings() {
    return this.#input.warnings.splice(0);
  }

  /** True if the script ended within a here-document. */
  get opensHereDoc() {
    return this.#input.opensHereDoc;
  }
}

/**
 * @returns all statements
 * @throws {import("./problem.ts").SyntaxProblem}
 */
export function parse(text: string, dialect: Dialect = PLAIN): Node[] {
  const reader = new ScriptReader(text);
  const statements: Node[] = [];
  for (let line = reader.next(dialect); line; line = reader.next(dialect)) statements.push(...line);
  return statements;
}

/** @returns the parts of the one word that it is, whatever it contains */
export const parseWord = (text: string): Node[] => readParts(new Input(text, PLAIN), { ends: () => false });

/** @returns its parts, expanded as in a here-document */
export const parseText = (text: string): Node[] => readQuotedText(new Input(text, PLAIN), "");
