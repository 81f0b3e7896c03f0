// Text as it can be read by a shell again, and the escapes of `$'…'` and `echo -e`.
import { decode, encode } from "../../bytes.ts";

/** In single quotes, as `alias` and `trap` print it. */
export const shellQuote = (text: string) => (text === "'" ? "\\'" : `'${text.replaceAll("'", "'\\''")}'`);

// Characters that the C library doesn't print.
const CONTROL = /[\x00-\x1f\x7f-\x9f\u2028\u2029\udc80-\udcff\p{Cn}]/u;
const NAMED: Record<string, string> = {
  ...{ "\x07": "\\a", "\b": "\\b", "\x1b": "\\E", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v" },
  ...{ "'": "\\'", "\\": "\\\\" },
};

/** `$'…'`. */
function ansiQuote(text: string) {
  const body = Array.from(text, (character) => {
    if (NAMED[character]) return NAMED[character];
    if (!CONTROL.test(character)) return character;
    return Array.from(encode(character), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  });
  return `$'${body.join("")}'`;
}

/** As `${name@Q}`. */
export const quoteForReuse = (text: string) => (CONTROL.test(text) ? ansiQuote(text) : shellQuote(text));

/** As `printf %q`. */
export function backslashQuote(text: string) {
  if (text === "") return "''";
  if (CONTROL.test(text)) return ansiQuote(text);
  return text.replace(/[ '"\\$`!&|;<>(){}[\]*?^,]|^[~#]|(?<=[:=])~/g, "\\$&");
}

// What a shell doesn't read as it is (general.c of bash, sh_contains_shell_metas).
const METAS = /[ \t\n'"\\$`!&|;<>(){}[\]*?^]|^[#~]|[=:]~/;

/** The key of a map, as `declare -p`. */
export const keyQuote = (text: string) =>
  METAS.test(text) || CONTROL.test(text) || text === "" || text === "@" ? doubleQuote(text) : text;

/**
 * A value in the list of `set`.
 * @param isPosix - whether `$'…'` is left out
 */
export function listQuote(text: string, isPosix: boolean) {
  if (!isPosix && CONTROL.test(text)) return ansiQuote(text);
  return METAS.test(text) ? shellQuote(text) : text;
}

/** As `set -x`. */
export function traceQuote(text: string) {
  if (text === "") return "''";
  if (METAS.test(text)) return shellQuote(text);
  return CONTROL.test(text) ? ansiQuote(text) : text;
}

/** In double quotes, as `declare -p`. */
export const doubleQuote = (text: string) =>
  CONTROL.test(text) ? ansiQuote(text) : `"${text.replace(/["\\$`]/g, "\\$&")}"`;

const ESCAPES: Record<string, string> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};
const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c([^])|([0-7]{1,3})|([^]))/g;

/** A byte as text: above 127 it is a lone surrogate (bytes.ts). */
export const byteText = (byte: number) =>
  byte < 0x80 ? String.fromCharCode(byte) : String.fromCharCode(0xdc00 + byte);

// The first byte of characters of so many bytes, in UTF-8 as first defined (RFC 2279), which bash writes.
const LEADS = [0, 0, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc];

/** The character of a code; the bytes that bash writes for an invalid one. */
export function characterText(code: number) {
  if (code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) return String.fromCodePoint(code);
  if (code > 0x7fffffff) return "";
  const bytes = [];
  const length = code < 0x10000 ? 3 : code < 0x200000 ? 4 : code < 0x4000000 ? 5 : 6;
  for (let left = length - 1; left > 0; left--, code >>>= 6) bytes.unshift(0x80 | (code & 0x3f));
  return [(LEADS[length] ?? 0) | code, ...bytes].map(byteText).join("");
}

/** The escapes of `$'…'` (Bash manual, 3.1.2.4): a NUL byte ends the text. */
export function decodeEscapes(text: string) {
  const decoded = text.replace(ESCAPE, (whole, hex, short, long, control, octal, letter) => {
    if (hex !== undefined || octal !== undefined) return byteText(hex ? parseInt(hex, 16) : parseInt(octal, 8) & 255);
    if (short !== undefined || long !== undefined) return characterText(parseInt(short ?? long, 16));
    if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 31);
    return ESCAPES[letter] ?? whole;
  });
  return rejoined(decoded.split("\0", 1)[0] ?? "");
}

const BARE_OCTAL = /\\(?:(c)|0?([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([^]))/g;
const ZERO_OCTAL = /\\(?:(c)|0([0-7]{0,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([^]))/g;

/**
 * The escapes of `echo -e` and `%b`, where octal numbers begin with a zero.
 * @param bareOctal - whether `\101` is one, too
 * @returns `stops` after `\c`
 */
export function decodeEcho(
  text: string,
  character: (code: number) => string,
  bareOctal = false,
): { text: string; stops: boolean } {
  let result = "";
  let from = 0;
  for (const match of text.matchAll(bareOctal ? BARE_OCTAL : ZERO_OCTAL)) {
    const [whole, end, octal, hex, short, long, letter = ""] = match;
    result += text.slice(from, match.index);
    from = (match.index ?? 0) + whole.length;
    if (end) return { text: result, stops: true };
    if (octal !== undefined || hex !== undefined)
      result += byteText(hex ? parseInt(hex, 16) : parseInt(octal || "0", 8) & 255);
    else if (short !== undefined || long !== undefined) result += character(parseInt(short ?? long ?? "0", 16));
    else result += letter === "'" || letter === '"' || letter === "?" ? whole : (ESCAPES[letter] ?? whole);
  }
  return { text: rejoined(result + text.slice(from)), stops: false };
}

/** Bytes that make up a character together are that character. */
export function rejoined(text: string) {
  if (!/[\udc80-\udcff]{2}/u.test(text)) return text;
  return text.replace(/(?:[\udc80-\udcff]){2,}/gu, (bytes) => decode(encode(bytes)));
}
