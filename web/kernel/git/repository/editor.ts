// The editor that git starts for messages and for the list of an interactive rebase.
import { GitProblem } from "./answers.ts";
import { shellWord } from "./hooks.ts";
import { realPath } from "./linked_trees.ts";
import type { Call } from "./repository.ts";
import { setting } from "./settings.ts";

const NO_EDITOR = "error: Terminal is dumb, but EDITOR unset";

// The page's editor, which terminals have in EDITOR.
const OWN = "edit";

/**
 * The editor that is set, in git's order.
 * @returns undefined is the page's
 */
export function editorOf({ context: { env }, settings }: Call): string | undefined {
  const given = env.get("GIT_EDITOR") ?? setting(settings, "core.editor") ?? env.get("VISUAL") ?? env.get("EDITOR");
  return given === OWN ? undefined : given;
}

/**
 * Let the user edit a file of the repository.
 * @param given - a command
 * @param hint - follows the error
 * @returns the file's text, and the editor's output
 * @throws {GitProblem} the editor fails
 */
export async function edited(
  path: string,
  call: Call,
  given: string | undefined,
  hint: string,
): Promise<{ text: string; stdout: string }> {
  const { context, repository } = call;
  const editor = given || OWN;
  const done = await context.exec(
    `${editor} ${shellWord(realPath(path, context))}`,
    repository?.workTree ?? context.cwd,
  );
  if (done.exitCode && !given) throw new GitProblem(`${NO_EDITOR}${hint}`, 1);
  if (done.exitCode)
    throw new GitProblem(`${done.stderr}error: There was a problem with the editor '${editor}'.${hint}`, 1);
  return { text: await context.fs.readFile(path), stdout: done.stdout };
}

/** A text without the lines that begin with `#`. */
export const withoutComments = (text: string) => text.replace(/^(?:#.*\n?)/gm, "").trim();
