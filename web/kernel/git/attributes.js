// Attributes of paths, as gitattributes(5) describes their files, order and macros.
import { decode } from "../bytes.js";
import { pathPattern } from "./path_patterns.js";

/**
 * @typedef {boolean | string | null} Value null is unspecified, as `!name` makes it
 * @typedef {[string, Value][]} Assignments
 * @typedef {{ pattern: RegExp, whole: boolean, assignments: Assignments }} Rule `whole`: of the path, not only of the name
 * @typedef {{ prefix: string, rules: Rule[] }} Level the rules of one file
 */

export const NAME = ".gitattributes";
const MACRO = "[attr]";
/** @type {[string, Assignments]} */
const BINARY = ["binary", [["diff", false], ["merge", false], ["text", false]]];

/** @param {string} word @returns {[string, Value]} */
function assignment(word) {
  if (word.startsWith("-")) return [word.slice(1), false];
  if (word.startsWith("!")) return [word.slice(1), null];
  const at = word.indexOf("=");
  return at < 0 ? [word, true] : [word.slice(0, at), word.slice(at + 1)];
}

/** Split a line into its pattern, which may be in quotes, and its attributes. @param {string} line */
function fields(line) {
  const [, quoted] = /^"((?:\\.|[^"\\])*)"(?=\s|$)/.exec(line) ?? [];
  if (quoted === undefined) return line.split(/[ \t\r]+/);
  const rest = line.slice(quoted.length + 2).trim();
  return [quoted.replace(/\\(.)/g, "$1"), ...(rest ? rest.split(/[ \t\r]+/) : [])];
}

/** @param {string} text @param {Map<string, Assignments>} macros gets those of the file @returns {Rule[]} */
function parse(text, macros) {
  /** @type {Rule[]} */
  const rules = [];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const [name = "", ...words] = fields(line);
    const assignments = words.filter(Boolean).map(assignment);
    if (name.startsWith(MACRO)) macros.set(name.slice(MACRO.length), assignments);
    // A pattern with `/` at its end is for folders, which have no attributes of use; a negative one is ignored by git.
    else if (!name.endsWith("/") && !name.startsWith("!")) rules.push({ ...pathPattern(name), assignments });
  }
  return rules;
}

/** The attributes of the files of a work tree. */
export class Attributes {
  /** By folder, with `/` at its end. @type {Map<string, Level | null>} */
  #levels = new Map();
  #macros = new Map([BINARY]);
  /** @type {Level[]} */
  #user;
  /** @type {Level[]} */
  #own;

  /**
   * @param {(name: string) => Uint8Array | null} read returns a file of the work tree, or of the index
   * @param {{ user: string | null, own: string | null }} texts the user's file and `.git/info/attributes`
   */
  constructor(read, { user, own }) {
    this.read = read;
    this.#user = user === null ? [] : [{ prefix: "", rules: parse(user, this.#macros) }];
    // The macros of the root are known to `info/attributes`.
    this.#levelOf("");
    this.#own = own === null ? [] : [{ prefix: "", rules: parse(own, this.#macros) }];
  }

  /** Read the files of the work tree again when they are next needed. */
  forget() {
    this.#levels.clear();
    this.#levelOf("");
  }

  /** @param {string} folder @returns {Level | null} */
  #levelOf(folder) {
    const known = this.#levels.get(folder);
    if (known !== undefined) return known;
    const content = this.read(folder + NAME);
    const level = content && { prefix: folder, rules: parse(decode(content), folder === "" ? this.#macros : new Map()) };
    this.#levels.set(folder, level);
    return level;
  }

  /** @param {string} path @returns {Level[]} from the weakest to the strongest */
  #levelsOf(path) {
    const levels = [...this.#user];
    for (let at = 0; ; ) {
      const level = this.#levelOf(path.slice(0, at));
      if (level) levels.push(level);
      const next = path.indexOf("/", at);
      if (next < 0) return [...levels, ...this.#own];
      at = next + 1;
    }
  }

  /** @param {string} path from the root @returns {Map<string, Value>} */
  of(path) {
    /** @type {Map<string, Value>} */
    const values = new Map();
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (const { prefix, rules } of this.#levelsOf(path)) {
      const rest = path.slice(prefix.length);
      for (const { pattern, whole, assignments } of rules) if (pattern.test(whole ? rest : name)) this.#assign(assignments, values);
    }
    return values;
  }

  /** @param {Assignments} assignments @param {Map<string, Value>} values */
  #assign(assignments, values) {
    for (const [name, value] of assignments) {
      values.delete(name);
      values.set(name, value);
      const macro = value === true ? this.#macros.get(name) : undefined;
      if (macro) this.#assign(macro, values);
    }
  }
}
