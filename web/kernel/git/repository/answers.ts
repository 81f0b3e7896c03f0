// The results of git commands, and the errors that end them.

import type { ShellFiles } from "../../shell/execution/files.ts";
import type { WorkTreeFiles } from "../work_tree/work_tree_files.ts";
import type { Change } from "../../clock.ts";
import type { Link } from "./linked_trees.ts";

export type Answer = { stdout: string; stderr: string; exitCode: number };

/** a call of the command */
export interface Context {
  /** the files, with the work tree as git sees it (work_tree_files.ts) */
  fs: WorkTreeFiles;
  /** the files as they are (shell/execution/files.ts) */
  files: ShellFiles;
  cwd: string;
  env: Map<string, string>;
  /** bytes, a character for each */
  stdin: string;
  /** runs a shell command, such as an editor */
  exec: (script: string, cwd: string) => Promise<Answer>;
  /** writes standard output at once */
  print: (text: string) => void | Promise<void>;
  /** writes standard error at once */
  complain: (text: string) => void | Promise<void>;
  /** prints, and reads a line of standard input; null at its end */
  ask: (shown: string, prompt: string) => Promise<string | null>;
  /** returns the local zone; null for `Date`'s */
  zone?: () => Promise<Change[] | null>;
  /** the branch of a new repository where `init.defaultBranch` names none; git's own otherwise */
  firstBranch?: string;
  /** whether a user sees standard output on a terminal */
  isTerminal?: boolean;
  /** whether the output is colored */
  isColored?: boolean;
  /** configuration from `-c` */
  overrides?: Record<string, string>;
  /** the linked work tree that the call is in */
  link?: Link | null;
  /** the side that a merge takes where both have changed a text */
  favor?: "ours" | "theirs";
}

/** Ends a command with a message on standard error. */
export class GitProblem extends Error {
  exitCode: number;

  /** @param text - the full message, without its last newline */
  constructor(text: string, exitCode = 128) {
    super(text);
    this.exitCode = exitCode;
  }
}

export function fail(text: string, exitCode = 128): never {
  throw new GitProblem(`fatal: ${text}`, exitCode);
}

/** Put one answer after another; the first exit code that isn't 0 counts. */
export const joined = (first: Answer, second: Answer): Answer => ({
  stdout: first.stdout + second.stdout,
  stderr: first.stderr + second.stderr,
  exitCode: first.exitCode || second.exitCode,
});

export const answer = (stdout = "", stderr = "", exitCode = 0): Answer => ({ stdout, stderr, exitCode });
