// The files that differ between two sides: trees, the index, the work tree.
import { diffTrees } from "just-git/repo";

import { fail } from "./answers.js";
import { filesOf, findChanges } from "./changes.js";
import { parseIndex } from "./index_file.js";
import { blobHash } from "./plumbing.js";
import { needRepository } from "./repository.js";

/**
 * @typedef {import("./repository.js").Call} Call
 * @typedef {{ mode: number, hash: string, isWork: boolean, bytes?: Uint8Array }} Version `isWork`: its content is the file's
 * @typedef {{ path: string, from: string | null, old: Version | null, now: Version | null, status: string, score: number }} Pair
 *   `status` is a letter of git-diff(1), `--diff-filter`; `from` is the earlier path
 * @typedef {Map<string, Version>} Versions
 */

const TYPES = 0o170000;
const [LINK, FILE, PROGRAM] = [0o120000, 0o100644, 0o100755];

/** @param {Version | null} old @param {Version | null} now */
const statusOf = (old, now) => (old === null ? "A" : now === null ? "D" : (old.mode ^ now.mode) & TYPES ? "T" : "M");

/** @param {string} path @param {Version | null} old @param {Version | null} now @returns {Pair} */
export const pairOf = (path, old, now) => ({ path, from: null, old, now, status: statusOf(old, now), score: 0 });

/** @param {Pair} one @param {Pair} other */
const byPath = (one, other) => (one.path < other.path ? -1 : Number(one.path > other.path));

/** @param {Call} call @param {string | null} one a tree; null for an empty one @param {string | null} other @returns {Promise<Pair[]>} */
export async function treePairs(call, one, other) {
  const version = (/** @type {string | undefined} */ mode, /** @type {string | undefined} */ hash) =>
    mode === undefined || hash === undefined ? null : { mode: parseInt(mode, 8), hash, isWork: false };
  const found = await diffTrees(needRepository(call), one, other);
  return found.map(({ path, oldMode, oldHash, newMode, newHash }) => pairOf(path, version(oldMode, oldHash), version(newMode, newHash))).sort(byPath);
}

/** The files of the index by stage. @param {Call} call @returns {Promise<Versions[]>} */
export async function stagesOf(call) {
  const { gitDir, fs } = needRepository(call);
  const place = `${gitDir}/index`;
  const entries = (await fs.exists(place)) ? parseIndex(await fs.readFileBuffer(place)) : [];
  if (entries === null) fail("the index has a version that isn't known here");
  const stages = [0, 1, 2, 3].map(() => new Map());
  for (const { path, mode, hash, stage } of entries) stages[stage]?.set(path, { mode, hash, isWork: false });
  return stages;
}

/** @param {Versions[]} stages @returns {string[]} paths with conflicts */
const conflictsOf = ([, ...others]) => [...new Set(others.flatMap((one) => [...one.keys()]))].sort();

/** @param {string} path @param {Version | null} now what stands in the work tree @returns {Pair} */
const unmerged = (path, now = null) => ({ path, from: null, old: null, now, status: "U", score: 0 });

/** @param {Call} call @param {string | null} tree @returns {Promise<Versions>} */
async function inTree(call, tree) {
  if (tree === null) return new Map();
  const files = await filesOf(needRepository(call), tree);
  return new Map([...files].map(([path, file]) => [path, { ...file, isWork: false }]));
}

/** @param {Call} call @param {string | null} tree @returns {Promise<Pair[]>} */
export async function indexPairs(call, tree) {
  const stages = await stagesOf(call);
  const conflicts = new Set(conflictsOf(stages));
  const [before, after] = [await inTree(call, tree), stages[0] ?? new Map()];
  const changed = paired(before, after).filter(({ path }) => !conflicts.has(path));
  return [...changed, ...[...conflicts].map((path) => unmerged(path))].sort(byPath);
}

/** @param {Versions} before @param {Versions} after @returns {Pair[]} */
function paired(before, after) {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const all = [...paths].map((path) => pairOf(path, before.get(path) ?? null, after.get(path) ?? null));
  return all.filter(({ old, now }) => old?.hash !== now?.hash || old?.mode !== now?.mode).sort(byPath);
}

/**
 * What the work tree changes: of the index, or of a tree. A file with conflicts also differs from one of its stages.
 * @param {Call} call @param {string | null | undefined} tree undefined for the index @param {number} stage @returns {Promise<Pair[]>}
 */
export async function workPairs(call, tree, stage = 2) {
  const stages = await stagesOf(call);
  const staged = stages[0] ?? new Map();
  const found = await findChanges(needRepository(call), call, { untracked: "no", ignored: false, renames: false });
  if (found === null) fail("this operation must be run in a work tree");
  const conflicts = new Set(conflictsOf(stages));
  const worked = new Set(found.changes.filter(({ path, unstaged }) => unstaged !== " " && !conflicts.has(path)).map(({ path }) => path));
  /** @type {Versions} */
  const after = new Map(staged);
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
    pairs.push(unmerged(path, now), ...(old && (old.hash !== now?.hash || old.mode !== now.mode) ? [pairOf(path, old, now)] : []));
  }
  return pairs.sort(byPath);
}

/** A file of the work tree; null if it is gone. @param {Call} call @param {string} path @param {number} [mode] in the index @returns {Promise<Version | null>} */
export async function inWork(call, path, mode) {
  const { fs } = call.context;
  const place = `${needRepository(call).workTree}/${path}`;
  const node = fs.isBehindLink(path) ? null : fs.nodeAt(place);
  if (node === null || fs.FS.isDir(node.mode)) return null;
  const regular = !fs.hasModes && mode !== undefined && mode !== LINK ? mode : node.mode & 0o100 && fs.hasModes ? PROGRAM : FILE;
  return { mode: fs.FS.isLink(node.mode) ? LINK : regular, hash: await blobHash(await fs.readFileBuffer(place)), isWork: true };
}

/** Return the content that git has of a file. @param {Call} call @param {Version | null} version @param {string} path @returns {Promise<Uint8Array>} */
export async function contentOf(call, version, path) {
  if (version === null) return new Uint8Array();
  if (version.bytes) return version.bytes;
  const repository = needRepository(call);
  if (version.isWork) return call.context.fs.readFileBuffer(`${repository.workTree}/${path}`);
  if ((version.mode & TYPES) === 0o160000) return new TextEncoder().encode(`Subproject commit ${version.hash}\n`);
  return (await repository.objectStore.read(version.hash)).content;
}
