// POSIX's regular expressions as JavaScript's.
import { tableOf } from "../../tables.ts";

/** The classes of characters by their names in POSIX. */
export const CLASSES: Record<string, string> = tableOf({
  alnum: "a-zA-Z0-9",
  alpha: "a-zA-Z",
  blank: " \\t",
  digit: "0-9",
  lower: "a-z",
  space: "\\s",
  upper: "A-Z",
  xdigit: "0-9a-fA-F",
});

/** The options that say how a pattern is meant. */
export const PATTERN_FLAGS = [
  "-i",
  "--regexp-ignore-case",
  "-E",
  "--extended-regexp",
  "-F",
  "--fixed-strings",
  "-P",
  "--perl-regexp",
  "--basic-regexp",
];

/** A pattern as JavaScript writes it. By default it is a basic regular expression of POSIX. */
export function translated(pattern: string, flags: Set<string>) {
  if (flags.has("-F") || flags.has("--fixed-strings")) return pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const basic = !["-E", "--extended-regexp", "-P", "--perl-regexp"].some((flag) => flags.has(flag));
  return pattern.replace(/\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\\?[(){}|+?]/g, (token) => {
    if (token.startsWith("[")) return token.replace(/\[:(\w+):\]/g, (whole, name) => CLASSES[name] ?? whole);
    if (!basic) return token;
    return token.startsWith("\\") ? token.slice(1) : `\\${token}`;
  });
}
