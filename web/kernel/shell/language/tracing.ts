// What `set -x` prints on standard error (Bash manual, 4.3.1).
import { inCharacters } from "./locale.ts";
import { traceQuote } from "./quoting.ts";
import type { Shell } from "../shell.ts";

export async function traceText(shell: Shell, text: string) {
  await shell.write(2, `${shell.prompt(shell.variables.text("PS4") ?? "+ ")}${text}\n`);
}

export async function traceWords(shell: Shell, words: string[]) {
  if (words.length)
    await traceText(shell, words.map((word) => traceQuote(inCharacters(shell.variables, String(word)))).join(" "));
}
