// The lines that head hunks, by the attribute `diff` of a file (gitattributes(5), "Defining a custom hunk-header"): the last one
import { tableOf } from "../../tables.ts";

// before a hunk follows its `@@`.

/** returns the shown part of a line that heads hunks, null for others */
export type Heading = (line: string) => string | null;

/** Lines that begin with a letter. */
export const PLAIN: Heading = (line) => (/^[A-Za-z_$]/.test(line) ? line : null);

const matching =
  (pattern: RegExp): Heading =>
  (line) =>
    pattern.exec(line.replace(/\n$/, ""))?.[1] ?? null;

/** The languages whose headings are known here. */
const LANGUAGES: Record<string, Heading> = tableOf({
  python: matching(/^\s*((?:(?:async\s+)?def|class)\s.*)/),
  ruby: matching(/^\s*((?:class|module|def)\s.*)/),
  markdown: matching(/^( {0,3}#{1,6}[ \t].*)/),
  html: matching(/^[ \t]*(<[Hh][1-6](?:[ \t].*)?>.*)/),
});

/** The other languages that git knows. */
const UNKNOWN = new Set([
  "ada",
  "bash",
  "bibtex",
  "cpp",
  "csharp",
  "css",
  "dts",
  "elixir",
  "fortran",
  "fountain",
  "golang",
  "java",
  "kotlin",
  "matlab",
  "objc",
  "pascal",
  "perl",
  "php",
  "rust",
  "scheme",
  "tex",
]);

/** @param driver - the value of the attribute */
export const headingOf = (driver: unknown): Heading =>
  (typeof driver === "string" ? LANGUAGES[driver] : undefined) ?? PLAIN;

/** Say what a language would change that isn't known here; "" if nothing. */
export function warningOf(driver: string, byWords: boolean) {
  if (byWords && (driver in LANGUAGES || UNKNOWN.has(driver)))
    return `warning: git diff knows no words of diff=${driver} here, so words end at white space; use --word-diff-regex\n`;
  return UNKNOWN.has(driver)
    ? `warning: git diff knows no headings of diff=${driver} here, so lines that begin with a letter head hunks\n`
    : "";
}
