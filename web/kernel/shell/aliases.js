// Aliases (Bash manual, 6.6), and the builtins that define them. They are expanded when a command runs.
import { parse } from "./parsing.js";
import { shellQuote } from "./quoting.js";
import { plainText } from "./words.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./shell.js").Node} Node
 */

/** The statements that a command stands for. @param {Shell} shell @param {Node} command @returns {Node[] | null} */
export function withAliases(shell, command) {
  const { name, args } = command;
  if (!name || command.aliased || !shell.shopts.has("expand_aliases")) return null;
  if (!name.parts.every((/** @type {Node} */ part) => part.type === "Literal")) return null;
  const used = new Set();
  let word = plainText(name) ?? "";
  let text = shell.aliases.get(word);
  if (text === undefined) return null;
  // The value may begin with another alias, but not with the same.
  while (!used.has(word)) {
    used.add(word);
    /** @type {string[]} */
    const [, first = "", rest = ""] = /^(\S+)([^]*)$/.exec(text) ?? [];
    const next = used.has(first) ? undefined : shell.aliases.get(first);
    if (next === undefined) break;
    [word, text] = [first, next + rest];
  }
  const [first, ...others] = args;
  const following = first && /\s$/.test(text) ? shell.aliases.get(plainText(first) ?? "") : undefined;
  const statements = structuredClone(parse(following === undefined ? text : text + following));
  const last = statements.at(-1)?.pipelines.at(-1).commands.at(-1);
  if (last?.type !== "SimpleCommand") return statements;
  last.args.push(...(following === undefined ? args : others));
  last.redirections.push(...command.redirections);
  last.assignments.unshift(...command.assignments);
  for (const { pipelines } of statements) for (const { commands } of pipelines) for (const one of commands) one.aliased = true;
  return statements;
}

/** @param {Shell} shell @param {string[]} args */
export async function alias(shell, args) {
  const { aliases } = shell;
  const words = args.filter((word) => word !== "-p" && word !== "--");
  let status = 0;
  if (words.length === 0) for (const [name, value] of [...aliases].sort()) await shell.print(`alias ${name}=${shellQuote(value)}\n`);
  for (const word of words) {
    const at = word.indexOf("=");
    if (at > 0) aliases.set(word.slice(0, at), word.slice(at + 1));
    else if (aliases.has(word)) await shell.print(`alias ${word}=${shellQuote(aliases.get(word) ?? "")}\n`);
    else {
      await shell.complain(`alias: ${word}: not found`);
      status = 1;
    }
  }
  return status;
}

/** @param {Shell} shell @param {string[]} args */
export async function unalias(shell, args) {
  if (args[0] === "-a") shell.aliases.clear();
  let status = 0;
  for (const name of args.filter((word) => word !== "-a")) {
    if (shell.aliases.delete(name)) continue;
    await shell.complain(`unalias: ${name}: not found`);
    status = 1;
  }
  return status;
}
