// What `set -x` prints on standard error (Bash manual, 4.3.1).
import { CommandError } from "../control.ts";
import { inCharacters } from "./locale.ts";
import { traceQuote } from "./quoting.ts";
import type { Shell } from "../shell.ts";
import { SyntaxProblem } from "./syntax/problem.ts";
import { expandPrompt } from "./words.ts";

export async function traceText(shell: Shell, text: string) {
  await shell.write(2, `${await promptOf(shell)}${text}\n`);
}

/** Return PS4; the commands in it aren't traced, and leave the status as it is. */
async function promptOf(shell: Shell): Promise<string> {
  const { status, substitutionStatus } = shell;
  const text = shell.variables.text("PS4") ?? "+ ";
  shell.options.delete("xtrace");
  try {
    return await expandPrompt(shell, text);
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof SyntaxProblem)) throw error;
    // The command is traced and runs all the same.
    await shell.complain(error.message);
    return text;
  } finally {
    shell.options.add("xtrace");
    Object.assign(shell, { status, substitutionStatus });
  }
}

export async function traceWords(shell: Shell, words: string[]) {
  if (words.length)
    await traceText(shell, words.map((word) => traceQuote(inCharacters(shell.variables, String(word)))).join(" "));
}
