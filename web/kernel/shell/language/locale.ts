// The locale's characters (POSIX, XBD 6.2): in `C` and `POSIX` each byte is one, in `C.UTF-8` each code point.
import { byteText, characterText, quoteForReuse, rejoined } from "./quoting.ts";
import { encode, isText } from "../../bytes.ts";
import { patternRegex } from "./patterns.ts";
import type { Shell } from "../shell.ts";
import type { Variables } from "./variables.ts";

// The C library compares the name of a codeset without case and hyphens.
const UNICODE = /^C\.utf-?8$/i;
const PLAIN = new Set(["C", "POSIX"]);

export const isAscii = (text: string) => !/[^\0-\x7f]/.test(text);

/** The variables that choose the locale of characters, the strongest first. */
const CHARACTER_VARIABLES = ["LC_ALL", "LC_CTYPE", "LANG"];

/** @returns whether there is such a locale, as in Debian without further ones */
const hasLocale = (name: string): boolean => PLAIN.has(name) || UNICODE.test(name);

/** @returns whether a character is a byte; an unknown locale changes nothing, as in bash */
export function isByteLocale(variables: Variables): boolean {
  for (const name of CHARACTER_VARIABLES) {
    const value = variables.text(name);
    if (value) return PLAIN.has(value);
  }
  return true;
}

/**
 * A text in the locale's characters: where they are bytes, bytes above 127 are lone surrogates
 * (bytes.ts).
 */
export function inCharacters(variables: Variables, text: string): string {
  if (isAscii(text)) return text;
  return isByteLocale(variables) ? Array.from(encode(text), byteText).join("") : rejoined(text);
}

/** A name in a message: it is quoted if a byte of it isn't printed. */
export function printable(variables: Variables, name: string) {
  const text = inCharacters(variables, name);
  return isText(text) ? text : quoteForReuse(text);
}

// A category whose locale is set when its variable is.
const CATEGORIES = new Set(["LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME"]);

/** The warning about a variable that was assigned, if it names an unknown locale. */
export function localeWarning(variables: Variables, name: string) {
  const value = variables.text(name);
  if (!value || hasLocale(value) || !CATEGORIES.has(name) || (name !== "LC_ALL" && variables.text("LC_ALL")))
    return null;
  return `warning: setlocale: ${name}: cannot change locale (${value}): No such file or directory`;
}

/** Return whether a pattern matches an entire text. */
export function matchesPattern({ variables, shopts }: Shell, text: string, pattern: string) {
  const regex = patternRegex(inCharacters(variables, pattern), { ignoreCase: shopts.has("nocasematch") });
  return regex.test(inCharacters(variables, text));
}

// A character is one in the other case, too: `ß` stays, and the dot of `İ` goes.
const same = (character: string, changed: string) => ([...changed].length === 1 ? changed : character);
export const toUpper = (text: string) =>
  isAscii(text) ? text.toUpperCase() : Array.from(text, (one) => same(one, one.toUpperCase())).join("");
export const toLower = (text: string) =>
  isAscii(text)
    ? text.toLowerCase()
    : Array.from(text, (one) => String.fromCodePoint(one.toLowerCase().codePointAt(0) ?? 0)).join("");

/** The character of a code, or the escape that bash prints where the locale has no such character. */
export function characterOf(variables: Variables, code: number) {
  if (code < 0x80 || !isByteLocale(variables)) return characterText(code);
  const digits = code.toString(16).toUpperCase();
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}
