// The expansion of words (Bash manual, 3.5): braces, tilde, parameters, commands, calculations, splitting, names of files.
//
// The functions return a promise only where something has to be waited for, as in a command substitution.
import { calculate } from "./arithmetic.ts";
import { expandBraces, withoutBraces } from "./braces.ts";
import { ArithmeticError, CommandError, ExpansionError, LineError } from "../control.ts";
import { matchingPaths } from "./globbing.ts";
import { evaluator } from "../evaluator.ts";
import { inCharacters, isAscii } from "./locale.ts";
import { separatorsOf } from "./parameters.ts";
import { escapePattern, literal } from "./patterns.ts";
import { expandParameter } from "./parameter_expansion.ts";
import type { Shell, Node } from "../shell.ts";
import { parseText, parseWord } from "./syntax/reader.ts";
import type { Variables } from "./variables.ts";

/** `pattern` where it has characters that patterns use */
type Field = { text: string; pattern: string | null };

/** what takes the parts of a word */
export interface Sink {
  /** text of the script */
  literal: (text: string) => void;
  /** `*` and its like, of the script */
  glob: (text: string) => void;
  quoted: (text: string) => void;
  /** the value of an unquoted expansion */
  expansion: (text: string) => void;
  /** of `$@` and its like */
  list: (values: string[], quoted: boolean, star: boolean) => void;
}

const ACTIVE = /[*?[\]\\]|[@!+]\(/;

/** Splits into fields. */
class FieldSink implements Sink {
  variables: Variables;
  separators: string;
  fields: Field[] = [];
  current: Field | null = null;
  /** True if blanks have just ended a field. */
  afterBlanks = false;

  constructor(shell: Shell) {
    this.variables = shell.variables;
    this.separators = inCharacters(shell.variables, separatorsOf(shell));
  }

  /** @param pattern - null for text that stands for itself */
  add(text: string, pattern: string | null) {
    this.afterBlanks = false;
    const field = (this.current ??= { text: "", pattern: null });
    if (pattern !== null) field.pattern = (field.pattern ?? escapePattern(field.text)) + pattern;
    else if (field.pattern !== null) field.pattern += escapePattern(text);
    field.text += text;
  }
  literal(text: string) {
    this.add(text, null);
  }
  quoted(text: string) {
    this.add(text, null);
  }
  glob(text: string) {
    this.add(text, text);
  }
  end() {
    if (this.current) this.fields.push(this.current);
    this.current = null;
  }

  // Bash manual, 3.5.7.
  expansion(value: string) {
    const { separators } = this;
    const text = isAscii(separators) ? value : inCharacters(this.variables, value);
    let start = 0;
    const take = (end: number) => {
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

  list(values: string[], quoted: boolean, star: boolean) {
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

/** Joins to one text. */
class TextSink implements Sink {
  text = "";
  separators: string;
  literally: (text: string) => string;

  /** @param literally - what quoted text becomes */
  constructor(separators: string, literally: (text: string) => string = (text) => text) {
    this.separators = separators;
    this.literally = literally;
  }
  literal(text: string) {
    this.text += text;
  }
  quoted(text: string) {
    this.text += this.literally(text);
  }
  glob(text: string) {
    this.text += text;
  }
  expansion(text: string) {
    this.text += text;
  }
  list(values: string[], quoted: boolean, star: boolean) {
    const text = values.join(star ? this.separators.charAt(0) : " ");
    if (quoted) this.quoted(text);
    else this.expansion(text);
  }
}

const plainTexts = new WeakMap<Node, string | null>();

/** The text of a word in which nothing is expanded. */
export function plainText(word: Node): string | null {
  const known = plainTexts.get(word);
  if (known !== undefined) return known;
  const plain = word.parts.every(
    ({ type, value }: Node) => PLAIN.has(type) && !(type === "Literal" && value.startsWith("~")),
  );
  const text = plain ? word.parts.map((part: Node) => part.value).join("") : null;
  plainTexts.set(word, text);
  return text;
}
const PLAIN = new Set(["Literal", "SingleQuoted", "Escaped"]);

/** The fields of words. */
export async function expandFields(shell: Shell, words: Node[]): Promise<string[]> {
  const fields: string[] = [];
  for (const word of words) {
    const plain = plainText(word);
    if (plain !== null) fields.push(plain);
    else {
      for (const one of shell.options.has("braceexpand") ? expandBraces(word).map(withTilde) : [withoutBraces(word)]) {
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

/** A word that braces have made, with the tilde that is now at its start: `{~,~root}/x`. */
function withTilde(word: Node): Node {
  const end = word.parts.findIndex((part: Node) => part.type !== "Literal");
  const literals = end < 0 ? word.parts : word.parts.slice(0, end);
  const text = literals.map((part: Node) => part.value).join("");
  const [whole = "", user = "", slash = ""] = /^~([\w.+-]*)(\/|$)/.exec(text) ?? [];
  if (!whole || (!slash && end >= 0)) return word;
  const rest = { type: "Literal", value: text.slice(whole.length - slash.length) };
  return { type: "Word", parts: [{ type: "TildeExpansion", user }, rest, ...word.parts.slice(literals.length)] };
}

function expandPaths(shell: Shell, { text, pattern }: Field): string[] {
  if (pattern === null || shell.options.has("noglob") || !ACTIVE.test(pattern)) return [text];
  const paths = matchingPaths(shell, pattern);
  if (paths.length) return paths;
  if (shell.shopts.has("failglob")) throw new LineError(`no match: ${text}`);
  return shell.shopts.has("nullglob") ? [] : [text];
}

/** A word as one text: of an assignment, a here-string, a `case`. */
export function expandText(shell: Shell, word: Node): string | Promise<string> {
  return plainText(word) ?? collect(shell, word.parts);
}

/** A word as a pattern, in which quoted text stands for itself. */
export const expandPattern = (shell: Shell, word: Node): string | Promise<string> =>
  collect(shell, word.parts, escapePattern);

/** A word as a regular expression. */
export const expandRegex = (shell: Shell, word: Node): string | Promise<string> => collect(shell, word.parts, literal);

/** @param literally - what quoted text becomes */
function collect(shell: Shell, parts: Node[], literally?: (text: string) => string): string | Promise<string> {
  const sink = new TextSink(separatorsOf(shell), literally);
  const waiting = expandParts(shell, parts, sink, false);
  return waiting ? waiting.then(() => sink.text) : sink.text;
}

/** The value of an assignment, where a tilde is expanded after each colon. */
export function expandValue(shell: Shell, word: Node) {
  const plain = plainText(word);
  if (plain !== null && !plain.includes("~")) return plain;
  if (!word.parts.some((part: Node) => part.type === "Literal" && part.value.includes(":~")))
    return expandText(shell, word);
  const home = shell.variables.text("HOME") ?? "";
  const parts = word.parts.map((part: Node) =>
    part.type === "Literal" ? { ...part, value: part.value.replace(/(?<=:)~(?=[/:]|$)/g, home) } : part,
  );
  return collect(shell, parts);
}

/** A calculation, with the parameters and commands in it expanded. */
export function expandInline(shell: Shell, text: string) {
  if (!/[$`"'\\]/.test(text)) return text;
  return collect(shell, partsOf(shell, text));
}

/** @param text - as it is written in the script */
export function calculateText(shell: Shell, text: string): bigint | Promise<bigint> {
  const expanded = expandInline(shell, text);
  return typeof expanded === "string"
    ? calculate(shell.variables, expanded)
    : expanded.then((one) => calculate(shell.variables, one));
}

/** The number of an expansion: `$((…))`, or a place in `${x:…}`. */
export async function expandNumber(shell: Shell, expression: Node): Promise<bigint> {
  try {
    return await calculateText(shell, expression.originalText ?? "");
  } catch (error) {
    throw error instanceof ArithmeticError ? new ExpansionError(error.message) : error;
  }
}

// Where quotes are others' than the subscript's.
const NESTED = /[`\\]|\$[({']/;

/**
 * A subscript, which is read as a word.
 * @param name - of a variable that exists: in a calculated index, `'` stands for itself, as in double quotes
 */
export function expandSubscript(shell: Shell, name: string | null, text: string) {
  if (!/[$`"'\\]/.test(text)) return text;
  const isCalculated = name !== null && !shell.variables.isMap(name) && !NESTED.test(text);
  const read = isCalculated ? text.replaceAll("'", "\\'") : text;
  return collect(shell, parseWord(read));
}

const inlineParts = new Map<string, Node[]>();
const MOST_WORDS = 1000;

/**
 * Return a function that removes quotes from one text after another; a quote may end in a later one. As in double quotes,
 * `'` stands for itself, except in the key of a map.
 */
function quoteRemover(isMap: (name: string) => boolean): (text: string) => string {
  let open = "";
  // For each subscript around, whether it is a key.
  const keys: boolean[] = [];
  return (text) => {
    let rest = "";
    for (const character of text) {
      const isQuote = character === '"' || (character === "'" && keys.at(-1) === true);
      if (character === open) open = "";
      else if (isQuote && !open) open = character;
      else {
        if (!open && character === "[") keys.push(isMap(/\w*$/.exec(rest)?.[0] ?? ""));
        if (!open && character === "]") keys.pop();
        rest += character;
      }
    }
    return rest;
  };
}

/** The parts of text whose expansions are written within `[…]`, `$((…))` or a prompt, without its quotes. */
function partsOf({ variables }: Shell, text: string): Node[] {
  // A variable's kind may change.
  const isFixed = !text.includes("'");
  let parts = isFixed ? inlineParts.get(text) : undefined;
  if (parts === undefined) {
    const unquote = quoteRemover((name) => variables.isMap(name));
    parts = parseText(text).map((part) => (part.type === "Literal" ? { ...part, value: unquote(part.value) } : part));
    if (inlineParts.size > MOST_WORDS) inlineParts.clear();
    if (isFixed) inlineParts.set(text, parts);
  }
  return parts;
}

/** The text of a here-document. */
export const expandHereText = (shell: Shell, word: Node) => collect(shell, word.parts);

/** A prompt: its escapes, then the parameters and commands in it (Bash manual, 6.9). */
export function expandPrompt(shell: Shell, text: string): string | Promise<string> {
  const decoded = shell.prompt(text);
  if (!shell.shopts.has("promptvars") || !/[$`]/.test(decoded)) return decoded;
  return collect(shell, parseText(decoded));
}

/** Expand parts of a word into a sink. */
export function expandParts(shell: Shell, parts: Node[], sink: Sink, quoted: boolean, start = 0): Promise<void> | void {
  for (let at = start; at < parts.length; at++) {
    const waiting = expandPart(shell, parts[at], sink, quoted);
    if (waiting) return waiting.then(() => expandParts(shell, parts, sink, quoted, at + 1));
  }
}

function expandPart(shell: Shell, part: Node, sink: Sink, quoted: boolean): Promise<void> | void {
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

async function expandLater(shell: Shell, part: Node, sink: Sink, quoted: boolean) {
  const put = (text: string) => (quoted ? sink.quoted(text) : sink.expansion(text));
  if (part.type === "CommandSubstitution") put(await evaluator.substituteCommand(shell, part.body.statements));
  else if (part.type === "ArithmeticExpansion") put(String(await expandNumber(shell, part.expression)));
  else if (part.type === "ProcessSubstitution") sink.quoted(await evaluator.substituteProcess(shell, part));
  else if (part.type === "BraceExpansion") {
    const texts = expandBraces({ type: "Word", parts: [part] }).map((one) => expandText(shell, one));
    put((await Promise.all(texts)).join(" "));
  } else throw new CommandError(`${part.type} is not supported`);
}

function homeOf(shell: Shell, user: string | null | undefined) {
  if (user === "+") return shell.cwd;
  if (user === "-") return shell.variables.text("OLDPWD") ?? "~-";
  const [, sign = "", number = ""] = /^([-+]?)(\d+)$/.exec(user ?? "") ?? [];
  if (number)
    return [shell.cwd, ...shell.folders].at(sign === "-" ? -1 - Number(number) : Number(number)) ?? `~${user}`;
  if (user === "root") return "/root";
  if (!user || user === shell.variables.text("USER")) return shell.variables.text("HOME") ?? "/";
  return `~${user}`;
}
