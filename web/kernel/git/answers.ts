// The results of git commands, and the errors that end them.

/**
 * @typedef {{ stdout: string, stderr: string, exitCode: number }} Answer
 *
 * @typedef {object} Context a call of the command
 * @property {any} fs the files, as git sees those of the work tree (work_tree_files.js)
 * @property {any} files the files as they are (shell/files.js)
 * @property {string} cwd
 * @property {Map<string, string>} env
 * @property {string} stdin bytes, a character for each
 * @property {(script: string, cwd: string) => Promise<Answer>} exec runs a shell command, such as an editor
 * @property {(text: string) => void | Promise<void>} print writes standard output at once
 * @property {(text: string) => void | Promise<void>} complain writes standard error at once
 * @property {(shown: string, prompt: string) => Promise<string | null>} ask prints, and reads a line of standard input; null at its end
 * @property {() => Promise<import("../clock.js").Change[] | null>} [zone] returns the local zone; null for that of `Date`
 * @property {Record<string, string>} [overrides] configuration from `-c`
 * @property {import("./linked_trees.js").Link | null} [link] the linked work tree that the call is in
 * @property {"ours" | "theirs"} [favor] the side that a merge takes where both have changed a text
 */

/** Ends a command with a message on standard error. */
export class GitProblem extends Error {
  /** @param {string} text the whole message, without its last newline @param {number} [exitCode] */
  constructor(text, exitCode = 128) {
    super(text);
    this.exitCode = exitCode;
  }
}

/** @param {string} text @param {number} [exitCode] @returns {never} */
export function fail(text, exitCode = 128) {
  throw new GitProblem(`fatal: ${text}`, exitCode);
}

/** @param {string} [stdout] @param {string} [stderr] @param {number} [exitCode] @returns {Answer} */
export const answer = (stdout = "", stderr = "", exitCode = 0) => ({ stdout, stderr, exitCode });
