// The author and the committer of a commit (git-commit(1), "Commit Information").
import { createCommit } from "just-git/repo";

import { fail } from "./answers.ts";
import { needRepository, type Call } from "./repository.ts";
import { setting } from "./settings.ts";

/** Remember an environment. @returns restores it */
export function remembered(env: Map<string, string>): () => void {
  const before = new Map(env);
  return () => {
    env.clear();
    for (const [name, value] of before) env.set(name, value);
  };
}

export function person(role: "AUTHOR" | "COMMITTER", { context: { env }, settings }: Call) {
  const name = env.get(`GIT_${role}_NAME`) ?? setting(settings, "user.name");
  const email = env.get(`GIT_${role}_EMAIL`) ?? setting(settings, "user.email");
  if (name === undefined || email === undefined)
    return fail("Author identity unknown: run git config user.name and git config user.email");
  const given = env.get(`GIT_${role}_DATE`);
  const [, seconds, zone] = /^@?(\d+) ([-+]\d{4})$/.exec(given ?? "") ?? [];
  const at = given === undefined ? Date.now() : seconds === undefined ? Date.parse(given) : Number(seconds) * 1000;
  if (Number.isNaN(at)) fail(`invalid date format: ${given}`);
  const own =
    zone ??
    /([-+]\d\d):?(\d\d)$/
      .exec(given ?? "")
      ?.slice(1)
      .join("") ??
    "+0000";
  return { name, email, timestamp: Math.floor(at / 1000), timezone: own };
}

/** Write a commit of the call's author and committer. */
export const newCommit = (tree: string, parents: string[], message: string, call: Call): Promise<string> =>
  createCommit(needRepository(call), {
    tree,
    parents,
    author: person("AUTHOR", call),
    committer: person("COMMITTER", call),
    message,
  });
