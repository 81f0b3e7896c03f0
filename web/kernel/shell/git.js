// The command `git`, which is loaded on first use (web/kernel/git/).
import { decode, encode, latin1 } from "./bytes.js";
import { runForCommand } from "./programs.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./host.js").CommandResult} CommandResult
 */

export const GIT = "git";
const MODULE = "git_command.mjs";

const READING = new Set(["-", "--stdin", "-F-", "--file=-", "apply", "am"]);

/** Return whether a call may read standard input; the others leave it to the loop around them. @param {string[]} args */
export const readsInput = (args) => args.some((word) => READING.has(word));

/** @param {Shell} shell @param {string[]} args @param {Uint8Array} stdin @returns {Promise<CommandResult>} */
export async function runGit(shell, args, stdin) {
  const { files, host, variables } = shell;
  const { runGit: run } = await host.options.importModule(MODULE);
  files.umask = shell.umask;
  const env = new Map(Object.entries(variables.exported()));
  const exec = async (/** @type {string} */ script, /** @type {string} */ cwd) => {
    const done = await runForCommand(shell, script, cwd, variables.exported());
    return { stdout: decode(done.stdout), stderr: decode(done.stderr), exitCode: done.exitCode };
  };
  const { stdout, stderr, exitCode } = await run(args, { fs: files, cwd: shell.cwd, env, stdin: latin1(stdin), exec });
  return { stdout: encode(stdout), stderr: encode(stderr), exitCode };
}
