// Commands of just-git whose arguments or output are adjusted to git 2.39.
import { answer, GitProblem, type Answer } from "./repository/answers.ts";
import { add } from "./commands/add.ts";
import { blame } from "./commands/blame.ts";
import { findChanges } from "./index/changes.ts";
import { clean } from "./commands/clean.ts";
import { checkout } from "./commands/checkout.ts";
import { diff } from "./commands/diff.ts";
import { chooseCommits, takeSelection } from "./history/history.ts";
import { lsFiles } from "./commands/ls_files.ts";
import { merge, takeStrategy } from "./commands/merges.ts";
import { log, show, withTimes } from "./commands/log.ts";
import { has, parseOptions, without } from "./repository/options.ts";
import { addFolders } from "./repository/new_repository.ts";
import { entriesOf, writeEntries } from "./index/index_edit.ts";
import { gitFile, headOf, needRepository, revParse, type Adjustment, type Call } from "./repository/repository.ts";
import { plainBranch } from "./commands/refs.ts";
import { interactiveRebase } from "./commands/rebase.ts";
import { patchMode } from "./commands/patch_mode.ts";
import { remote } from "./commands/remotes.ts";
import { resetPaths } from "./commands/reset_paths.ts";
import { setting } from "./repository/settings.ts";
import { cherryPick, revert } from "./commands/reverts.ts";
import { stash } from "./commands/stash.ts";
import { tableOf } from "../tables.ts";

const DEFAULT_BRANCH = "master";
const HINT = `\
hint: Using '${DEFAULT_BRANCH}' as the name for the initial branch. This default branch name
hint: is subject to change. To configure the initial branch name to use in all
hint: of your new repositories, which will suppress this warning, call:
hint: 
hint: \tgit config --global init.defaultBranch <name>
hint: 
hint: Names commonly chosen instead of 'master' are 'main', 'trunk' and
hint: 'development'. The just-created branch can be renamed via this command:
hint: 
hint: \tgit branch -m <name>
`;

async function init(args: string[], call: Call): Promise<Answer> {
  const given = args.some((word) => /^-b|^--initial-branch/.test(word));
  const name = given ? "" : (setting(call.settings, "init.defaultBranch") ?? call.context.firstBranch);
  const ran = await call.run(["init", ...(given ? [] : ["-b", name ?? DEFAULT_BRANCH]), ...args]);
  const done = { ...ran, stdout: ran.stdout.replace("Initialized empty bare Git", "Initialized empty Git") };
  const place = /^Initialized empty Git repository in (.*?)\/?$/m.exec(done.stdout)?.[1];
  if (place !== undefined) await addFolders(place, call.context.files);
  return name === undefined && done.stdout.startsWith("Initialized") ? { ...done, stderr: HINT + done.stderr } : done;
}

/**
 * Check out the branch that `rebase <upstream> <branch>` names.
 * @returns an answer ends the command
 */
async function toBranch(args: string[], call: Call): Promise<{ args: string[]; done: Answer | null }> {
  const { operands } = parseOptions(args, ["--onto", "-s", "--strategy", "-X"]);
  const [upstream = "", branch] = operands;
  if (branch === undefined) return { args, done: null };
  const repository = needRepository(call);
  const base = await revParse(repository, `${upstream}^{commit}`);
  if (base === null) return { args, done: answer("", `fatal: invalid upstream '${upstream}'\n`, 128) };
  if ((await revParse(repository, `${branch}^{commit}`)) === null)
    return { args, done: answer("", `fatal: no such branch/commit '${branch}'\n`, 128) };
  const moved = (await headOf(repository)).branch === branch ? answer() : await call.run(["checkout", branch]);
  const rest = args.filter((_, at) => at !== args.lastIndexOf(branch)).map((word) => (word === upstream ? base : word));
  return { args: rest, done: moved.exitCode ? moved : null };
}

/** Progress is overwritten by what follows. */
async function rebase(given: string[], call: Call): Promise<Answer> {
  const { args } = takeStrategy(given, call);
  const interactive = await interactiveRebase(args, call);
  if (interactive !== null) return interactive;
  const moved = await toBranch(args, call);
  if (moved.done) return moved.done;
  const done = await call.run(["rebase", ...moved.args]);
  // The commit of a conflict that was resolved has no date.
  const stdout = has(args, "--continue") ? done.stdout.replace(/^( Author: .*\n)? Date: .*\n/m, "$1") : done.stdout;
  const stderr = done.stderr
    .replace(/(Rebasing \(\d+\/\d+\)\r)(?=Successfully)/, `$1\r${" ".repeat(80)}\r`)
    .replace(/^(Could not apply \w+\.\.\.) # /m, "$1 ");
  return { ...done, stdout, stderr };
}

/** A reset before the first commit empties the index. */
async function resetUnborn(args: string[], call: Call): Promise<Answer> {
  const { workTree } = needRepository(call);
  const { fs } = call.context;
  const entries = await entriesOf(call);
  if (has(args, "--hard")) {
    for (const { path } of entries) {
      await fs.rm(`${workTree}/${path}`, { force: true });
      await removeFolders(path, call);
    }
  }
  await writeEntries(call, []);
  return answer();
}

/** `reset --merge` keeps changes that aren't staged, which just-git can't. */
async function checkUnstaged(call: Call) {
  const found = await findChanges(needRepository(call), call, { untracked: "no", ignored: false, renames: false });
  const retained =
    found?.changes.filter(({ staged, unstaged }) => unstaged !== " " && !/U|AA|DD/.test(staged + unstaged)) ?? [];
  if (retained.length === 0) return;
  throw new GitProblem(
    `error: git reset --merge can't keep the changes of '${retained[0]?.path}' here\nhint: use git stash, git reset --hard and git stash pop`,
    128,
  );
}

/** ORIG_HEAD is where HEAD was. */
async function reset(args: string[], call: Call): Promise<Answer> {
  const { gitDir, fs } = needRepository(call);
  const before = await headOf(needRepository(call));
  if (before.hash === null && args.every((word) => /^(--hard|--mixed|-q|--quiet)$/.test(word)))
    return resetUnborn(args, call);
  const ofPaths = await resetPaths(args, call);
  if (ofPaths !== null) return ofPaths;
  if (has(args, "--merge")) await checkUnstaged(call);
  const done = await call.run(["reset", ...args.map((word) => (word === "--merge" ? "--hard" : word))]);
  if (done.exitCode === 0 && before.hash !== null) await fs.writeFile(`${gitDir}/ORIG_HEAD`, `${before.hash}\n`);
  return done;
}

/** Count the commits after the tag, of which just-git leaves some out. */
async function describe(args: string[], call: Call): Promise<Answer> {
  const done = await call.run(["describe", ...args]);
  const [, tag, hash, rest = ""] = /^(.*)-\d+-g([0-9a-f]+)(.*)\n$/.exec(done.stdout) ?? [];
  if (tag === undefined || hash === undefined || done.exitCode) return done;
  const chosen = await chooseCommits(takeSelection([`${tag}..${hash}`, "--"]), call, needRepository(call));
  return { ...done, stdout: `${tag}-${chosen.length}-g${hash}${rest}\n` };
}

/** just-git has no log of the stash, whose list is the same, and no limit. */
async function reflog(args: string[], call: Call): Promise<Answer> {
  const at = args.findIndex((word) => /^(-\d+|-n\d*|--max-count=\d+)$/.test(word));
  if (at >= 0) {
    const isApart = args[at] === "-n";
    const count = Number(/\d+$/.exec((isApart ? args[at + 1] : args[at]) ?? "")?.[0] ?? NaN);
    const done = await reflog(args.toSpliced(at, isApart ? 2 : 1), call);
    const lines = done.stdout.split(/^(?=.)/m);
    return { ...done, stdout: lines.slice(0, count).join("") };
  }
  const names = parseOptions(args).operands.filter((word, at) => at > 0 || word !== "show");
  if (names[0] !== "stash" || args.length > 2) return call.run(["reflog", ...args]);
  const lines = ((await gitFile(needRepository(call), "logs/refs/stash")) ?? "").split("\n").filter(Boolean).reverse();
  if (lines.length === 0) return call.run(["reflog", ...args]);
  return answer(
    lines.map((line, at) => `${line.split(" ")[1]?.slice(0, 7)} stash@{${at}}: ${line.split("\t")[1]}\n`).join(""),
  );
}

/** All packs are made with care, and what nothing refers to stays. */
async function gc(args: string[], call: Call): Promise<Answer> {
  return call.run(["gc", ...without(args, "--aggressive", "--auto", "--no-prune")]);
}

/** Folders go with their last file. */
async function rm(args: string[], call: Call): Promise<Answer> {
  const before = has(args, "--cached") ? [] : await entriesOf(call);
  const done = await call.run(["rm", ...args.filter((word) => word !== "--")]);
  const after = new Set(before.length ? (await entriesOf(call)).map(({ path }) => path) : []);
  for (const { path } of before) if (!after.has(path)) await removeFolders(path, call);
  return done;
}

/** Remove the folders of a file that is gone, if they are empty. */
async function removeFolders(path: string, call: Call) {
  const { workTree } = needRepository(call);
  const { fs } = call.context;
  for (let folder = path; folder.includes("/"); ) {
    folder = folder.slice(0, folder.lastIndexOf("/"));
    const place = `${workTree}/${folder}`;
    if (!(await fs.exists(place)) || (await fs.readdir(place)).length) return;
    await fs.rm(place);
  }
}

/** Drop changes of tracked files, if that is wanted. */
async function switchTo(args: string[], call: Call): Promise<Answer> {
  const rest = without(args, "-f", "--force", "--discard-changes");
  const dropped = rest.length < args.length ? await call.run(["reset", "--hard"]) : null;
  return dropped?.exitCode ? dropped : call.run(["switch", ...rest]);
}

/** Let the user choose hunks, where `-p` asks for it. */
const choosing =
  (command: "add" | "reset" | "checkout" | "restore", adjustment: Adjustment): Adjustment =>
  async (args, call) =>
    (await patchMode(command, args, call))?.done ?? adjustment(args, call);

export const ADJUSTED: Record<string, Adjustment> = tableOf({
  add: choosing("add", add),
  blame,
  branch: plainBranch,
  checkout: choosing("checkout", checkout),
  clean,
  "cherry-pick": cherryPick,
  clone: remote("clone"),
  describe,
  diff,
  fetch: remote("fetch"),
  gc,
  init,
  log,
  "ls-files": lsFiles,
  merge,
  pull: (args, call) => remote("pull")(takeStrategy(args, call).args, call),
  push: remote("push"),
  rebase,
  reflog,
  reset: choosing("reset", reset),
  restore: choosing("restore", (args, call) => call.run(["restore", ...args])),
  revert,
  rm,
  shortlog: async (args, call) => call.run(["shortlog", ...(await withTimes(args, call.context))]),
  show,
  stash,
  switch: switchTo,
});
