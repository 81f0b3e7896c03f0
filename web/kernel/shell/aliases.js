// The builtins that define aliases (Bash manual, 6.6). They are expanded when a line is read (syntax/commands.js).
import { shellQuote } from "./quoting.js";

/** @typedef {import("./shell.js").Shell} Shell */

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
