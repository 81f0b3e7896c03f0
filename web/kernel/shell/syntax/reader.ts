// Reads a script line by line, as bash does: what a line changes, such as an alias or `shopt -s extglob`, holds for the next.
import "./commands.js";
import { readLine } from "./commands.js";
import { Input, PLAIN } from "./input.js";
import { readParts, readQuotedText } from "./words.js";

/**
 * @typedef {import("../shell.js").Node} Node
 * @typedef {import("./input.js").Dialect} Dialect
 */

export class ScriptReader {
  #input;

  /** @param {string} text @param {number} [line] of its first character */
  constructor(text, line = 1) {
    this.#input = new Input(text, PLAIN, line);
  }

  /**
   * Read the next line and those that belong to it.
   * @param {Dialect} [dialect] @returns {Node[] | null} its statements, null at the end of the script
   * @throws {import("./problem.js").SyntaxProblem}
   */
  next(dialect = PLAIN) {
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

/** @param {string} text @param {Dialect} [dialect] @returns {Node[]} all statements @throws {import("./problem.js").SyntaxProblem} */
export function parse(text, dialect = PLAIN) {
  const reader = new ScriptReader(text);
  /** @type {Node[]} */
  const statements = [];
  for (let line = reader.next(dialect); line; line = reader.next(dialect)) statements.push(...line);
  return statements;
}

/** @param {string} text @returns {Node[]} the parts of the one word that it is, whatever it contains */
export const parseWord = (text) => readParts(new Input(text, PLAIN), { ends: () => false });

/** @param {string} text @returns {Node[]} its parts, expanded as in a here-document */
export const parseText = (text) => readQuotedText(new Input(text, PLAIN), "");
