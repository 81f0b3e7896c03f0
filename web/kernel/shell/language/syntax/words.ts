// Words (Bash manual, 3.1.2 and 3.5): quotes, expansions, braces, tildes and patterns, as parts.
import { readBraces } from "./braces.ts";
import { readBackquoted, readExpansion } from "./expansions.ts";
import { META, type Input } from "./input.ts";
import { decodeEscapes } from "../quoting.ts";
import type { Node } from "../../shell.ts";
import { endOfAnsi, endOfQuote, skip } from "./scanning.ts";

/** how a word is read */
export interface Manner {
  /** whether an unquoted character ends it */
  ends: (character: string) => boolean;
  /** whether braces are expanded */
  braces?: boolean;
  /** whether a tilde at its start is */
  tilde?: boolean;
  /** whether patterns are marked as such */
  globs?: boolean;
  /** whether `@(…)` is a pattern */
  extended?: boolean;
  /** whether parentheses belong to it, as in a regular expression */
  groups?: boolean;
  /** whether it is part of a double-quoted text, where single quotes stand for themselves */
  quotedWord?: boolean;
}

export const endsWord = (character: string) => META.has(character);

/** Collects the parts of a word: neighbouring literals and patterns are one part each. */
export class Parts {
  list: Node[] = [];

  literal(value: string) {
    const last = this.list.at(-1);
    if (last?.type === "Literal") last.value += value;
    else this.list.push({ type: "Literal", value });
  }

  glob(pattern: string) {
    const last = this.list.at(-1);
    if (last?.type === "Glob") last.pattern += pattern;
    else this.list.push({ type: "Glob", pattern });
  }

  add(...parts: Node[]) {
    this.list.push(...parts);
  }
}

/** @returns a word of a command, which has at least one character */
export function readWord(input: Input, manner: Partial<Manner> = {}): Node {
  const start = input.at;
  const parts = readParts(input, {
    ends: endsWord,
    braces: true,
    tilde: true,
    globs: true,
    extended: input.dialect.extglob,
    ...manner,
  });
  return { type: "Word", parts, text: input.text.slice(start, input.at) };
}

export function readParts(input: Input, manner: Manner): Node[] {
  const parts = new Parts();
  if (manner.tilde && input.peek() === "~") readTilde(input, parts, manner);
  // The position at which an open bracket of a pattern closes.
  let bracket = -1;
  // In a quoted word, single quotes stand for themselves, and what closes the word doesn't between them.
  let quotedTo = -1;
  while (!input.ended) {
    const character = input.peek();
    if (manner.quotedWord && character === "'" && input.at >= quotedTo) quotedTo = endOfLiteralQuote(input);
    const end = PLAIN_TEXT.exec(rest(input))?.[0].length ?? 0;
    if (end > 0 && bracket < 0 && !manner.groups && !holdsEnd(input, end, manner)) {
      parts.literal(input.text.slice(input.at, input.at + end));
      input.at += end;
    } else if (readQuoted(input, parts, manner)) continue;
    else if (input.at < quotedTo) readCharacter(input, parts);
    else if (manner.ends(character) && !isProcess(input, manner) && !isGroup(input, manner)) break;
    else if (isProcess(input, manner)) parts.add(readProcess(input));
    else if (manner.braces && character === "{" && bracket < 0) readBraces(input, parts, manner);
    else if (manner.extended && EXTENDED.test(character) && input.peek(1) === "(" && bracket < 0)
      readExtended(input, parts, manner);
    else if (manner.globs) bracket = readGlob(input, parts, manner, bracket);
    else readCharacter(input, parts);
  }
  return parts.list;
}

/** A here-document isn't refused for a quote that doesn't end. */
function endOfLiteralQuote(input: Input) {
  return input.isHereDoc && !input.text.includes("'", input.at + 1) ? -1 : endOfQuote(input, input.at);
}

const PLAIN_TEXT = /^[\w./,:%=+-]+/;
const EXTENDED = /[@!?*+]/;
const LOOK_AHEAD = 64;
const rest = (input: Input) => input.text.slice(input.at, input.at + LOOK_AHEAD);

/** Return whether plain text has a character that ends this word or begins a group. */
function holdsEnd(input: Input, length: number, manner: Manner) {
  const next = input.peek(length);
  // `+(` is a pattern.
  if (manner.extended && next === "(" && input.peek(length - 1) === "+") return true;
  if (manner.ends === endsWord) return false;
  for (let at = 0; at < length; at++) if (manner.ends(input.peek(at))) return true;
  return false;
}

function readCharacter(input: Input, parts: Parts) {
  parts.literal(input.peek());
  input.at++;
}

/** @returns whether something quoted or an expansion was next */
function readQuoted(input: Input, parts: Parts, { quotedWord }: Manner): boolean {
  const character = input.peek();
  if (character === "\\") readEscape(input, parts, quotedWord);
  else if (character === "'" && !quotedWord) parts.add(readSingleQuoted(input));
  else if (character === '"') parts.add(readDoubleQuoted(input));
  else if (character === "$") readDollar(input, parts, quotedWord, !quotedWord || !input.isHereDoc);
  else if (character === "`") parts.add(readBackquoted(input, Boolean(quotedWord)));
  else return false;
  return true;
}

function readEscape(input: Input, parts: Parts, quotedWord?: boolean) {
  const next = input.peek(1);
  input.at = Math.min(input.at + 2, input.text.length);
  if (next === "\n") return;
  if (quotedWord && !/[$`"\\}]/.test(next)) parts.literal(`\\${next}`);
  else if (next === "") parts.literal("\\");
  else parts.add({ type: "Escaped", value: next });
}

function readSingleQuoted(input: Input): Node {
  const end = input.text.indexOf("'", input.at + 1);
  if (end < 0) throw input.unclosed("'");
  const value = input.text.slice(input.at + 1, end);
  input.at = end + 1;
  return { type: "SingleQuoted", value };
}

/** @param ansi - whether `$'…'` is a quote, as in a word of `${…}` that is quoted */
function readDollar(input: Input, parts: Parts, quoted?: boolean, ansi: boolean = !quoted) {
  if (input.peek(1) === "'" && ansi) {
    const end = endOfAnsi(input, input.at + 1);
    parts.add({ type: "SingleQuoted", value: decodeEscapes(input.text.slice(input.at + 2, end - 1)) });
    input.at = end;
  } else if (input.peek(1) === '"' && ansi) {
    input.at++;
    parts.add(readDoubleQuoted(input));
  } else {
    const expansion = readExpansion(input, Boolean(quoted));
    if (expansion) parts.add(expansion);
    else readCharacter(input, parts);
  }
}

function readDoubleQuoted(input: Input): Node {
  const start = input.at;
  input.at++;
  const parts = readQuotedText(input, '"');
  if (!input.take('"')) throw input.unclosed('"', start);
  return { type: "DoubleQuoted", parts };
}

/**
 * Read the text between double quotes, or a here-document: expansions, and a backslash before few characters.
 * @param closing - the character that ends it, "" for the end of the text
 */
export function readQuotedText(input: Input, closing: string): Node[] {
  const parts = new Parts();
  const escaped = closing === "" ? /[$`\\]/ : /[$`"\\]/;
  while (!input.ended && !(closing && input.peek() === closing)) {
    const character = input.peek();
    const next = input.peek(1);
    if (character === "\\") {
      if (next !== "\n") parts.literal(escaped.test(next) ? next : character + next);
      input.at += 2;
    } else if (character === "$") readDollar(input, parts, true);
    else if (character === "`") parts.add(readBackquoted(input, closing !== ""));
    else {
      const [text = character] = QUOTED_TEXT.exec(input.text.slice(input.at, input.at + LOOK_AHEAD)) ?? [];
      parts.literal(closing === "" ? text : text.split(closing, 1)[0] || text);
      input.at += closing === "" ? text.length : (text.split(closing, 1)[0] || text).length;
    }
  }
  return parts.list;
}
const QUOTED_TEXT = /^[^\\$`]+/;

/** `~`, `~user`, `~+` (Bash manual, 3.5.2). */
function readTilde(input: Input, parts: Parts, manner: Manner) {
  const [, user = ""] = /^~([\w.+-]*)/.exec(rest(input)) ?? [];
  const after = input.peek(1 + user.length);
  if (after !== "" && after !== "/" && after !== ":" && !manner.ends(after)) return;
  input.at += 1 + user.length;
  parts.add({ type: "TildeExpansion", user: user || null });
}

/** `<(` and `>(`. */
const isProcess = (input: Input, { ends }: Manner) =>
  ends === endsWord && input.peek(1) === "(" && (input.peek() === "<" || input.peek() === ">");

/** A parenthesis that belongs to a regular expression. */
const isGroup = (input: Input, { groups }: Manner) => Boolean(groups) && GROUPING.test(input.peek());
const GROUPING = /[()|<>]/;

/** set by the parser of commands, which needs this module itself */
let readProcess: (input: Input) => Node = () => {
  throw new Error("the parser of commands isn't loaded");
};
export const useProcessReader = (reader: typeof readProcess) => void (readProcess = reader);

/** `@(one|other)`: its parts are words. */
function readExtended(input: Input, parts: Parts, manner: Manner) {
  const start = input.at;
  parts.glob(input.peek() + input.peek(1));
  input.at += 2;
  const inner = {
    ...manner,
    braces: false,
    tilde: false,
    groups: false,
    ends: (character: string) => character === "|" || character === ")",
  };
  for (;;) {
    for (const part of readParts(input, inner)) {
      if (part.type === "Glob") parts.glob(part.pattern);
      else parts.add(part);
    }
    if (input.take("|")) parts.glob("|");
    else if (input.take(")")) return parts.glob(")");
    else throw input.unclosed(")", start);
  }
}

/** @returns where an open bracket closes, or -1 */
function readGlob(input: Input, parts: Parts, manner: Manner, bracket: number): number {
  const character = input.peek();
  const { at } = input;
  if (bracket >= 0 || character === "*" || character === "?") {
    parts.glob(character);
    input.at++;
    return at === bracket ? -1 : bracket;
  }
  const end = character === "[" ? endOfBracket(input, manner) : -1;
  if (end < 0) readCharacter(input, parts);
  else {
    parts.glob("[");
    input.at++;
  }
  return end;
}

/** The position of the `]` that closes the `[` that is next, or -1. */
function endOfBracket(input: Input, { ends }: Manner) {
  const { text } = input;
  let at = input.at + 1;
  if (/[!^]/.test(text.charAt(at))) at++;
  if (text.charAt(at) === "]") at++;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === "]") return at;
    if (character === "[" && /[:.=]/.test(text.charAt(at + 1))) {
      const end = text.indexOf(`${text.charAt(at + 1)}]`, at + 2);
      if (end > 0) {
        at = end + 2;
        continue;
      }
    }
    if (ends(character)) return -1;
    at = Math.max(skip(input, at), at + 1);
  }
  return -1;
}
