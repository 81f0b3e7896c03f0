// What `set -x` prints on standard error (Bash manual, 4.3.1).
import { inCharacters } from "./locale.js";
import { traceQuote } from "./quoting.js";

/** @typedef {import("./shell.js").Shell} Shell */

/** @param {Shell} shell @param {string} text */
export async function traceText(shell, text) {
  await shell.write(2, `${shell.prompt(shell.variables.text("PS4") ?? "+ ")}${text}\n`);
}

/** @param {Shell} shell @param {string[]} words */
export async function traceWords(shell, words) {
  if (words.length) await traceText(shell, words.map((word) => traceQuote(inCharacters(shell.variables, String(word)))).join(" "));
}
