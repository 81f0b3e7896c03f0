// Patterns (Bash manual, 3.5.8.1) as regular expressions.
import { tableOf } from "../../tables.ts";

const SPECIAL = /[*?[\]\\()|!@+]/g;
const REGEX_CHARACTERS = /[\\^$.*+?()[\]{}|/]/g;
export const CLASSES: Record<string, string> = tableOf({
  alpha: "\\p{L}",
  digit: "0-9",
  alnum: "\\p{L}\\p{Nd}",
  upper: "\\p{Lu}",
  lower: "\\p{Ll}",
  space: "\\s",
  blank: " \\t",
  punct: "!-\\/:-@\\[-`{-~",
  print: " -~\\u{a0}-\\u{10ffff}",
  graph: "!-~\\u{a1}-\\u{10ffff}",
  cntrl: "\\0-\\x1f\\x7f",
  xdigit: "0-9A-Fa-f",
  word: "\\w",
});

/** @returns the pattern that matches this text only */
export const escapePattern = (text: string): string => text.replace(SPECIAL, "\\$&");

/** @returns whether it matches more than one text */
export const hasPattern = (pattern: string): boolean => /(?<!\\)(?:\\\\)*(?:[*?[]|[@!+]\()/.test(pattern);

/** The text of a pattern that matches one text only. */
export const unescapePattern = (pattern: string) => pattern.replace(/\\([^])/g, "$1");

// What a regular expression with the flag `u` has escaped in brackets; it allows no other escapes.
const WITHIN_BRACKETS = /[\\^$.*+?()[\]{}|/-]/;

/** @param inside - of `[…]`, without the brackets */
function bracket(inside: string): string {
  const negated = /^[!^]/.test(inside);
  const body = (negated ? inside.slice(1) : inside).replace(
    /\[:(\w+):\]|\[([.=])(.)\2\]|\\([^])|([[\]^&~/|(){}\\])/g,
    (_, name, __, equal, escaped, special) => {
      if (name) return CLASSES[name] ?? "";
      const character = equal ?? escaped ?? special;
      return WITHIN_BRACKETS.test(character) ? `\\${character}` : character;
    },
  );
  // A hyphen at either end stands for itself.
  const safe = body.replace(/^-/, "\\-").replace(/(?<!\\)-$/, "\\-");
  return `[${negated ? "^" : ""}${safe}]`;
}

class Compiler {
  pattern: string;
  extended: boolean;

  constructor(pattern: string, extended: boolean) {
    this.pattern = pattern;
    this.extended = extended;
  }

  /** The end of the bracket that opens at `start`, or -1. */
  bracketEnd(start: number) {
    let at = start + 1;
    if (/[!^]/.test(this.pattern.charAt(at))) at++;
    if (this.pattern.charAt(at) === "]") at++;
    for (; at < this.pattern.length; at++) {
      const character = this.pattern.charAt(at);
      if (character === "\\") at++;
      else if (character === "[" && /[:.=]/.test(this.pattern.charAt(at + 1))) {
        const end = this.pattern.indexOf(`${this.pattern.charAt(at + 1)}]`, at + 2);
        if (end > 0) at = end + 1;
      } else if (character === "]") return at;
    }
    return -1;
  }

  /** The alternatives of the group whose parenthesis opens at `start`. */
  group(start: number): { parts: string[]; end: number } | null {
    const parts = [];
    let depth = 0;
    let from = start + 1;
    for (let at = start; at < this.pattern.length; at++) {
      const character = this.pattern.charAt(at);
      if (character === "\\") at++;
      else if (character === "(") depth++;
      else if (character === ")" && --depth === 0) return { parts: [...parts, this.pattern.slice(from, at)], end: at };
      else if (character === "|" && depth === 1) {
        parts.push(this.pattern.slice(from, at));
        from = at + 1;
      }
    }
    return null;
  }

  compile(): string {
    let source = "";
    for (let at = 0; at < this.pattern.length; at++) {
      const character = this.pattern.charAt(at);
      const group =
        this.extended && /[*?@+!]/.test(character) && this.pattern.charAt(at + 1) === "(" ? this.group(at + 1) : null;
      if (group) {
        const rest = new Compiler(this.pattern.slice(group.end + 1), true);
        if (character === "!") return source + negated(group.parts, rest.compile());
        const inner = group.parts.map((part) => new Compiler(part, true).compile()).join("|");
        source += `(?:${inner})${character === "@" ? "" : character}`;
        at = group.end;
      } else if (character === "\\" && at + 1 < this.pattern.length) source += literal(this.pattern.charAt(++at));
      else if (character === "*") source += "[^]*";
      else if (character === "?") source += "[^]";
      else if (character === "[") {
        const end = this.bracketEnd(at);
        source += end < 0 ? "\\[" : bracket(this.pattern.slice(at + 1, end));
        if (end >= 0) at = end;
      } else source += literal(character);
    }
    return source;
  }
}

/** @returns the regular expression that matches this text only */
export const literal = (text: string) => text.replace(REGEX_CHARACTERS, "\\$&");

/** `!(…)` matches all that none of the alternatives would, where the rest follows. */
function negated(parts: string[], rest: string) {
  const inner = parts.map((part) => new Compiler(part, true).compile()).join("|");
  return `(?!(?:${inner})${rest}$)[^]*${rest}`;
}

const compiled = new Map<string, RegExp>();
const MOST_COMPILED = 1000;

export function patternRegex(
  pattern: string,
  {
    extended = true,
    ignoreCase = false,
    anchors = "both",
    lazy = false,
  }: {
    extended?: boolean;
    ignoreCase?: boolean;
    anchors?: "both" | "start" | "end" | "none";
    lazy?: boolean;
  } = {},
): RegExp {
  const key = `${extended}${ignoreCase}${anchors}${lazy}${pattern}`;
  let regex = compiled.get(key);
  if (regex === undefined) {
    let source = new Compiler(pattern, extended).compile();
    if (lazy) source = source.replaceAll("[^]*", "[^]*?");
    const start = anchors === "both" || anchors === "start" ? "^" : "";
    const end = anchors === "both" || anchors === "end" ? "$" : "";
    try {
      regex = new RegExp(`${start}(?:${source})${end}`, ignoreCase ? "iu" : "u");
    } catch {
      regex = new RegExp(`^${[...pattern].map(literal).join("")}$`, "u");
    }
    if (compiled.size > MOST_COMPILED) compiled.clear();
    compiled.set(key, regex);
  }
  return regex;
}
