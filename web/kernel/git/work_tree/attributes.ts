// Attributes of paths, as gitattributes(5) describes their files, order and macros.
import { decode } from "../../bytes.ts";
import { pathPattern } from "../repository/path_patterns.ts";

/** null is unspecified, as `!name` makes it */
export type Value = boolean | string | null;

type Assignments = [string, Value][];

/** `whole`: of the path, not only of the name */
type Rule = { pattern: RegExp; whole: boolean; assignments: Assignments };

/** the rules of one file */
type Level = { prefix: string; rules: Rule[] };

export const NAME = ".gitattributes";
const MACRO = "[attr]";
const BINARY: [string, Assignments] = ["binary", ["diff", "merge", "text"].map((name) => [name, false])];

function assignment(word: string): [string, Value] {
  if (word.startsWith("-")) return [word.slice(1), false];
  if (word.startsWith("!")) return [word.slice(1), null];
  const at = word.indexOf("=");
  return at < 0 ? [word, true] : [word.slice(0, at), word.slice(at + 1)];
}

/** Split a line into its pattern, which may be in quotes, and its attributes. */
function fields(line: string) {
  const [, quoted] = /^"((?:\\.|[^"\\])*)"(?=\s|$)/.exec(line) ?? [];
  if (quoted === undefined) return line.split(/[ \t\r]+/);
  const rest = line.slice(quoted.length + 2).trim();
  return [quoted.replace(/\\(.)/g, "$1"), ...(rest ? rest.split(/[ \t\r]+/) : [])];
}

/** @param macros - receives the file's macros */
function parse(text: string, macros: Map<string, Assignments>): Rule[] {
  const rules: Rule[] = [];
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
  /** By folder, with `/` at its end. */
  #levels = new Map<string, Level | null>();
  #macros = new Map([BINARY]);
  #user: Level[];
  #own: Level[];
  read: (name: string) => Uint8Array | null;

  /**
   * @param read - returns a file of the work tree, or of the index
   * @param texts - the user's file and `.git/info/attributes`
   */
  constructor(read: (name: string) => Uint8Array | null, { user, own }: { user: string | null; own: string | null }) {
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

  #levelOf(folder: string): Level | null {
    const known = this.#levels.get(folder);
    if (known !== undefined) return known;
    const content = this.read(folder + NAME);
    const level = content && {
      prefix: folder,
      rules: parse(decode(content), folder === "" ? this.#macros : new Map()),
    };
    this.#levels.set(folder, level);
    return level;
  }

  /** @returns from the weakest to the strongest */
  #levelsOf(path: string): Level[] {
    const levels = [...this.#user];
    for (let at = 0; ; ) {
      const level = this.#levelOf(path.slice(0, at));
      if (level) levels.push(level);
      const next = path.indexOf("/", at);
      if (next < 0) return [...levels, ...this.#own];
      at = next + 1;
    }
  }

  /** @param path - from the root */
  of(path: string): Map<string, Value> {
    const values = new Map<string, Value>();
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (const { prefix, rules } of this.#levelsOf(path)) {
      const rest = path.slice(prefix.length);
      for (const { pattern, whole, assignments } of rules)
        if (pattern.test(whole ? rest : name)) this.#assign(assignments, values);
    }
    return values;
  }

  #assign(assignments: Assignments, values: Map<string, Value>) {
    for (const [name, value] of assignments) {
      values.delete(name);
      values.set(name, value);
      const macro = value === true ? this.#macros.get(name) : undefined;
      if (macro) this.#assign(macro, values);
    }
  }
}
