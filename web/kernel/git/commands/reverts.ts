// `git revert` and `git cherry-pick`: ranges of commits, and changes of permissions, which just-git leaves out of a revert.
import { readCommit } from "just-git/repo";

import { formatDate } from "../objects/dates.ts";
import { answer, GitProblem, joined, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { filesOf } from "../index/changes.ts";
import { chooseCommits, takeSelection } from "../history/history.ts";
import { takeStrategy } from "./merges.ts";
import { chmod, localChanges } from "../index/mode_changes.ts";
import { has, without } from "../repository/options.ts";
import { gitFile, headOf, needRepository, revParse, type Call } from "../repository/repository.ts";

const TYPES = 0o170000;
const VALUED = /^(-m|--mainline|-X|--strategy-option|--strategy)$/;

/** The arguments with the commits of ranges, in the order in which they are applied. */
async function expanded(args: string[], oldestFirst: boolean, call: Call) {
  const names: string[] = [];
  const options: string[] = [];
  for (const [at, word] of args.entries()) {
    if (word.startsWith("-") || VALUED.test(args[at - 1] ?? "")) options.push(word);
    else if (!/\.\.|\^[!@]$/.test(word)) names.push(word);
    else {
      const order = oldestFirst ? ["--reverse"] : [];
      const chosen = await chooseCommits(takeSelection([...order, word, "--"]), call, needRepository(call));
      if (chosen.length === 0)
        throw new GitProblem(`error: empty commit set passed\nfatal: ${oldestFirst ? "cherry-pick" : "revert"} failed`);
      names.push(...chosen.map(({ commit }) => commit.hash));
    }
  }
  return { names, options };
}

async function oneByOne(
  command: string,
  options: string[],
  names: string[],
  apply: (words: string[]) => Promise<Answer>,
) {
  if (names.length < 2) return apply([command, ...options, ...names]);
  if (has(options, "-n", "--no-commit"))
    refuse(
      `git ${command} -n takes one commit here`,
      `use git ${command}${command === "revert" ? " --no-edit" : ""} without -n, and git reset --soft HEAD~${names.length}`,
    );
  let all = answer();
  for (const name of names) {
    all = joined(all, await apply([command, ...options, name]));
    if (all.exitCode) break;
  }
  return all;
}

/** Commit what a conflict, or `-n`, has left; git continues either with either name. */
async function proceed(command: "cherry-pick" | "revert", args: string[], call: Call) {
  const repository = needRepository(call);
  const picks = (await gitFile(repository, "CHERRY_PICK_HEAD")) !== null;
  const reverts = !picks && (await gitFile(repository, "REVERT_HEAD")) !== null;
  // Nothing is left to commit, which `git commit` says.
  if ((picks || reverts) && !/^[MADRCTU]/m.test((await call.run(["status", "--porcelain"])).stdout))
    return call.elsewhere(["commit", "-m", command], call.context.cwd);
  const done = await call.run([reverts ? "revert" : command, ...without(args, "--no-edit")]);
  return reverts ? { ...done, stdout: done.stdout.replace(/^ Date: .*\n/m, "") } : done;
}

export async function cherryPick(args: string[], call: Call): Promise<Answer> {
  if (has(args, "--continue")) return proceed("cherry-pick", args, call);
  const { names, options } = await expanded(
    without(takeStrategy(args, call).args, "--no-edit", "--allow-empty"),
    true,
    call,
  );
  return oneByOne("cherry-pick", options, names, async (words) => dated(await pickOne(words, call), call));
}

/** The commit that the last word names, and the permissions that it changes. */
async function namedCommit(words: string[], call: Call) {
  const name = words.at(-1) ?? "";
  const hash = name.startsWith("-") ? null : await revParse(needRepository(call), `${name}^{commit}`);
  return { hash, modes: hash === null || has(words, "-m", "--mainline") ? [] : await changedModes(hash, call) };
}

async function pickOne(words: string[], call: Call): Promise<Answer> {
  const { modes } = await namedCommit(words, call);
  const done = await call.run(words);
  if (modes.length === 0 || /CONFLICT|conflict:/.test(done.stdout)) return done;
  const paths = await chmod(
    modes.map(({ path, after }) => ({ path, mode: after })),
    call,
  );
  if (paths.length === 0 || has(words, "-n", "--no-commit")) return done;
  if (done.exitCode) return call.run(["cherry-pick", "--continue"]);
  const { stdout } = await call.run(["commit", "--amend", "--no-edit"]);
  return { ...done, stdout };
}

export async function revert(args: string[], call: Call): Promise<Answer> {
  if (has(args, "--continue")) return proceed("revert", args, call);
  const { names, options } = await expanded(takeStrategy(args, call).args, false, call);
  return oneByOne("revert", options, names, async (words) => dated(await revertOne(words, call), call));
}

/** Say the author's date of the new commit, which just-git says only where it isn't the committer's. */
async function dated(done: Answer, call: Call): Promise<Answer> {
  const head = /^\[.*\n/.exec(done.stdout)?.[0];
  if (head === undefined || /^ Date: /m.test(done.stdout)) return done;
  const repository = needRepository(call);
  const { author } = await readCommit(repository, (await headOf(repository)).hash ?? "");
  const line = ` Date: ${formatDate(author.timestamp, author.timezone)}\n`;
  return { ...done, stdout: done.stdout.replace(head, () => head + line) };
}

async function revertOne(words: string[], call: Call): Promise<Answer> {
  const repository = needRepository(call);
  const { hash, modes } = await namedCommit(words, call);
  if (hash !== null) await checkModes(hash, call);
  const parents = hash === null ? [] : (await readCommit(repository, hash)).parents;
  const done = withEmptyTree(await call.run(words), parents);
  if (hash !== null && has(words, "-n", "--no-commit") && (done.exitCode === 0 || modes.length))
    await begin(hash, call);
  if (modes.length && !/CONFLICT|conflict/.test(done.stdout + done.stderr))
    return withModes(done, modes, words, hash ?? "", call);
  if (done.exitCode || !/\] Reapply "/.test(done.stdout)) return done;
  // The revert of a revert has another title in git 2.39.
  const { message } = await readCommit(repository, (await headOf(repository)).hash ?? "");
  const renamed = message.replace(/^Reapply "(.*)"$/m, 'Revert "Revert "$1""');
  const { stdout } = await call.run(["commit", "--amend", "-m", renamed]);
  return { ...done, stdout: stdout.replace(/^ Author: .*\n/gm, "") };
}

/** Name the empty tree, to which the revert of a root commit leads: just-git names a parent. */
function withEmptyTree(done: Answer, parents: string[]): Answer {
  if (parents.length) return done;
  return {
    ...done,
    stdout: done.stdout.replace(/ deleted in parent of [0-9a-f]+ \(.*\) and/g, " deleted in (empty tree) and"),
  };
}

/** Note a revert that isn't committed, and where its `--abort` goes back to. */
async function begin(hash: string, call: Call) {
  const repository = needRepository(call);
  const { fs, gitDir } = repository;
  await fs.writeFile(`${gitDir}/REVERT_HEAD`, `${hash}\n`);
  await fs.writeFile(`${gitDir}/ORIG_HEAD`, `${(await headOf(repository)).hash}\n`);
}

type ModeChange = { path: string; before: number; after: number };

/** The files whose permissions a commit changes. */
async function changedModes(hash: string, call: Call): Promise<ModeChange[]> {
  const repository = needRepository(call);
  const { parents, tree } = await readCommit(repository, hash);
  if (parents[0] === undefined) return [];
  const [before, after] = [
    await filesOf(repository, (await readCommit(repository, parents[0])).tree),
    await filesOf(repository, tree),
  ];
  return [...after].flatMap(([path, { mode }]) => {
    const old = before.get(path)?.mode ?? mode;
    return old !== mode && ((old ^ mode) & TYPES) === 0 ? [{ path, before: old, after: mode }] : [];
  });
}

/** Refuse to lose a change of permissions in the work tree. */
async function checkModes(hash: string, call: Call) {
  const repository = needRepository(call);
  const local = (await localChanges(repository, call, { tree: null, cached: false })) ?? [];
  if (local.length === 0) return;
  const { parents, tree } = await readCommit(repository, hash);
  const before =
    parents[0] === undefined ? new Map() : await filesOf(repository, (await readCommit(repository, parents[0])).tree);
  const after = await filesOf(repository, tree);
  const lost = local.filter(
    ({ path, old, now }) =>
      old &&
      now &&
      (before.get(path)?.hash !== after.get(path)?.hash || before.get(path)?.mode !== after.get(path)?.mode),
  );
  if (lost.length === 0) return;
  const list = lost.map(({ path }) => `\t${path}\n`).join("");
  throw new GitProblem(
    `error: Your local changes to the following files would be overwritten by merge:\n${list}Please commit your changes or stash them before you merge.\nAborting\nfatal: revert failed`,
  );
}

/** Take back changes of permissions, too. */
async function withModes(done: Answer, modes: ModeChange[], words: string[], hash: string, call: Call) {
  const repository = needRepository(call);
  const paths = await chmod(
    modes.map(({ path, before }) => ({ path, mode: before })),
    call,
  );
  if (paths.length === 0) return done;
  if (has(words, "-n", "--no-commit")) return { ...done, exitCode: 0 };
  const { message } = await readCommit(repository, hash);
  const title = (message.split("\n")[0] ?? "").trim();
  const options = done.exitCode
    ? ["-m", `Revert "${title}"\n\nThis reverts commit ${hash}.`]
    : ["--amend", "--no-edit"];
  const { stdout, stderr, exitCode } = await call.run(["commit", ...options]);
  return { stdout, stderr, exitCode };
}
