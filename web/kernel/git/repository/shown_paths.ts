// Paths as git prints them: in quotes where they have special characters, and from the current folder.
import { setting, type Setting } from "./settings.ts";

const SPECIAL = /["\\\u0000-\u001f\u007f-\uffff]/;
const CONTROL = /["\\\u0000-\u001f\u007f]/;
const ESCAPES: Record<string, string> = {
  "\n": "\\n",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
  "\r": "\\r",
  "\b": "\\b",
  "\f": "\\f",
  "\v": "\\v",
  "\x07": "\\a",
};

/** A path in quotes if it has special characters. */
export function quoted(path: string) {
  if (!SPECIAL.test(path)) return path;
  return inQuotes(path, /["\\\u0000-\u001f\u007f]|[^\u0000-\u007f]/gu);
}

function inQuotes(path: string, special: RegExp) {
  const bytes = new TextEncoder();
  const escaped = path.replace(
    special,
    (letter) =>
      ESCAPES[letter] ?? Array.from(bytes.encode(letter), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join(""),
  );
  return `"${escaped}"`;
}

/** Return what quotes paths: `core.quotePath` may leave letters beyond ASCII as they are. */
export function quoting(settings: Setting[]): (path: string) => string {
  if (setting(settings, "core.quotePath") !== "false") return quoted;
  return (path) => (CONTROL.test(path) ? inQuotes(path, new RegExp(CONTROL, "g")) : path);
}

/** A path from the root of the work tree, as one from a folder in it. */
export function pathFrom(path: string, here: string[]) {
  const parts = path.split("/");
  let common = 0;
  while (common < here.length && common < parts.length - 1 && parts[common] === here[common]) common++;
  return [...here.slice(common).map(() => ".."), ...parts.slice(common)].join("/") || "./";
}
