// The editor that git starts for messages and for the list of an interactive rebase.
import { GitProblem } from "./answers.js";
import { realPath } from "./linked_trees.js";
import { setting } from "./settings.js";

/** @typedef {import("./repository.js").Call} Call */

const NO_EDITOR = "error: Terminal is dumb, but EDITOR unset";

// The page's editor, which terminals have in EDITOR.
const OWN = "edit";

/** The editor that is set, in git's order. @param {Call} call @returns {string | undefined} undefined is the page's */
export function editorOf({ context: { env }, settings }) {
  const given = env.get("GIT_EDITOR") ?? setting(settings, "core.editor") ?? env.get("VISUAL") ?? env.get("EDITOR");
  return given === OWN ? undefined : given;
}

/**
 * Let the user edit a file of the repository.
 * @param {string} path @param {Call} call @param {string | undefined} given a command @param {string} hint follows the error
 * @returns {Promise<{ text: string, stdout: string }>} the file's text, and what the editor printed
 * @throws {GitProblem} the editor fails
 */
export async function edited(path, call, given, hint) {
  const { context, repository } = call;
  const editor = given || OWN;
  const done = await context.exec(`${editor} '${realPath(path, context).replaceAll("'", "'\\''")}'`, repository?.workTree ?? context.cwd);
  if (done.exitCode && !given) throw new GitProblem(`${NO_EDITOR}${hint}`, 1);
  if (done.exitCode) throw new GitProblem(`${done.stderr}error: There was a problem with the editor '${editor}'.${hint}`, 1);
  return { text: await context.fs.readFile(path), stdout: done.stdout };
}

/** A text without the lines that begin with `#`. @param {string} text */
export const withoutComments = (text) => text.replace(/^(?:#.*\n?)/gm, "").trim();
