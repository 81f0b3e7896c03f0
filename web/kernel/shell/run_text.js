// Runs text in a shell, as `eval`, `source` and scripts do.
import { Exit, LineError } from "./control.js";
import { runLines, runList, runReading } from "./execution.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./shell.js").Node} Node
 * @typedef {import("./syntax/problem.js").SyntaxProblem} SyntaxProblem
 */

/**
 * Run one line of the text that `eval` or `source` was given. An error that ends the line also ends a subshell. Outside of
 * one, the next line runs, still inside the loops around the text.
 * @param {Shell} shell @param {Node[]} statements
 */
async function runPart(shell, statements) {
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
 * @param {Shell} shell @param {string} text @param {string} origin for messages
 * @param {boolean} [isScript] or else a part of one
 */
export async function runText(shell, text, origin, isScript = false) {
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

/** @param {Shell} shell @param {SyntaxProblem} problem @param {string} origin @param {boolean} isScript */
async function reportProblem(shell, { message, line, text }, origin, isScript) {
  const start = `${isScript ? "" : "bash: "}${origin}: line ${line}: `;
  await shell.write(2, `${start}${message}\n${text === null ? "" : `${start}\`${text}'\n`}`);
}
