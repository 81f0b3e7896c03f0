// What runs commands, for the modules that it is made of itself: running is recursive, since a word can hold commands, and a
// command has words. session.ts puts it together.

import type { Node, Shell } from "./shell.ts";

interface Evaluator {
  /** Run statements, up to an error or the end of the shell. */
  runList(shell: Shell, statements: Node[]): Promise<void>;
  /** Run one command of a pipeline. */
  runCommand(shell: Shell, command: Node): Promise<void>;
  /** @returns the exit code of text, as of `eval` */
  runText(shell: Shell, text: string, origin: string): Promise<number>;
  /** @returns the exit code of a program that is looked for by its name */
  runProgram(shell: Shell, words: string[]): Promise<number>;
  /** @returns the exit code of a program at a path that `locate` has found */
  runLocated(shell: Shell, path: string, args: string[]): Promise<number>;
  /** @returns what `$(…)` stands for */
  substituteCommand(shell: Shell, statements: Node[]): Promise<string>;
  /** @returns the path that `<(…)` and `>(…)` stand for */
  substituteProcess(shell: Shell, part: Node): Promise<string>;
}

export let evaluator: Evaluator;

export function setEvaluator(one: Evaluator) {
  evaluator = one;
}
