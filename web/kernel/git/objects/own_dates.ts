// The dates of new commits, in the local zone. just-git has them in UTC.
import { fail, type Context } from "../repository/answers.ts";
import { clockOf, exactStamp } from "./date_input.ts";
import { localZone } from "./dates.ts";
import { gitFile, type Repository } from "../repository/repository.ts";

// The commands that write no date, so that they needn't know the zone, which Python has.
const UNDATED = new Set([
  ...[
    "add",
    "apply",
    "archive",
    "blame",
    "cat-file",
    "check-attr",
    "check-ignore",
    "clean",
    "config",
    "describe",
    "diff",
    "for-each-ref",
  ],
  ...[
    "format-patch",
    "gc",
    "grep",
    "hash-object",
    "help",
    "init",
    "log",
    "ls-files",
    "ls-tree",
    "merge-base",
    "mv",
    "rev-list",
    "rev-parse",
  ],
  ...["rm", "shortlog", "show", "show-ref", "status", "version"],
]);
// The commands whose commits are new. The others take the author's date from an earlier commit.
const AUTHORING = new Set(["commit", "merge", "pull", "revert"]);
const EARLIER = /^(--amend|-C|-c|--reuse-message(=.*)?|--reedit-message(=.*)?)$/;

/**
 * Read the dates of the environment as git does, since just-git knows fewer forms.
 * @throws {GitProblem} for one that is no full date
 */
async function readDates(context: Context) {
  for (const name of ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"]) {
    const given = context.env.get(name);
    if (!given) context.env.delete(name);
    else context.env.set(name, exactStamp(given, await clockOf(context)) ?? fail(`invalid date format: ${given}`));
  }
}

/**
 * Let a call's commits have the local zone, unless the environment has dates.
 * @param name - of the command
 */
export async function stampDates(name: string, args: string[], context: Context, repository: Repository) {
  const { env } = context;
  if (UNDATED.has(name)) return;
  await readDates(context);
  if (env.has("GIT_COMMITTER_DATE") && env.has("GIT_AUTHOR_DATE")) return;
  const { now, zone } = await clockOf(context);
  const offset = localZone(now, zone);
  if (offset === "+0000") return;
  const date = `${now} ${offset}`;
  if (!env.has("GIT_COMMITTER_DATE")) env.set("GIT_COMMITTER_DATE", date);
  if (env.has("GIT_AUTHOR_DATE") || !AUTHORING.has(name) || args.some((word) => EARLIER.test(word))) return;
  if ((await gitFile(repository, "CHERRY_PICK_HEAD")) === null) env.set("GIT_AUTHOR_DATE", date);
}
