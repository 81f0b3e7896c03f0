// `git worktree`: a repository has one work tree here.
import { answer, fail, GitProblem } from "./answers.js";
import { headOf, needRepository } from "./repository.js";

const USAGE = "usage: git worktree list [-v | --porcelain [-z]]\n   or: git worktree prune [-n] [-v] [--expire <expire>]";

/** @type {import("./repository.js").Command} */
export async function worktree([name, ...args], call) {
  const repository = needRepository(call);
  if (name === undefined) throw new GitProblem(`error: need a subcommand\n${USAGE}`, 129);
  if (name === "prune") return answer();
  if (name !== "list") fail(`git worktree ${name} isn't available here: a repository has one work tree. Use git clone or git stash`);
  const { branch, hash } = await headOf(repository);
  const place = repository.workTree ?? repository.gitDir;
  if (!args.includes("--porcelain")) {
    return answer(`${place}  ${(hash ?? "0".repeat(40)).slice(0, 7)} ${branch === null ? "(detached HEAD)" : `[${branch}]`}\n`);
  }
  const lines = [`worktree ${place}`, `HEAD ${hash ?? "0".repeat(40)}`, branch === null ? "detached" : `branch refs/heads/${branch}`, "", ""];
  return answer(lines.join(args.includes("-z") ? "\0" : "\n"));
}
