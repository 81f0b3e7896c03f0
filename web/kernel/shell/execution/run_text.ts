// Runs text in a shell, as `eval`, `source` and scripts do.
import { Exit, LineError } from "../control.ts";
import { runLines, runList, runReading } from "./execution.ts";
import type { Shell, Node } from "../shell.ts";
import type { SyntaxProblem } from "../language/syntax/problem.ts";

/**
 * Run one line of the text that `eval` or `source` was given. An error that ends the line also ends a subshell. Outside of
 * one, the next line runs, still inside the loops around the text.
 */
async function runPart(shell: Shell, statements: Node[]) {
  if (shell.depth === 0) return runLines(shell, statements, {});
  try {
    await runList(shell, statements);
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    await shell.complain(error.message);
    throw new Exit(error.status);
  }
}

/**
 * Run text in this shell.
 * @param origin - for messages
 * @param isScript - or else a part of one
 */
export async function runText(shell: Shell, text: string, origin: string, isScript = false) {
  const { line } = shell;
  let ran = false;
  const problem = await runReading(shell, text, (one, statements) => {
    ran = true;
    return isScript ? runLines(one, statements) : runPart(one, statements);
  });
  shell.line = line;
  if (problem !== null) {
    await reportProblem(shell, problem, origin, isScript);
    return problem.status ?? shell.status;
  }
  if (!ran) shell.status = 0;
  return shell.status;
}

async function reportProblem(shell: Shell, { message, line, text }: SyntaxProblem, origin: string, isScript: boolean) {
  const start = `${isScript ? "" : "bash: "}${origin}: line ${line}: `;
  await shell.write(2, `${start}${message}\n${text === null ? "" : `${start}\`${text}'\n`}`);
}
