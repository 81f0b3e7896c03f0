// `core.safecrlf`: what git says of files whose line ends the next checkout changes.
import { GitProblem, type Answer } from "../repository/answers.ts";
import { indexBytes } from "../index/index_file.ts";
import { blobHash } from "../repository/blob_hash.ts";
import type { Call } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";

/** The commands that store or print the work tree's content. */
const STORING = new Set(["add", "commit", "stash", "diff"]);

/**
 * Run a command of just-git, and warn of conversions that lose line ends.
 * @throws {GitProblem} with `core.safecrlf=true`; nothing has been staged
 */
export async function withWarnings(
  [name = ""]: string[],
  { context, settings, repository }: Call,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const safe = setting(settings, "core.safecrlf")?.toLowerCase() ?? "warn";
  const mode = /^(true|yes|on|1)$/.test(safe) ? "refuse" : safe === "warn" ? "warn" : "none";
  if (!STORING.has(name) || mode === "none" || !repository) return run();
  const { lineEnds } = context.fs;
  const place = `${repository.gitDir}/index`;
  const index = mode === "refuse" ? await indexBytes(repository) : null;
  const before = lineEnds.index();
  lineEnds.conversions.clear();
  const done = await run();
  let warnings = "";
  for (const [path, { from, to, content }] of [...lineEnds.conversions].sort()) {
    // Files that are as they were aren't read by git.
    if (before.get(path)?.hash === (await blobHash(content))) continue;
    if (mode === "refuse" && name !== "diff") {
      if (index === null) await context.files.rm(place, { force: true });
      else await context.files.writeFile(place, index);
      throw new GitProblem(`fatal: ${from} would be replaced by ${to} in ${path}`);
    }
    warnings += `warning: in the working copy of '${path}', ${from} will be replaced by ${to} the next time Git touches it\n`;
  }
  return { ...done, stderr: warnings + done.stderr };
}
