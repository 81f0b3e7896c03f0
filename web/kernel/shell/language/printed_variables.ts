// Variables as the shell prints them: as commands that declare them, and as `set` lists them (Bash manual, 4.2 and 4.3.1).
import { inCharacters } from "./locale.ts";
import { doubleQuote, keyQuote, listQuote, quoteForReuse } from "./quoting.ts";
import type { Shell } from "../shell.ts";
import { printFunction } from "./syntax/printer.ts";
import type { Variable, Variables } from "./variables.ts";

const LETTERS: [string, (variable: Variable) => unknown][] = [
  ["a", ({ kind }) => kind === "list"],
  ["A", ({ kind }) => kind === "map"],
  ["i", ({ integer }) => integer],
  ["n", ({ nameref }) => nameref],
  ["r", ({ readonly }) => readonly],
  ["t", ({ traced }) => traced],
  ["x", ({ exported }) => exported],
  ["c", ({ letters }) => letters === "capitalize"],
  ["l", ({ letters }) => letters === "lower"],
  ["u", ({ letters }) => letters === "upper"],
];

export const attributesOf = (variable: Variable): string =>
  LETTERS.filter(([, has]) => has(variable))
    .map(([letter]) => letter)
    .join("");

/**
 * The command that declares a variable as it is.
 * @param single - whether text is in single quotes
 */
export function declarationOf(variables: Variables, name: string, variable: Variable, single = false) {
  const start = `declare -${attributesOf(variable) || "-"} ${name}`;
  const { value } = variable;
  if (value === null) return start;
  if (typeof value === "string")
    return `${start}=${(single ? quoteForReuse : doubleQuote)(inCharacters(variables, value))}`;
  return `${start}=${listText(variables, name, value)}`;
}

function listText(variables: Variables, name: string, value: string[] | Map<string, string>) {
  const values = variables.elements(name);
  const quoted = (text: string) => doubleQuote(inCharacters(variables, text));
  const pairs = variables
    .keys(name)
    .map((key, at) => `[${keyQuote(inCharacters(variables, key))}]=${quoted(values[at] ?? "")}`);
  return `(${pairs.join(" ")}${value instanceof Map && pairs.length ? " " : ""})`;
}

/** Return what `set` without arguments prints. */
export function allVariables({ variables, functions, options }: Shell) {
  const definitions = options.has("posix") ? [] : [...functions].sort(([one], [other]) => (one < other ? -1 : 1));
  const listed = variables
    .names()
    .map((name) => {
      const value = variables.value(name);
      if (value === null || value === undefined) return "";
      if (typeof value !== "string") return `${name}=${listText(variables, name, value)}\n`;
      return `${name}=${listQuote(inCharacters(variables, value), options.has("posix"))}\n`;
    })
    .join("");
  return listed + definitions.map(([name, definition]) => printFunction(name, definition)).join("");
}
