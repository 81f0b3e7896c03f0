// The files that differ between two sides: trees, the index, the work tree.
import { diffTrees } from "just-git/repo";

import { fail } from "../repository/answers.ts";
import { bytewise, filesOf, findChanges } from "../index/changes.ts";
import { readIndex } from "../index/index_file.ts";
import { blobHash } from "../repository/blob_hash.ts";
import { needRepository, type Call } from "../repository/repository.ts";

/** `isWork`: its content is the file's */
export type Version = { mode: number; hash: string; isWork: boolean; bytes?: Uint8Array };

/** `status` is a letter of git-diff(1), `--diff-filter`; `from` is the earlier path */
export interface Pair {
  path: string;
  from: string | null;
  old: Version | null;
  now: Version | null;
  status: string;
  score: number;
}

type Versions = Map<string, Version>;

const TYPES = 0o170000;
const [LINK, FILE, PROGRAM] = [0o120000, 0o100644, 0o100755];

const statusOf = (old: Version | null, now: Version | null) =>
  old === null ? "A" : now === null ? "D" : (old.mode ^ now.mode) & TYPES ? "T" : "M";

export const pairOf = (path: string, old: Version | null, now: Version | null): Pair => ({
  path,
  from: null,
  old,
  now,
  status: statusOf(old, now),
  score: 0,
});

const byPath = (one: Pair, other: Pair) => bytewise(one.path, other.path);

/** @param one - a tree; null for an empty one */
export async function treePairs(call: Call, one: string | null, other: string | null): Promise<Pair[]> {
  const version = (mode: string | undefined, hash: string | undefined) =>
    mode === undefined || hash === undefined ? null : { mode: parseInt(mode, 8), hash, isWork: false };
  const found = await diffTrees(needRepository(call), one, other);
  return found
    .map(({ path, oldMode, oldHash, newMode, newHash }) =>
      pairOf(path, version(oldMode, oldHash), version(newMode, newHash)),
    )
    .sort(byPath);
}

/** The files of the index by stage. */
export async function stagesOf(call: Call): Promise<Versions[]> {
  const entries = await readIndex(needRepository(call));
  if (entries === null) fail("the index has a version that isn't known here");
  const stages = [0, 1, 2, 3].map(() => new Map());
  for (const { path, mode, hash, stage } of entries) stages[stage]?.set(path, { mode, hash, isWork: false });
  return stages;
}

/** @returns paths with conflicts */
const conflictsOf = ([, ...others]: Versions[]): string[] =>
  [...new Set(others.flatMap((one) => [...one.keys()]))].sort();

/** @param now - what stands in the work tree */
const unmerged = (path: string, now: Version | null = null): Pair => ({
  path,
  from: null,
  old: null,
  now,
  status: "U",
  score: 0,
});

async function inTree(call: Call, tree: string | null): Promise<Versions> {
  if (tree === null) return new Map();
  const files = await filesOf(needRepository(call), tree);
  return new Map([...files].map(([path, file]) => [path, { ...file, isWork: false }]));
}

export async function indexPairs(call: Call, tree: string | null): Promise<Pair[]> {
  const stages = await stagesOf(call);
  const conflicts = new Set(conflictsOf(stages));
  const [before, after] = [await inTree(call, tree), stages[0] ?? new Map()];
  const changed = paired(before, after).filter(({ path }) => !conflicts.has(path));
  return [...changed, ...[...conflicts].map((path) => unmerged(path))].sort(byPath);
}

function paired(before: Versions, after: Versions): Pair[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const all = [...paths].map((path) => pairOf(path, before.get(path) ?? null, after.get(path) ?? null));
  return all.filter(({ old, now }) => old?.hash !== now?.hash || old?.mode !== now?.mode).sort(byPath);
}

/**
 * The work tree's changes to the index, or to a tree. A file with conflicts also differs from one of its stages.
 * @param tree - undefined for the index
 */
export async function workPairs(call: Call, tree: string | null | undefined, stage = 2): Promise<Pair[]> {
  const stages = await stagesOf(call);
  const staged = stages[0] ?? new Map();
  const found = await findChanges(needRepository(call), call, { untracked: "no", ignored: false, renames: false });
  if (found === null) fail("this operation must be run in a work tree");
  const conflicts = new Set(conflictsOf(stages));
  const worked = new Set(
    found.changes.filter(({ path, unstaged }) => unstaged !== " " && !conflicts.has(path)).map(({ path }) => path),
  );
  const after: Versions = new Map(staged);
  for (const path of [...worked, ...(tree === undefined ? [] : conflicts)]) {
    const version = await inWork(call, path, staged.get(path)?.mode);
    if (version) after.set(path, version);
    else after.delete(path);
  }
  const before = tree === undefined ? staged : await inTree(call, tree);
  const pairs = paired(before, after);
  if (tree !== undefined) return pairs;
  for (const path of conflicts) {
    const now = await inWork(call, path);
    const old = stages[stage]?.get(path) ?? null;
    pairs.push(
      unmerged(path, now),
      ...(old && (old.hash !== now?.hash || old.mode !== now.mode) ? [pairOf(path, old, now)] : []),
    );
  }
  return pairs.sort(byPath);
}

/**
 * A file of the work tree; null if it is gone.
 * @param mode - in the index
 */
export async function inWork(call: Call, path: string, mode?: number): Promise<Version | null> {
  const { fs } = call.context;
  const place = `${needRepository(call).workTree}/${path}`;
  const node = fs.isBehindLink(path) ? null : fs.nodeAt(place);
  if (node === null || fs.FS.isDir(node.mode)) return null;
  const regular =
    !fs.hasModes && mode !== undefined && mode !== LINK ? mode : node.mode & 0o100 && fs.hasModes ? PROGRAM : FILE;
  return {
    mode: fs.FS.isLink(node.mode) ? LINK : regular,
    hash: await blobHash(await fs.readFileBuffer(place)),
    isWork: true,
  };
}

/** Return the content that git has of a file. */
export async function contentOf(call: Call, version: Version | null, path: string): Promise<Uint8Array> {
  if (version === null) return new Uint8Array();
  if (version.bytes) return version.bytes;
  const repository = needRepository(call);
  if (version.isWork) return call.context.fs.readFileBuffer(`${repository.workTree}/${path}`);
  if ((version.mode & TYPES) === 0o160000) return new TextEncoder().encode(`Subproject commit ${version.hash}\n`);
  return (await repository.objectStore.read(version.hash)).content;
}
