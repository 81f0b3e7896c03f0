// The dates of new commits, in the local zone. just-git has them in UTC.
import { clockOf } from "./date_input.js";
import { localZone } from "./dates.js";
import { gitFile } from "./repository.js";

/** @import { Context } from "./answers.js" */
/** @import { Repository } from "./repository.js" */

// The commands whose commits are new. The author's date of others is that of an earlier commit.
const AUTHORING = new Set(["commit", "merge", "pull", "revert"]);
const EARLIER = /^(--amend|-C|-c|--reuse-message(=.*)?|--reedit-message(=.*)?)$/;

/**
 * Let a call's commits have the local zone, unless the environment has dates.
 * @param {string} name of the command @param {string[]} args @param {Context} context @param {Repository} repository
 */
export async function stampDates(name, args, context, repository) {
  const { env } = context;
  const { now, zone } = clockOf(context);
  const offset = localZone(now, zone);
  if (offset === "+0000") return;
  const date = `${now} ${offset}`;
  if (!env.has("GIT_COMMITTER_DATE")) env.set("GIT_COMMITTER_DATE", date);
  if (env.has("GIT_AUTHOR_DATE") || !AUTHORING.has(name) || args.some((word) => EARLIER.test(word))) return;
  if ((await gitFile(repository, "CHERRY_PICK_HEAD")) === null) env.set("GIT_AUTHOR_DATE", date);
}
