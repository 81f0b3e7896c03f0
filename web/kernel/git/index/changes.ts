// What differs between HEAD, the index and the work tree.
import { memoryOf, type FSNode } from "../../emscripten.ts";
import type { ShellFiles } from "../../shell/execution/files.ts";
import { readTree, revParse } from "just-git/repo";

import { deeper, isIgnored, rootLevels, type Levels } from "./ignoring.ts";
import { readIndex, type Entry } from "./index_file.ts";
import { blobHash } from "../repository/blob_hash.ts";
import { gitFile, type Call, type Repository } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";

/** letters as in `git status -s` */
export type Change = { path: string; from: string | null; staged: string; unstaged: string; score?: number };

/** a letter, the earlier path, and how similar it is in percent */
type Staged = [string, string | null, number?];

export type Changes = { changes: Change[]; untracked: string[]; ignored: string[] };
type Options = { untracked: "no" | "normal" | "all"; ignored: boolean; renames: boolean };

/** the hash of what git keeps of a file */
type Hashed = { node: FSNode; size: number; time: number; action: string; hash: string };

const CR = 13;
const LINK = 0o120000;
const SUBMODULE = 0o160000;
// A file that was written in the millisecond it was read in may have changed since.
const RESOLUTION_MS = 2;

/** Hashes of files of each repository, while node, size and time stay the same. */
const hashed = new Map<string, Map<string, Hashed>>();
/** The files of trees, which never change. */
const trees = new Map<string, Map<string, { mode: number; hash: string }>>();
const MOST_TREES = 8;
const MOST_REPOSITORIES = 20;

/** @returns null if the index or the work tree can't be read */
export async function findChanges(repository: Repository, call: Call, options: Options): Promise<Changes | null> {
  const entries = await readIndex(repository);
  if (entries === null || repository.workTree === null) return null;
  const staged = await compareWithHead(
    repository,
    entries.filter(({ stage }) => stage === 0),
    new Set(entries.filter(({ stage }) => stage > 0).map(({ path }) => path)),
    options.renames,
    call,
  );
  const unstaged = await compareWithFiles(repository, call, entries);
  const { untracked, ignored } = await walk(repository, call, entries, options);
  const paths = new Set([...staged.keys(), ...unstaged.keys()]);
  const changes = [...paths].sort(bytewise).map((path) => {
    const [letter = " ", from = null, score = 100] = staged.get(path) ?? [];
    const other = unstaged.get(path) ?? " ";
    return other.length === 2
      ? { path, from, staged: other[0] ?? "", unstaged: other[1] ?? "" }
      : { path, from, staged: letter, unstaged: other, score };
  });
  return { changes, untracked: untracked.sort(bytewise), ignored: ignored.sort(bytewise) };
}

/** Order paths as git does. */
export const bytewise = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** All files of a tree. */
export async function filesOf(repository: Repository, hash: string) {
  const known = trees.get(hash);
  if (known) return known;
  const files = new Map<string, { mode: number; hash: string }>();
  const visit = async (tree: string, prefix: string) => {
    for (const entry of await readTree(repository, tree)) {
      const mode = parseInt(entry.mode, 8);
      if (mode === 0o40000) await visit(entry.hash, `${prefix}${entry.name}/`);
      else files.set(prefix + entry.name, { mode, hash: entry.hash });
    }
  };
  await visit(hash, "");
  if (trees.size >= MOST_TREES) trees.clear();
  trees.set(hash, files);
  return files;
}

/** @param renames - whether to find them */
async function compareWithHead(
  repository: Repository,
  entries: Entry[],
  unmerged: Set<string>,
  renames: boolean,
  call: Call,
): Promise<Map<string, Staged>> {
  const tree = await revParse(repository, "HEAD^{tree}");
  const before = tree === null ? new Map() : await filesOf(repository, tree);
  const found = new Map<string, Staged>();
  const added = [];
  for (const { path, mode, hash } of entries) {
    const old = before.get(path);
    if (!old) added.push({ path, hash });
    else if (old.hash !== hash || old.mode !== mode) found.set(path, [(old.mode ^ mode) & 0o170000 ? "T" : "M", null]);
  }
  if (entries.length - added.length === before.size) {
    for (const { path } of added) found.set(path, ["A", null]);
    return found;
  }
  const present = new Set(entries.map(({ path }) => path));
  const removed = [...before.keys()].filter((path) => !present.has(path) && !unmerged.has(path));
  if (!renames) {
    for (const { path } of added) found.set(path, ["A", null]);
    for (const path of removed) found.set(path, ["D", null]);
    return found;
  }
  return matchRenames(found, added, removed, before) ? found : similarRenames(found, call);
}

/** @returns false if files may be renamed and changed */
function matchRenames(
  found: Map<string, Staged>,
  added: { path: string; hash: string }[],
  removed: string[],
  before: Map<string, { hash: string }>,
): boolean {
  const left = new Set(removed);
  const fresh = added.filter(({ path, hash }) => {
    const same = [...left].filter((one) => before.get(one)?.hash === hash);
    const from = same.find((one) => one.split("/").at(-1) === path.split("/").at(-1)) ?? same[0];
    if (from === undefined) return true;
    left.delete(from);
    found.set(path, ["R", from]);
    return false;
  });
  for (const { path } of fresh) found.set(path, ["A", null]);
  for (const path of left) found.set(path, ["D", null]);
  return fresh.length === 0 || left.size === 0;
}

/** just-git compares contents, to find files that were renamed and changed. */
async function similarRenames(found: Map<string, Staged>, call: Call) {
  const { stdout } = await call.run(["diff", "--cached", "--name-status"]);
  const all = new Map<string, Staged>();
  for (const [letter = "", one = "", other] of stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("\t"))) {
    if (other !== undefined) all.set(other, ["R", one, Number(letter.slice(1))]);
    else if (letter !== "U") all.set(one, found.get(one) ?? [letter, null]);
  }
  return all;
}

/** The letters of a conflict, by the stages that it has. */
const CONFLICTS: Record<string, string> = { 1: "DD", 2: "AU", 12: "UD", 3: "UA", 13: "DU", 23: "AA", 123: "UU" };

async function compareWithFiles(repository: Repository, call: Call, entries: Entry[]): Promise<Map<string, string>> {
  const { fs } = call.context;
  const ignoresMode = setting(call.settings, "core.fileMode") === "false";
  const known = hashesOf(repository.gitDir);
  const nodeOf = nodesBelow(fs, repository.workTree ?? "");
  const found = new Map<string, string>();
  const stages = new Map<string, string>();
  const waiting = [];
  for (const { path, mode, hash, stage } of entries) {
    if (stage > 0) stages.set(path, `${stages.get(path) ?? ""}${stage}`);
    if (stage > 0 || mode === SUBMODULE) continue;
    const node = nodeOf(path);
    if (node === null || fs.FS.isDir(node.mode)) found.set(path, "D");
    else if (fs.FS.isLink(node.mode) !== (mode === LINK)) found.set(path, "T");
    else if (!ignoresMode && mode !== LINK && Boolean(node.mode & 0o100) !== Boolean(mode & 0o100))
      found.set(path, "M");
    else {
      const past = known.get(path);
      const { size, time } = fs.ageOf(node);
      const action = mode === LINK ? "" : fs.lineEnds.action(path);
      const current =
        past?.node === node && past.size === size && past.time === time && past.action === action ? past.hash : null;
      if (current === null) waiting.push({ path, hash, node, size, time, action });
      else if (current !== hash) found.set(path, "M");
    }
  }
  for (const { path, hash, node, size, time, action } of waiting) {
    const stored = await fs.storedOf(node, `${repository.workTree}/${path}`);
    const now = await blobHash(stored);
    // Text with CRLF may stay so because the index has it.
    const varies = action.startsWith("auto") && (stored.length !== size || stored.includes(CR));
    if (Date.now() - time > RESOLUTION_MS && !varies) known.set(path, { node, size, time, action, hash: now });
    if (now !== hash) found.set(path, "M");
  }
  for (const [path, numbers] of stages) found.set(path, CONFLICTS[numbers] ?? "UU");
  return found;
}

/** Return a function that finds the node of a path. It looks each folder up once, since that takes most of the time. */
export function nodesBelow(fs: ShellFiles, root: string): (path: string) => FSNode | null {
  const folders = new Map<string, FSNode | null>();
  return (path) => {
    const at = path.lastIndexOf("/");
    const folder = at < 0 ? root : `${root}/${path.slice(0, at)}`;
    if (!folders.has(folder)) folders.set(folder, fs.nodeAt(folder));
    const node = folders.get(folder);
    // Only directories in memory list their nodes.
    return (node && memoryOf(node))?.contents[path.slice(at + 1)] ?? fs.nodeAt(`${root}/${path}`);
  };
}

function hashesOf(gitDir: string) {
  const known = hashed.get(gitDir) ?? new Map();
  if (!hashed.has(gitDir) && hashed.size >= MOST_REPOSITORIES) hashed.clear();
  hashed.set(gitDir, known);
  return known;
}

/** Find untracked files, or their folders. */
async function walk(repository: Repository, call: Call, entries: Entry[], options: Options) {
  const result: { untracked: string[]; ignored: string[] } = { untracked: [], ignored: [] };
  if (options.untracked === "no") return result;
  const tracked = new Set(entries.map(({ path }) => path));
  const folders = new Set([""]);
  for (const { path } of entries) {
    for (
      let at = path.lastIndexOf("/");
      at >= 0 && !folders.has(path.slice(0, at + 1));
      at = path.lastIndexOf("/", at - 1)
    )
      folders.add(path.slice(0, at + 1));
  }
  const { fs } = call.context;
  const visit = (prefix: string, above: Levels, into: { untracked: string[]; ignored: string[] }) => {
    const names: [string, boolean][] = fs.namesIn(`${repository.workTree}/${prefix}`);
    const levels = names.some(([name]) => name === ".gitignore")
      ? deeper(above, prefix, fs.textAt(`${repository.workTree}/${prefix}.gitignore`))
      : above;
    for (const [name, isFolder] of names) {
      const path = `${prefix}${name}${isFolder ? "/" : ""}`;
      if (name === ".git" || tracked.has(isFolder ? path.slice(0, -1) : path)) continue;
      if (isIgnored(levels, path) && !folders.has(path)) into.ignored.push(path);
      else if (!isFolder) into.untracked.push(path);
      else if (folders.has(path)) visit(path, levels, into);
      else visitUntracked(path, levels, into);
    }
  };
  const visitUntracked = (path: string, levels: Levels, into: { untracked: string[]; ignored: string[] }) => {
    if (fs.nodeAt(`${repository.workTree}/${path}.git`) !== null) return void into.untracked.push(path);
    const inside: { untracked: string[]; ignored: string[] } = { untracked: [], ignored: [] };
    visit(path, levels, inside);
    const whole = options.untracked === "normal";
    if (inside.untracked.length) into.untracked.push(...(whole ? [path] : inside.untracked));
    if (inside.ignored.length) into.ignored.push(...(whole && inside.untracked.length === 0 ? [path] : inside.ignored));
  };
  visit("", await rootLevels(repository, call), result);
  return result;
}

/** @returns whether a rebase or the like is in progress */
export async function isBusy(repository: Repository): Promise<boolean> {
  for (const name of [
    "rebase-merge/onto",
    "rebase-apply/applying",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "sequencer/todo",
  ]) {
    if ((await gitFile(repository, name)) !== null) return true;
  }
  return false;
}
