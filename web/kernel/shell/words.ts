// The expansion of words (Bash manual, 3.5): braces, tilde, parameters, commands, calculations, splitting, names of files.
//
// The functions return a promise only where something has to be waited for, as in a command substitution.
import { calculateText } from "./arithmetic.js";
import { expandBraces, withoutBraces } from "./braces.js";
import { CommandError, LineError } from "./control.js";
import { matchingPaths } from "./globbing.js";
import { inCharacters, isAscii } from "./locale.js";
import { escapePattern } from "./patterns.js";
import { expandParameter } from "./parameter_expansion.js";
import { substituteCommand, substituteProcess } from "./substitutions.js";
import { parseText, parseWord } from "./syntax/reader.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./shell.js").Node} Node
 * @typedef {{ text: string, pattern: string | null }} Field `pattern` where it has characters that patterns use
 *
 * @typedef {object} Sink what takes the parts of a word
 * @property {(text: string) => void} literal text of the script
 * @property {(text: string) => void} glob `*` and its like, of the script
 * @property {(text: string) => void} quoted
 * @property {(text: string) => void} expansion the value of an unquoted expansion
 * @property {(values: string[], quoted: boolean, star: boolean) => void} list of `$@` and its like
 */

const BLANKS = " \t\n";
const ACTIVE = /[*?[\]\\]|[@!+]\(/;

/** Splits into fields. @implements {Sink} */
class FieldSink {
  /** @param {Shell} shell */
  constructor({ variables }) {
    this.variables = variables;
    this.separators = inCharacters(variables, variables.text("IFS") ?? BLANKS);
    /** @type {Field[]} */
    this.fields = [];
    /** @type {Field | null} */
    this.current = null;
    /** True if blanks have just ended a field. */
    this.afterBlanks = false;
  }

  /** @param {string} text @param {string | null} pattern null for text that stands for itself */
  add(text, pattern) {
    this.afterBlanks = false;
    const field = (this.current ??= { text: "", pattern: null });
    if (pattern !== null) field.pattern = (field.pattern ?? escapePattern(field.text)) + pattern;
    else if (field.pattern !== null) field.pattern += escapePattern(text);
    field.text += text;
  }
  /** @param {string} text */
  literal(text) {
    this.add(text, null);
  }
  /** @param {string} text */
  quoted(text) {
    this.add(text, null);
  }
  /** @param {string} text */
  glob(text) {
    this.add(text, text);
  }
  end() {
    if (this.current) this.fields.push(this.current);
    this.current = null;
  }

  // Bash manual, 3.5.7.
  /** @param {string} value */
  expansion(value) {
    const { separators } = this;
    const text = isAscii(separators) ? value : inCharacters(this.variables, value);
    let start = 0;
    const take = (/** @type {number} */ end) => {
      const piece = text.slice(start, end);
      if (piece) this.add(piece, ACTIVE.test(piece) ? piece : null);
    };
    for (let at = 0; at < text.length; at++) {
      const character = text.charAt(at);
      if (!separators.includes(character)) continue;
      take(at);
      start = at + 1;
      if (character === " " || character === "\t" || character === "\n") {
        if (this.current) this.afterBlanks = true;
        this.end();
      } else {
        if (!this.current && !this.afterBlanks) this.fields.push({ text: "", pattern: null });
        this.end();
        this.afterBlanks = false;
      }
    }
    take(text.length);
  }

  /** @param {string[]} values @param {boolean} quoted @param {boolean} star */
  list(values, quoted, star) {
    const separator = this.separators.charAt(0);
    if (quoted && star) return this.quoted(values.join(separator));
    // Where IFS begins with another character than a blank, empty values stay fields.
    if (!quoted && /[^ \t\n]/.test(separator)) return this.expansion(values.join(separator));
    values.forEach((value, at) => {
      if (at > 0) this.end();
      if (quoted) this.quoted(value);
      else this.expansion(value);
    });
  }
}

/** Joins to one text. @implements {Sink} */
class TextSink {
  text = "";
  /** @param {string} separators @param {(text: string) => string} [literally] what quoted text becomes */
  constructor(separators, literally = (text) => text) {
    this.separators = separators;
    this.literally = literally;
  }
  /** @param {string} text */
  literal(text) {
    this.text += text;
  }
  /** @param {string} text */
  quoted(text) {
    this.text += this.literally(text);
  }
  /** @param {string} text */
  glob(text) {
    this.text += text;
  }
  /** @param {string} text */
  expansion(text) {
    this.text += text;
  }
  /** @param {string[]} values @param {boolean} quoted @param {boolean} star */
  list(values, quoted, star) {
    const text = values.join(star ? this.separators.charAt(0) : " ");
    if (quoted) this.quoted(text);
    else this.expansion(text);
  }
}

/** @param {Shell} shell */
export const separatorsOf = (shell) => shell.variables.text("IFS") ?? BLANKS;

/** @type {WeakMap<Node, string | null>} */
const plainTexts = new WeakMap();

/** The text of a word in which nothing is expanded. @param {Node} word @returns {string | null} */
export function plainText(word) {
  const known = plainTexts.get(word);
  if (known !== undefined) return known;
  const plain = word.parts.every((/** @type {Node} */ { type, value }) => PLAIN.has(type) && !(type === "Literal" && value.startsWith("~")));
  const text = plain ? word.parts.map((/** @type {Node} */ part) => part.value).join("") : null;
  plainTexts.set(word, text);
  return text;
}
const PLAIN = new Set(["Literal", "SingleQuoted", "Escaped"]);

/** The fields of words. @param {Shell} shell @param {Node[]} words @returns {Promise<string[]>} */
export async function expandFields(shell, words) {
  /** @type {string[]} */
  const fields = [];
  for (const word of words) {
    const plain = plainText(word);
    if (plain !== null) fields.push(plain);
    else {
      for (const one of shell.options.has("braceexpand") ? expandBraces(word) : [withoutBraces(word)]) {
        const sink = new FieldSink(shell);
        const waiting = expandParts(shell, one.parts, sink, false);
        if (waiting) await waiting;
        sink.end();
        for (const field of sink.fields) fields.push(...expandPaths(shell, field));
      }
    }
  }
  return fields;
}

/** @param {Shell} shell @param {Field} field @returns {string[]} */
function expandPaths(shell, { text, pattern }) {
  if (pattern === null || shell.options.has("noglob") || !ACTIVE.test(pattern)) return [text];
  const paths = matchingPaths(shell, pattern);
  if (paths.length) return paths;
  if (shell.shopts.has("failglob")) throw new LineError(`no match: ${text}`);
  return shell.shopts.has("nullglob") ? [] : [text];
}

/** A word as one text: of an assignment, a here-string, a `case`. @param {Shell} shell @param {Node} word @returns {string | Promise<string>} */
export function expandText(shell, word) {
  return plainText(word) ?? collect(shell, word, new TextSink(separatorsOf(shell)));
}

/**
 * A word as a pattern, in which what is quoted stands for itself.
 * @param {Shell} shell @param {Node} word @returns {string | Promise<string>}
 */
export const expandPattern = (shell, word) => collect(shell, word, new TextSink(separatorsOf(shell), escapePattern));

const REGEX_CHARACTERS = /[\\^$.*+?()[\]{}|/]/g;

/** A word as a regular expression. @param {Shell} shell @param {Node} word @returns {string | Promise<string>} */
export const expandRegex = (shell, word) =>
  collect(shell, word, new TextSink(separatorsOf(shell), (text) => text.replace(REGEX_CHARACTERS, "\\$&")));

/** @param {Shell} shell @param {Node} word @param {TextSink} sink @returns {string | Promise<string>} */
function collect(shell, word, sink) {
  const waiting = expandParts(shell, word.parts, sink, false);
  return waiting ? waiting.then(() => sink.text) : sink.text;
}

/** The value of an assignment, where a tilde is expanded after each colon. @param {Shell} shell @param {Node} word */
export function expandValue(shell, word) {
  const plain = plainText(word);
  if (plain !== null && !plain.includes("~")) return plain;
  if (!word.parts.some((/** @type {Node} */ part) => part.type === "Literal" && part.value.includes(":~"))) return expandText(shell, word);
  const home = shell.variables.text("HOME") ?? "";
  const parts = word.parts.map((/** @type {Node} */ part) =>
    part.type === "Literal" ? { ...part, value: part.value.replace(/(?<=:)~(?=[/:]|$)/g, home) } : part,
  );
  return collect(shell, { type: "Word", parts }, new TextSink(separatorsOf(shell)));
}

/** A calculation, with the parameters and commands in it expanded. @param {Shell} shell @param {string} text */
export function expandInline(shell, text) {
  if (!/[$`"'\\]/.test(text)) return text;
  return collect(shell, wordOf(text), new TextSink(separatorsOf(shell)));
}

/** A subscript, which is read as a word. @param {Shell} shell @param {string} text */
export function expandSubscript(shell, text) {
  if (!/[$`"'\\]/.test(text)) return text;
  return collect(shell, { type: "Word", parts: parseWord(text) }, new TextSink(separatorsOf(shell)));
}

/** @type {Map<string, Node>} */
const inlineWords = new Map();
const MOST_WORDS = 1000;

/** Return a function that removes quotes from one text after another; a quote may end in a later one. @returns {(text: string) => string} */
function quoteRemover() {
  let open = "";
  return (text) => {
    let rest = "";
    for (const character of text) {
      const isQuote = character === "'" || character === '"';
      if (character === open) open = "";
      else if (isQuote && !open) open = character;
      else rest += character;
    }
    return rest;
  };
}

/** Text whose expansions are written within `[…]`, `$((…))` or a prompt, as a word without its quotes. @param {string} text @returns {Node} */
function wordOf(text) {
  let word = inlineWords.get(text);
  if (word === undefined) {
    const unquote = quoteRemover();
    const parts = parseText(text).map((part) => (part.type === "Literal" ? { ...part, value: unquote(part.value) } : part));
    word = { type: "Word", parts };
    if (inlineWords.size > MOST_WORDS) inlineWords.clear();
    inlineWords.set(text, word);
  }
  return word;
}

/** The text of a here-document. @param {Shell} shell @param {Node} word */
export const expandHereText = (shell, word) => collect(shell, word, new TextSink(separatorsOf(shell)));

/**
 * Expand parts of a word into a sink.
 * @param {Shell} shell @param {Node[]} parts @param {Sink} sink @param {boolean} quoted @param {number} [start]
 * @returns {Promise<void> | void}
 */
export function expandParts(shell, parts, sink, quoted, start = 0) {
  for (let at = start; at < parts.length; at++) {
    const waiting = expandPart(shell, parts[at], sink, quoted);
    if (waiting) return waiting.then(() => expandParts(shell, parts, sink, quoted, at + 1));
  }
}

/** @param {Shell} shell @param {Node} part @param {Sink} sink @param {boolean} quoted @returns {Promise<void> | void} */
function expandPart(shell, part, sink, quoted) {
  switch (part.type) {
    case "Literal":
      return quoted ? sink.quoted(part.value) : sink.literal(part.value);
    case "SingleQuoted":
    case "Escaped":
      return sink.quoted(part.value);
    case "Glob":
      return quoted ? sink.quoted(part.pattern) : sink.glob(part.pattern);
    case "DoubleQuoted":
      if (part.parts.length === 0) return sink.quoted("");
      return expandParts(shell, part.parts, sink, true);
    case "ParameterExpansion":
      return expandParameter(shell, part, sink, quoted);
    case "TildeExpansion":
      return sink.quoted(homeOf(shell, part.user));
    default:
      return expandLater(shell, part, sink, quoted);
  }
}

/** @param {Shell} shell @param {Node} part @param {Sink} sink @param {boolean} quoted */
async function expandLater(shell, part, sink, quoted) {
  const put = (/** @type {string} */ text) => (quoted ? sink.quoted(text) : sink.expansion(text));
  if (part.type === "CommandSubstitution") put(await substituteCommand(shell, part.body.statements));
  else if (part.type === "ArithmeticExpansion") put(String(await calculateText(shell, part.expression.originalText ?? "")));
  else if (part.type === "ProcessSubstitution") sink.quoted(await substituteProcess(shell, part));
  else if (part.type === "BraceExpansion") {
    const texts = expandBraces({ type: "Word", parts: [part] }).map((one) => expandText(shell, one));
    put((await Promise.all(texts)).join(" "));
  } else throw new CommandError(`${part.type} is not supported`);
}

/** @param {Shell} shell @param {string | null | undefined} user */
function homeOf(shell, user) {
  if (user === "+") return shell.cwd;
  if (user === "-") return shell.variables.text("OLDPWD") ?? "~-";
  const [, sign = "", number = ""] = /^([-+]?)(\d+)$/.exec(user ?? "") ?? [];
  if (number) return [shell.cwd, ...shell.folders].at(sign === "-" ? -1 - Number(number) : Number(number)) ?? `~${user}`;
  if (!user || user === shell.variables.text("USER")) return shell.variables.text("HOME") ?? "/";
  return user === "root" ? "/root" : `~${user}`;
}
