// `git diff-tree`, `diff-index` and `diff-files`: differences for scripts.
import { readCommit, readTree } from "just-git/repo";

import { answer, fail, type Answer } from "../repository/answers.ts";
import { takeDiffOptions, type Options } from "../differences/diff_options.ts";
import { refuseOption } from "../differences/refused_diff_options.ts";
import { Differences, folderOf } from "../differences/differences.ts";
import { indexPairs, treePairs, workPairs, type Pair } from "../differences/file_pairs.ts";
import { splitAtDashes } from "../repository/options.ts";
import { needRepository, revParse, type Call } from "../repository/repository.ts";
import { hashOf, treeOf } from "../objects/revisions.ts";

const WHOLE = 40;

/** Take the options; raw lines are the default, renames have to be asked for, and settings of `diff` don't count. */
function parsed(command: string, args: string[], known: string[]) {
  const [before, dashed] = splitAtDashes(args);
  const flags = new Set(before.filter((word) => known.includes(word)));
  const { options, rest } = takeDiffOptions(
    before.filter((word) => !known.includes(word)),
    [],
  );
  const unknown = rest.find((word) => word.startsWith("-"));
  if (unknown !== undefined) refuseOption(command, unknown);
  if (!before.some((word) => /^(-[MC]|--find-)/.test(word))) options.rename = 0;
  if (options.formats.size === 0 && !before.includes("-s")) options.formats.add("raw");
  return { options, flags, operands: rest, paths: dashed.slice(1) };
}

async function printed(pairs: Pair[], paths: string[], options: Options, call: Call) {
  const differences = new Differences(call, options, folderOf(options.relative, call));
  const selected = await differences.select(pairs, paths);
  const differ = (options.quiet || options.exits) && (await differences.differ(selected));
  if (options.formats.has("check")) {
    const text = await differences.check(selected);
    return answer(text, "", text ? 2 : 0);
  }
  return answer(options.quiet ? "" : await differences.print(selected, WHOLE), "", differ ? 1 : 0);
}

async function treeNamed(name: string, call: Call) {
  const repository = needRepository(call);
  const hash = await hashOf(repository, name);
  return (
    (hash && (await treeOf(repository, hash))) ??
    fail(
      `ambiguous argument '${name}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
    )
  );
}

/** The pairs without folders' contents, for which the folders stand. */
async function topPairs(call: Call, one: string | null, other: string): Promise<Pair[]> {
  const namesOf = async (tree: string | null) => {
    const entries = tree === null ? [] : await readTree(needRepository(call), tree);
    return new Map(entries.map(({ name, mode, hash }) => [name, { mode: parseInt(mode, 8), hash, isWork: false }]));
  };
  const [before, after] = [await namesOf(one), await namesOf(other)];
  const inner = await treePairs(call, one, other);
  const seen = new Set();
  return inner.flatMap((pair) => {
    const [top = "", ...rest] = pair.path.split("/");
    if (rest.length === 0) return [pair];
    if (seen.has(top)) return [];
    seen.add(top);
    const [old, now] = [before.get(top) ?? null, after.get(top) ?? null];
    return [{ ...pair, path: top, old, now, status: old === null ? "A" : now === null ? "D" : "M" }];
  });
}

export async function diffTree(args: string[], call: Call): Promise<Answer | null> {
  const known = ["-r", "-t", "--no-commit-id", "--root", "-m", "-c", "--cc", "--stdin", "-v"];
  const { options, flags, operands, paths } = parsed("diff-tree", args, known);
  const refused = ["-t", "-m", "-c", "--cc", "--stdin", "-v"].find((flag) => flags.has(flag));
  if (refused !== undefined) refuseOption("diff-tree", refused);
  const repository = needRepository(call);
  const [first = "HEAD", second, ...more] = operands;
  const other = second === undefined ? null : await hashOf(repository, second);
  const names = other === null && second !== undefined ? [second, ...more] : more;
  // Only raw lines and names stand for folders as a whole.
  const isDeep = flags.has("-r") || [...options.formats].some((format) => !/^(raw|names|statuses)$/.test(format));
  const pairs = async (one: string | null, now: string) =>
    isDeep ? treePairs(call, one, now) : topPairs(call, one, now);
  if (second !== undefined && other !== null)
    return printed(
      await pairs(await treeNamed(first, call), await treeNamed(second, call)),
      [...names, ...paths],
      options,
      call,
    );
  const hash =
    (await revParse(repository, `${await hashOf(repository, first)}^{commit}`)) ?? fail(`bad object ${first}`);
  const { parents, tree } = await readCommit(repository, hash);
  if (parents.length > 1) return answer();
  if (parents.length === 0 && !flags.has("--root")) return answer();
  const before = parents[0] === undefined ? null : (await readCommit(repository, parents[0])).tree;
  const done = await printed(await pairs(before, tree), [...names, ...paths], options, call);
  return done.stdout === "" || flags.has("--no-commit-id") ? done : { ...done, stdout: `${hash}\n${done.stdout}` };
}

export async function diffIndex(args: string[], call: Call): Promise<Answer | null> {
  const { options, flags, operands, paths } = parsed("diff-index", args, ["--cached", "-m", "-r"]);
  const [name, ...more] = operands;
  if (name === undefined) fail("git diff-index needs a tree, such as HEAD");
  const tree = await treeNamed(name, call);
  return printed(
    flags.has("--cached") ? await indexPairs(call, tree) : await workPairs(call, tree),
    [...more, ...paths],
    options,
    call,
  );
}

export async function diffFiles(args: string[], call: Call): Promise<Answer | null> {
  const { options, operands, paths } = parsed("diff-files", args, ["-r", "-0"]);
  return printed(await workPairs(call, undefined), [...operands, ...paths], options, call);
}
