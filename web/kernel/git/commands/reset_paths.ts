// `git reset [<tree>] [--] <paths>`: the index has them as a commit or a tree has them.
import { answer, fail, type Answer } from "../repository/answers.ts";
import { filesOf, findChanges } from "../index/changes.ts";
import { entriesOf, entryOf, writeEntries } from "../index/index_edit.ts";
import { parseOptions } from "../repository/options.ts";
import { isMagic, pathFilter } from "../repository/pathspec.ts";
import { headOf, needRepository, revParse, type Call } from "../repository/repository.ts";
import { treeOf } from "../objects/revisions.ts";

const KNOWN = new Set(["-q", "--quiet", "--mixed", "--no-refresh", "--refresh"]);
const OTHERS = ["soft", "hard", "merge", "keep"];

/** @returns null if no paths are named, or an option has no effect on paths */
export async function resetPaths(args: string[], call: Call): Promise<Answer | null> {
  const { flags, operands, paths: last } = parseOptions(args);
  const tree = operands[0] === undefined ? null : await revisionAt(operands[0], call);
  const first = tree === null ? operands : operands.slice(1);
  const paths = [...first, ...(last ?? [])];
  if (paths.length === 0) return null;
  const { fs, cwd } = call.context;
  if (last === null) {
    const there = await Promise.all(first.map((path) => isMagic(path) || fs.exists(fs.resolvePath(cwd, path))));
    if (!there.every(Boolean)) return null;
  } else if (first.length > 0) fail(`Failed to resolve '${first[0]}' as a valid tree.`);
  const mode = OTHERS.find((name) => flags.has(`--${name}`));
  if (mode) fail(`Cannot do ${mode} reset with paths.`);
  if (![...flags].every((flag) => KNOWN.has(flag))) return null;
  await writeIndex(tree, paths, call);
  return flags.has("-q") || flags.has("--quiet") ? answer() : answer(await changedFiles(call));
}

/** The hash of a revision, which no path of a folder is. */
async function revisionAt(word: string, call: Call): Promise<string | null> {
  return isMagic(word) || /^\.{1,2}(\/|$)|\/$/.test(word)
    ? null
    : revParse(needRepository(call), word === "-" ? "@{-1}" : word);
}

/** @param given - a revision, or null for HEAD */
async function writeIndex(given: string | null, paths: string[], call: Call) {
  const repository = needRepository(call);
  const hash = given ?? (await headOf(repository)).hash;
  const tree = hash === null ? null : await treeOf(repository, hash);
  const files = tree === null ? new Map<string, { mode: number; hash: string }>() : await filesOf(repository, tree);
  const isNamed = pathFilter(paths, repository, call.context);
  const before = await entriesOf(call);
  const same = before.filter(({ path, mode, hash: now, stage }) => {
    const file = files.get(path);
    return !isNamed(path) || (stage === 0 && file?.mode === mode && file.hash === now);
  });
  const known = new Set(same.map(({ path }) => path));
  const others = [...files].filter(([path]) => isNamed(path) && !known.has(path));
  await writeEntries(call, [...same, ...others.map(([path, file]) => entryOf(path, file))]);
}

/** The files that differ from the index, as `reset` reports them. */
async function changedFiles(call: Call) {
  const found = await findChanges(needRepository(call), call, { untracked: "no", ignored: false, renames: false });
  const rows = found?.changes.filter(({ unstaged }) => unstaged !== " ") ?? [];
  const text = rows.map(({ unstaged, path }) => `${unstaged}\t${path}\n`).join("");
  return text && `Unstaged changes after reset:\n${text}`;
}
