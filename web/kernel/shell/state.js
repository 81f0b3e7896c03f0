// What gives a new `exec` of just-bash the state of another one.
import { STATUS, command, quoted, statement } from "./nodes.js";
import { parse } from "./parsing.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {object} State
 * @property {Record<string, string>} env
 * @property {string} cwd
 * @property {string} declared script that restores what `env` doesn't hold
 */

/** @param {State} state @param {Iterable<Node>} functions @param {number} status what `$?` is @returns {Generator<Node>} */
export function* restored(state, functions, status) {
  yield* parse("shopt -s expand_aliases");
  if (state.declared) yield* parse(state.declared);
  for (const definition of functions) yield statement(definition);
  yield statement(command(STATUS, quoted(String(status))));
}

// These the shell sets by itself; declaring them again fails or means nothing.
const AUTOMATIC = /^declare \S+ (?:SHELLOPTS|BASHOPTS|PIPESTATUS|BASH\w*|FUNCNAME|EUID|UID|PPID|LINENO|_)(?:=|$)/;
const KEPT_OPTIONS = new Set(["allexport", "errexit", "noclobber", "noglob", "nounset", "pipefail"]);

/**
 * Script that restores arrays, attributes, options and positional parameters; plain variables come by `env`.
 * @param {string} declared output of `declare -p`
 * @param {Map<string, string>} env
 */
export function restorable(declared, env) {
  const entries = declared
    .split(/\n(?=declare -)/)
    .filter((entry) => /^declare -[a-zA-Z]/.test(entry) && !AUTOMATIC.test(entry))
    .map((entry) => (/^declare -\w*[aA]/.test(entry) ? withList(entry) : entry.replace(/=.*/s, "")));
  const options = (env.get("SHELLOPTS") ?? "").split(":").filter((name) => KEPT_OPTIONS.has(name));
  const shell = (env.get("BASHOPTS") ?? "").split(":").filter(Boolean);
  const count = Number(env.get("#") ?? 0);
  const positional = Array.from({ length: count }, (_, at) => shellQuote(env.get(String(at + 1)) ?? ""));
  return [
    ...entries,
    shell.length ? `shopt -s ${shell.join(" ")}` : "",
    count ? `set -- ${positional.join(" ")}` : "",
    ...options.map((name) => `set -o ${name}`),
  ]
    .filter(Boolean)
    .join("\n");
}

// The interpreter splits the values of a list at blanks in quotes where it is declared, not where it is assigned.
/** @param {string} entry */
const withList = (entry) =>
  entry.replace(/^declare (-\w+) (\w+)=/, (_, flags, name) => `declare ${flags.replace("r", "")} ${name}\n${name}=`);

/** @param {string} text */
export const shellQuote = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
