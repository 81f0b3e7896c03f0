// `git stash push` of some paths. The stash is written before a file changes, so nothing is lost if the call ends early.
import { readCommit, revParse, updateTree, writeBlob, writeTree } from "just-git/repo";

import { answer, fail, GitProblem } from "../repository/answers.ts";
import { restoreModes } from "../index/carried_modes.ts";
import { findChanges, type Change } from "../index/changes.ts";
import { newCommit, person } from "../repository/ident.ts";
import { readIndex, type Entry } from "../index/index_file.ts";
import { isBelow } from "../repository/pathspec.ts";
import { headOf, inTree, needRepository, type Call, type Repository, inRoot } from "../repository/repository.ts";

type Update = { path: string; hash: string | null; mode?: string };

/** `keeps` leaves staged changes; `all` takes all paths */
interface Options {
  message: string | undefined;
  untracked: boolean;
  quiet: boolean;
  keeps: boolean;
  paths: string[];
  all?: boolean;
}

const NO_HASH = "0".repeat(40);

export async function stashPaths({ message, untracked, quiet, keeps, paths, all = false }: Options, call: Call) {
  const repository = needRepository(call);
  const { hash: head, branch } = await headOf(repository);
  if (head === null) throw new GitProblem("You do not have the initial commit yet", 1);
  const found = await findChanges(repository, call, {
    untracked: untracked ? "all" : "no",
    ignored: false,
    renames: false,
  });
  if (found === null) fail("the index can't be read");
  const entries = (await readIndex(repository)) ?? [];
  const known = [...entries.map(({ path }) => path), ...found.untracked];
  const specs = paths.map((path) => ({ path, pattern: inTree(repository, call.context, path) }));
  const matches = (path: string) => all || specs.some(({ pattern }) => isBelow(path, pattern));
  const missing = specs.find(({ pattern }) => !known.some((path) => isBelow(path, pattern)));
  if (missing) throw new GitProblem(unknownPath(missing.path, repository, call), 1);
  const changes = found.changes.filter(({ path }) => matches(path));
  const others = found.untracked.filter(matches);
  if (changes.length + others.length === 0) return answer(quiet ? "" : "No local changes to save\n");
  const { where, title } = await titleOf(message, head, branch, call);
  const index = await indexTree(repository, entries, found.changes);
  const parents = [head, await newCommit(index, [head], `index on ${where}\n`, call)];
  if (untracked)
    parents.push(
      await newCommit(
        await treeOf(await writeTree(repository, []), others, call),
        [],
        `untracked files on ${where}\n`,
        call,
      ),
    );
  const worked = changes.filter(({ unstaged }) => unstaged !== " ").map(({ path }) => path);
  const hash = await newCommit(await treeOf(index, worked, call), parents, title, call);
  await record(hash, title, call);
  if (keeps) await leaveStaged(worked, others, call);
  else await restore(changes, others, call);
  return answer(quiet ? "" : `Saved working directory and index state ${title}\n`);
}

/** The message of a stash, and where it was made. */
export async function titleOf(message: string | undefined, head: string, branch: string | null, call: Call) {
  const name = branch ?? "(no branch)";
  const where = `${name}: ${head.slice(0, 7)} ${await subjectOf(needRepository(call), head)}`;
  return { where, title: message === undefined ? `WIP on ${where}` : `On ${name}: ${message}` };
}

function unknownPath(path: string, repository: Repository, call: Call) {
  const folder = inTree(repository, call.context, ".");
  const prefix = folder ? `${folder}/` : "";
  return `error: pathspec ':(,prefix:${prefix.length})${prefix}${path}' did not match any file(s) known to git\nDid you forget to 'git add'?`;
}

export async function indexTree(repository: Repository, entries: Entry[], changes: Change[]) {
  const head = (await revParse(repository, "HEAD^{tree}")) ?? (await writeTree(repository, []));
  const indexed = new Map(entries.map((entry) => [entry.path, entry]));
  const updates = changes
    .filter(({ staged }) => staged !== " ")
    .map(({ path }) => {
      const entry = indexed.get(path);
      return entry ? { path, hash: entry.hash, mode: entry.mode.toString(8) } : { path, hash: null };
    });
  return updates.length ? updateTree(repository, head, updates) : head;
}

/** A tree with files as they are in the work tree. */
async function treeOf(base: string, paths: string[], call: Call) {
  const repository = needRepository(call);
  const { fs } = call.context;
  const updates: Update[] = [];
  for (const path of paths) {
    const place = `${repository.workTree}/${path}`;
    const stat = (await fs.exists(place)) || (await fs.lstat(place).catch(() => null)) ? await fs.lstat(place) : null;
    if (stat === null) updates.push({ path, hash: null });
    else if (stat.isSymbolicLink)
      updates.push({ path, hash: await writeBlob(repository, await fs.readlink(place)), mode: "120000" });
    else {
      const hash = await repository.objectStore.write("blob", await fs.readFileBuffer(place));
      updates.push({ path, hash, mode: stat.mode & 0o100 ? "100755" : "100644" });
    }
  }
  return updates.length ? updateTree(repository, base, updates) : base;
}

export async function record(hash: string, title: string, call: Call) {
  const { fs, gitDir, refStore } = needRepository(call);
  const log = `${gitDir}/logs/refs/stash`;
  const before = (await fs.exists(log)) ? await fs.readFile(log) : "";
  const last = /^\S+ (\S+) .*\n$/m.exec(before.slice(before.trimEnd().lastIndexOf("\n") + 1))?.[1] ?? NO_HASH;
  const { name, email, timestamp, timezone } = person("COMMITTER", call);
  await refStore.writeRef("refs/stash", { type: "direct", hash });
  await fs.mkdir(log.slice(0, log.lastIndexOf("/")), { recursive: true });
  await fs.writeFile(log, `${before}${last} ${hash} ${name} <${email}> ${timestamp} ${timezone}\t${title}\n`);
}

/** Undo the changes that are stashed. */
async function restore(changes: Change[], untracked: string[], call: Call) {
  const repository = needRepository(call);
  const { fs } = call.context;
  const added = changes.filter(({ staged }) => staged === "A").map(({ path }) => path);
  const others = changes.filter(({ staged }) => staged !== "A").map(({ path }) => path);
  // An untracked file may be where a tracked one was before it moved.
  for (const path of untracked) await fs.rm(`${repository.workTree}/${path}`, { force: true });
  await inRoot(call, async () => {
    if (others.length) await call.run(["restore", "--source=HEAD", "--staged", "--worktree", "--", ...others]);
    if (added.length) await call.run(["rm", "-f", "--cached", ...added]);
  });
  await restoreModes(others, call);
  for (const path of added) await fs.rm(`${repository.workTree}/${path}`, { force: true });
}

/** Undo the changes that aren't staged. */
async function leaveStaged(worked: string[], untracked: string[], call: Call) {
  const { workTree } = needRepository(call);
  const { fs } = call.context;
  if (worked.length) await inRoot(call, () => call.run(["restore", "--worktree", "--", ...worked]));
  await restoreModes(worked, call);
  for (const path of untracked) await fs.rm(`${workTree}/${path}`, { force: true });
}

const subjectOf = async (repository: Repository, hash: string) =>
  (await readCommit(repository, hash)).message.split("\n")[0] ?? "";
