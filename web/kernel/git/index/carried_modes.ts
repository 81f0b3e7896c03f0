// Permissions that differ between two commits, which just-git leaves as they are if the text is the same.
import { findMergeBases, readCommit } from "just-git/repo";
import type { Answer } from "../repository/answers.ts";

import { filesOf, nodesBelow } from "./changes.ts";
import { readIndex } from "./index_file.ts";
import { chmod, localChanges } from "./mode_changes.ts";
import { has, parseOptions } from "../repository/options.ts";
import { pathFilter } from "../repository/pathspec.ts";
import { headOf, needRepository, revParse, type Call } from "../repository/repository.ts";

const MOVING = new Set(["checkout", "switch", "merge", "pull", "rebase"]);
const [TYPES, FILE] = [0o170000, 0o100000];
const [PERMISSIONS, EXECUTABLE] = [0o777, 0o100];

/** Run a command, and give files the permissions of the commit that it moves HEAD to. */
export async function withPermissions(
  name: string,
  args: string[],
  call: Call,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { repository } = call;
  return PATHS.has(name) && repository?.workTree ? withPaths(name, args, call, run) : moved(name, args, call, run);
}

/** Give files the permissions of the commit that a command moves HEAD to. */
async function moved(name: string, args: string[], call: Call, run: () => Promise<Answer>): Promise<Answer> {
  const { repository } = call;
  const moves = MOVING.has(name) || (name === "reset" && has(args, "--hard", "--keep", "--merge"));
  if (!moves || !repository?.workTree) return run();
  const before = (await headOf(repository)).hash;
  const done = await run();
  const after = (await headOf(repository)).hash;
  if (name === "reset" && !has(args, "--keep") && after !== null && done.exitCode === 0) await resetModes(after, call);
  if (before === null || after === null || before === after) return done;
  const [old, now] = await Promise.all(
    [before, after].map(async (hash) => filesOf(repository, (await revParse(repository, `${hash}^{tree}`)) ?? "")),
  );
  const { fs } = call.context;
  const staged = await indexOf(call);
  const wanted = [];
  for (const [path, { mode, hash }] of now ?? []) {
    const earlier = old?.get(path);
    const entry = staged.get(path);
    const isSame = earlier?.hash === hash && entry?.hash === hash && entry.stage === 0 && entry.mode === earlier.mode;
    if (
      !isSame ||
      earlier.mode === mode ||
      (earlier.mode ^ mode) & TYPES ||
      !fs.isFile(`${repository.workTree}/${path}`)
    )
      continue;
    wanted.push({ path, mode });
  }
  await chmod(wanted, call);
  if (name === "merge" || name === "pull") await mergeModes(before, after, call);
  return done;
}

/** Give files and the index the permissions of a commit. */
async function resetModes(hash: string, call: Call) {
  const repository = needRepository(call);
  const index = await indexOf(call);
  const tree = await filesOf(repository, (await readCommit(repository, hash)).tree);
  const staged = [...tree].flatMap(([path, { mode, hash: blob }]) => {
    const entry = index.get(path);
    return entry?.hash === blob && entry.stage === 0 && entry.mode !== mode && ((entry.mode ^ mode) & TYPES) === 0
      ? [{ path, mode }]
      : [];
  });
  if (staged.length) await chmod(staged, call);
  await restoreModes(null, call);
}

async function indexOf(call: Call) {
  const entries = (await readIndex(needRepository(call))) ?? [];
  return new Map(entries.map((entry) => [entry.path, entry]));
}

/**
 * Give files the permissions of the index.
 * @param paths - null for all
 */
export async function restoreModes(paths: Iterable<string> | null, call: Call) {
  const { fs } = call.context;
  if (!fs.hasModes) return;
  const index = await indexOf(call);
  const nodeOf = nodesBelow(fs, needRepository(call).workTree ?? "");
  for (const path of paths ?? index.keys()) {
    const entry = index.get(path);
    const node = entry?.stage === 0 && (entry.mode & TYPES) === FILE ? nodeOf(path) : null;
    const differs =
      node !== null &&
      fs.FS.isFile(node.mode) &&
      Boolean(node.mode & EXECUTABLE) !== Boolean((entry?.mode ?? 0) & EXECUTABLE);
    if (differs && !fs.isBehindLink(path))
      await fs.chmod(`${needRepository(call).workTree}/${path}`, (entry?.mode ?? 0) & PERMISSIONS);
  }
}

// The commands that restore files by their names, too.
const PATHS = new Set(["restore", "checkout"]);

/** Restore the permissions of files that are named. */
async function withPaths(name: string, args: string[], call: Call, run: () => Promise<Answer>): Promise<Answer> {
  const repository = needRepository(call);
  const changed =
    (await localChanges(repository, call, { tree: null, cached: false }))?.filter(
      ({ old, now }) => old !== null && now !== null,
    ) ?? [];
  const isStaged = name === "restore" && has(args, "--staged", "-S") && !has(args, "--worktree", "-W");
  const before = (await headOf(repository)).hash;
  const isMoving =
    name === "checkout" &&
    (has(args, "-b", "-B", "--orphan", "--detach", "-d", "-p", "--patch") ||
      !args.some((word) => !word.startsWith("-")));
  if (isMoving || changed.length === 0 || isStaged) return moved(name, args, call, run);
  const done = await moved(name, args, call, run);
  if (
    done.exitCode ||
    before !== (await headOf(repository)).hash ||
    /^(Switched|Already|HEAD is now|Your branch)/m.test(done.stderr + done.stdout)
  )
    return done;
  const { operands, paths } = parseOptions(args, ["-s", "--source"]);
  const named = paths ?? operands;
  const wanted = pathFilter(named, repository, call.context);
  if (named.length) await restoreModes(changed.map(({ path }) => path).filter(wanted), call);
  return done;
}

/**
 * Let a merge have the permissions that only the other side has changed.
 * @param before - HEAD before the merge
 */
async function mergeModes(before: string, after: string, call: Call) {
  const repository = needRepository(call);
  const { parents, tree } = await readCommit(repository, after);
  const [ours, theirs] = parents;
  if (ours !== before || theirs === undefined || parents.length !== 2) return;
  const [base] = await findMergeBases(repository, ours, theirs);
  if (base === undefined) return;
  const files = async (hash: string) => filesOf(repository, (await readCommit(repository, hash)).tree);
  const [old, mine, other, merged] = [
    await files(base),
    await files(ours),
    await files(theirs),
    await filesOf(repository, tree),
  ];
  const wanted = [...other].flatMap(([path, { mode }]) => {
    const earlier = old.get(path)?.mode;
    const isTheirs =
      earlier !== undefined &&
      earlier !== mode &&
      mine.get(path)?.mode === earlier &&
      merged.get(path)?.mode === earlier;
    return isTheirs && ((earlier ^ mode) & TYPES) === 0 ? [{ path, mode }] : [];
  });
  if (wanted.length && (await chmod(wanted, call)).length) await call.run(["commit", "--amend", "--no-edit"]);
}
