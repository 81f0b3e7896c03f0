// The repository of a call, and what is read from it.
import { findRepo } from "just-git";
import { readHead, revParse } from "just-git/repo";

import { fail } from "./answers.js";

/**
 * @typedef {import("./answers.js").Answer} Answer
 * @typedef {import("./answers.js").Context} Context
 * @typedef {NonNullable<Awaited<ReturnType<typeof findRepo>>>} Repository
 *
 * @typedef {object} Call a call of a command
 * @property {Context} context
 * @property {import("./settings.js").Setting[]} settings
 * @property {Repository | null} repository
 * @property {boolean} [verifies] false after `--no-verify`
 * @property {(words: string[], hooks?: import("just-git").GitHooks) => Promise<Answer>} run calls just-git
 * @property {(path: string) => Promise<Repository | null>} repositoryAt opens the repository that a folder is, or has
 * @property {(words: string[], cwd: string) => Promise<Answer>} elsewhere calls git in another folder
 *
 * @typedef {(args: string[], call: Call) => Promise<Answer | null>} Command returns null to leave the call to just-git
 */

/** @param {Context} context @returns {Promise<Repository | null>} */
export const findRepository = ({ fs, cwd }) => findRepo(fs, cwd);

/** @param {Call} call @returns {Repository} */
export function needRepository({ repository }) {
  return repository ?? fail("not a git repository (or any of the parent directories): .git");
}

/** @param {Repository} repository @returns {Promise<{ branch: string | null, hash: string | null }>} */
export const headOf = (repository) => readHead(repository);

/** @param {Repository} repository @param {string} name a file in .git @returns {Promise<string | null>} */
export async function gitFile({ fs, gitDir }, name) {
  const path = `${gitDir}/${name}`;
  return (await fs.exists(path)) ? fs.readFile(path) : null;
}

/** The path of a file from the root of the work tree. @param {Repository} repository @param {Context} context @param {string} path */
export function inTree({ workTree }, { fs, cwd }, path) {
  const whole = fs.resolvePath(cwd, path);
  return whole === workTree ? "" : whole.slice((workTree ?? "").length + 1);
}

export { revParse };
