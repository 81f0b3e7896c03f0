// The lines that head hunks, by the attribute `diff` of a file (gitattributes(5), "Defining a custom hunk-header"): the last one
// before a hunk follows its `@@`.

/** @typedef {(line: string) => string | null} Heading returns what is shown of a line that heads hunks, null for others */

/** Lines that begin with a letter. @type {Heading} */
export const PLAIN = (line) => (/^[A-Za-z_$]/.test(line) ? line : null);

/** @param {RegExp} pattern @returns {Heading} */
const matching = (pattern) => (line) => pattern.exec(line.replace(/\n$/, ""))?.[1] ?? null;

/** The languages whose headings are known here. @type {Record<string, Heading>} */
const LANGUAGES = {
  python: matching(/^\s*((?:(?:async\s+)?def|class)\s.*)/),
  ruby: matching(/^\s*((?:class|module|def)\s.*)/),
  markdown: matching(/^( {0,3}#{1,6}[ \t].*)/),
  html: matching(/^[ \t]*(<[Hh][1-6](?:[ \t].*)?>.*)/),
};

/** The other languages that git knows. */
const UNKNOWN = new Set(["ada", "bash", "bibtex", "cpp", "csharp", "css", "dts", "elixir", "fortran", "fountain", "golang", "java", "kotlin", "matlab", "objc", "pascal", "perl", "php", "rust", "scheme", "tex"]);

/** @param {unknown} driver the value of the attribute @returns {Heading} */
export const headingOf = (driver) => (typeof driver === "string" ? LANGUAGES[driver] : undefined) ?? PLAIN;

/** Say what a language would change that isn't known here; "" if nothing. @param {string} driver @param {boolean} byWords */
export function warningOf(driver, byWords) {
  if (byWords && (driver in LANGUAGES || UNKNOWN.has(driver))) return `warning: git diff knows no words of diff=${driver} here, so words end at white space; use --word-diff-regex\n`;
  return UNKNOWN.has(driver) ? `warning: git diff knows no headings of diff=${driver} here, so lines that begin with a letter head hunks\n` : "";
}
