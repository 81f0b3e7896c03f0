// `git checkout <paths>`: how many were updated, and the versions of a conflict.
import { readBlob } from "just-git/repo";

import { GitProblem, type Answer } from "../repository/answers.ts";
import { diff } from "./diff.ts";
import { has, splitAtDashes, without } from "../repository/options.ts";
import { remoteBranch } from "../repository/ref_names.ts";
import { inTree, needRepository, revParse, type Call } from "../repository/repository.ts";

const LINK = "120000";
const PERMISSIONS = 0o777;

export async function checkout(args: string[], call: Call): Promise<Answer> {
  const repository = needRepository(call);
  if (has(args, "-f", "--force")) return forced(without(args, "-f", "--force"), call);
  const [before, rest] = splitAtDashes(args);
  const operands = before.filter((word) => !word.startsWith("-"));
  if (has(args, "--ours", "--theirs"))
    return takeSide([...operands, ...rest.slice(1)], has(args, "--ours") ? 2 : 3, call);
  const switches = before.some((word) => /^-[bBd]|^--(orphan|detach|track)|^-t$/.test(word));
  if (switches || rest.length || operands.length === 0) return call.run(["checkout", ...withoutTrack(args)]);
  const [first = "", ...others] = operands;
  const tree = /^\.{1,2}(\/|$)/.test(first) ? null : await revParse(repository, first === "-" ? "HEAD" : first);
  if (others.length === 0 && (tree !== null || (await isRemote(first, call)))) return call.run(["checkout", ...args]);
  const paths = tree === null ? operands : others;
  const changed = await diff(["--name-only", ...(tree === null ? [] : [first]), "--", ...paths], call);
  const options = before.filter((word) => word.startsWith("-"));
  const done = await call.run(["checkout", ...options, ...(tree === null ? [] : [first]), "--", ...paths]);
  if (done.exitCode || changed.exitCode) return done;
  return {
    ...done,
    stderr: `${done.stderr}${updated(changed.stdout.split("\n").length - 1, tree?.slice(0, 7) ?? "the index")}`,
  };
}

/** Return whether a name that is no file is a branch of a remote, which becomes one of ours. */
async function isRemote(name: string, call: Call) {
  const { fs, cwd } = call.context;
  return (await remoteBranch(name, needRepository(call))) !== null && !(await fs.exists(fs.resolvePath(cwd, name)));
}

/** Check out, and drop changes of tracked files. */
async function forced(args: string[], call: Call): Promise<Answer> {
  const name = args.findLast((word) => !word.startsWith("-"));
  const isPath =
    args.includes("--") ||
    (name !== undefined && (await revParse(needRepository(call), name === "-" ? "HEAD" : name)) === null);
  if (isPath && !has(args, "-b", "-B", "--orphan")) return checkout(args, call);
  const done = await call.run(["reset", "--hard"]);
  return done.exitCode || name === undefined ? { ...done, stdout: "" } : checkout(args, call);
}

const withoutTrack = (args: string[]) => (has(args, "-b", "-B") ? without(args, "-t", "--track", "--no-track") : args);

const updated = (count: number, source: string) => `Updated ${count} path${count === 1 ? "" : "s"} from ${source}\n`;

/**
 * Write one side of a conflict.
 * @param stage - 2 is ours, 3 theirs
 */
async function takeSide(paths: string[], stage: number, call: Call): Promise<Answer> {
  const repository = needRepository(call);
  const { fs } = call.context;
  const listed = (await call.run(["ls-files", "-s"])).stdout.split("\n").filter(Boolean);
  const entries = listed.map((line) => /^(\d+) (\w+) (\d)\t(.*)$/.exec(line) ?? []);
  let count = 0;
  for (const path of paths) {
    const name = inTree(repository, call.context, path);
    // Without a conflict both sides are the staged content.
    const chosen = entries.filter(
      ([, , , number, file = ""]) =>
        (number === "0" || Number(number) === stage) && (name === "" || file === name || file.startsWith(`${name}/`)),
    );
    if (chosen.length === 0) {
      const known = entries.some((entry) => entry[4] === name);
      throw new GitProblem(
        known
          ? `error: path '${path}' does not have ${stage === 2 ? "our" : "their"} version`
          : `error: pathspec '${path}' did not match any file(s) known to git`,
        1,
      );
    }
    for (const [, mode = "", hash = "", number, file = ""] of chosen) {
      const place = `${repository.workTree}/${file}`;
      if (number === "0") await call.run(["checkout", "--", place]);
      else await fs.writeFile(place, await readBlob(repository, hash));
      if (fs.hasModes && mode !== LINK && fs.isFile(place)) await fs.chmod(place, parseInt(mode, 8) & PERMISSIONS);
    }
    count += chosen.length;
  }
  return { stdout: "", stderr: updated(count, "the index"), exitCode: 0 };
}
