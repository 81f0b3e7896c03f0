// `git diff`: two sides, of which each is a tree, the index, the work tree or a file.
import { findMergeBases } from "just-git/repo";

import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { takeDiffOptions } from "../differences/diff_options.ts";
import { refuseOption } from "../differences/refused_diff_options.ts";
import { Differences, folderOf } from "../differences/differences.ts";
import { indexPairs, inWork, pairOf, treePairs, workPairs, type Pair } from "../differences/file_pairs.ts";
import { diffFiles } from "../differences/no_index.ts";
import { find, splitPath, whyMissing } from "../objects/objects.ts";
import { has, splitAtDashes, without } from "../repository/options.ts";
import { isMagic } from "../repository/pathspec.ts";
import { inTree, needRepository, revParse, type Call, inRoot } from "../repository/repository.ts";
import { commitOf, endsOf, hashOf, treeOf } from "../objects/revisions.ts";
import { setting } from "../repository/settings.ts";
import { tableOf } from "../../tables.ts";

type Sides = { cached: boolean; isBase: boolean; stage: number | null };

const STAGES: Record<string, number> = tableOf({ "--base": 1, "-1": 1, "--ours": 2, "-2": 2, "--theirs": 3, "-3": 3 });

function sidesOf(words: string[]): { sides: Sides; operands: string[] } {
  const sides: Sides = { cached: false, isBase: false, stage: null };
  const operands = [];
  for (const word of words) {
    if (word === "--cached" || word === "--staged") sides.cached = true;
    else if (word === "--merge-base") sides.isBase = true;
    else if (STAGES[word] !== undefined) sides.stage = STAGES[word] ?? null;
    else if (word.startsWith("-") && word !== "-") refuseOption("diff", word);
    else operands.push(word);
  }
  return { sides, operands };
}

/** A program that shows differences isn't run. */
function checkExternal(args: string[], { context: { env }, settings }: Call) {
  const [name] = [
    env.has("GIT_EXTERNAL_DIFF") ? "GIT_EXTERNAL_DIFF" : "",
    setting(settings, "diff.external") ? "diff.external" : "",
  ].filter(Boolean);
  if (name === undefined || has(args, "--no-ext-diff", "-s", "--no-patch", "--quiet")) return;
  refuse(`git diff doesn't run the program of ${name} here`, "use git diff --no-ext-diff");
}

export async function diff(args: string[], call: Call): Promise<Answer> {
  if (has(args, "--no-index") || call.repository === null) return diffFiles(without(args, "--no-index"), call);
  const [before, dashed] = splitAtDashes(args);
  const { options, rest } = takeDiffOptions(before, call.settings);
  if (options.formats.size === 0 || options.formats.has("patch")) checkExternal(args, call);
  const { sides, operands } = sidesOf(rest);
  const { names, paths } = await splitOperands(operands, dashed, call);
  const files = await filesNamed(names, paths, sides, call);
  const pairs = files ?? (await pairsOf(names, sides, call));
  if (options.formats.size === 0 && !has(before, "-s", "--no-patch")) options.formats.add("patch");
  const differences = new Differences(call, options, files ? "" : folderOf(options.relative, call));
  const selected = await differences.select(pairs, files ? [] : paths);
  if (options.formats.has("check")) {
    const text = await differences.check(selected);
    return answer(options.quiet ? "" : text, "", text ? 2 : 0);
  }
  const exitCode = (options.quiet || options.exits) && (await differences.differ(selected)) ? 1 : 0;
  if (options.quiet) return answer("", "", exitCode);
  const isCombined = names.length === 0 && !sides.cached && sides.stage === null && options.formats.has("patch");
  const conflicts = isCombined
    ? new Set(selected.filter(({ status }) => status === "U").map(({ path }) => path))
    : new Set<string>();
  const combined = conflicts.size ? await combinedPatch([...conflicts], call) : "";
  return answer(
    combined + (await differences.print(selected.filter(({ path }) => !conflicts.has(path)))),
    "",
    exitCode,
  );
}

/** The patch of conflicts, which just-git makes. */
async function combinedPatch(paths: string[], call: Call) {
  const done = await inRoot(call, () => call.context.fs.onlyFiles(() => call.run(["diff", "--", ...paths])));
  return done.stdout
    .split(/^(?=diff --cc |@@@ )/m)
    .filter((part: string) => !part.startsWith("@@@ ") || isContested(part))
    .join("");
}

/** Return whether a hunk differs from both sides, as those that git shows. */
function isContested(hunk: string) {
  const lines = hunk.split("\n").slice(1);
  return [0, 1].every((column) => lines.some((line) => /[-+]/.test(line[column] ?? "")));
}

/**
 * Split revisions from paths.
 * @param dashed - from `--` on
 */
async function splitOperands(operands: string[], dashed: string[], call: Call) {
  const repository = needRepository(call);
  const { fs, cwd } = call.context;
  if (dashed.length) return { names: operands, paths: dashed.slice(1) };
  for (const [at, word] of operands.entries()) {
    if (isMagic(word) || /^\.{1,2}(\/|$)/.test(word))
      return { names: operands.slice(0, at), paths: operands.slice(at) };
    if (word.startsWith("^") || /\.\./.test(word.replace(/(^|\/)\.\.(?=\/|$)/g, "")) || /\^[!@]$/.test(word)) continue;
    if ((await find(repository, word, call.context)) !== null) continue;
    const isThere = fs.nodeAt(fs.resolvePath(cwd, word)) !== null || /[*?[]/.test(word);
    if (!isThere && splitPath(word)) throw new GitProblem(await whyMissing(repository, word, call.context));
    if (!isThere) await commitOf(repository, word);
    return { names: operands.slice(0, at), paths: operands.slice(at) };
  }
  return { names: operands, paths: [] };
}

/** The pair of files that are named by revisions and paths. */
async function filesNamed(names: string[], paths: string[], sides: Sides, call: Call): Promise<Pair[] | null> {
  const repository = needRepository(call);
  const versions = [];
  for (const name of names) {
    const hash = name.includes("..") || name.startsWith("^") ? null : await find(repository, name, call.context);
    if (hash === null || (await repository.objectStore.read(hash)).type !== "blob") return null;
    const path = splitPath(name)?.path.replace(/^\d:/, "") ?? hash;
    versions.push({ path, version: { mode: await modeOf(name, call), hash, isWork: false } });
  }
  if (versions.length === 0 || versions.length + paths.length !== 2 || sides.cached) return null;
  const [path] = paths;
  if (path !== undefined) {
    const name = inTree(repository, call.context, path);
    versions.push({ path: name, version: (await inWork(call, name)) ?? fail(`could not stat '${path}'`) });
  }
  const [one, other] = versions;
  if (!one || !other || (one.version.hash === other.version.hash && one.version.mode === other.version.mode)) return [];
  return [
    { ...pairOf(other.path, one.version, other.version), from: one.path === other.path ? null : one.path, status: "M" },
  ];
}

/** The mode of a file in a tree, as git takes it for one without. */
async function modeOf(name: string, call: Call) {
  const parts = splitPath(name);
  if (parts === null || parts.revision === "") return 0o100644;
  const tree = await revParse(needRepository(call), `${await hashOf(needRepository(call), parts.revision)}^{tree}`);
  const found = (await treePairs(call, null, tree)).find(({ path }) => path === parts.path);
  return found?.now?.mode ?? 0o100644;
}

/** @param names - revisions */
async function pairsOf(names: string[], { cached, isBase, stage }: Sides, call: Call): Promise<Pair[]> {
  const repository = needRepository(call);
  if (stage !== null) return workPairs(call, undefined, stage);
  const trees = await treesOf(names, isBase, call);
  const [one, other] = trees;
  if (one !== undefined && other !== undefined) return treePairs(call, one, other);
  if (cached) return indexPairs(call, one ?? (await revParse(repository, "HEAD^{tree}")));
  return workPairs(call, one);
}

/** @param isBase - whether the first side is where both began */
async function treesOf(names: string[], isBase: boolean, call: Call): Promise<string[]> {
  const repository = needRepository(call);
  const tree = async (hash: string) => (await treeOf(repository, hash)) ?? fail(`bad object ${hash}`);
  const base = async (one: string, other: string) =>
    (await findMergeBases(repository, one, other))[0] ?? fail(`${one}...${other}: no merge base`);
  const first = names[0] ?? "";
  if (names.length === 1 && first.includes("...")) {
    const [other, one] = await endsOf(repository, first);
    return [await tree(await base(one?.hash ?? "", other?.hash ?? "")), await tree(other?.hash ?? "")];
  }
  const sides = [];
  for (const word of names) {
    const isRange = /^\^|\.\.|\^[!@]$/.test(word);
    if (!isRange)
      sides.push({
        hash: (await find(repository, word, call.context)) ?? (await commitOf(repository, word)),
        excluded: false,
      });
    else sides.push(...(await endsOf(repository, word)));
  }
  if (sides.length > 2) refuse("git diff compares two trees here", "use git show for a merge");
  const ordered = sides.toSorted((one, other) => Number(other.excluded) - Number(one.excluded)).map(({ hash }) => hash);
  if (!isBase) return Promise.all(ordered.map(tree));
  const [one = "", other = await commitOf(repository, "HEAD")] = ordered;
  return [await tree(await base(one, other)), ...(ordered[1] ? [await tree(other)] : [])];
}
