// The commits that `git log` and `git rev-list` choose, by the options of rev-list-options in git-rev-list(1).
import { findMergeBases, readCommit, readHead, revParse, walkCommitHistory } from "just-git/repo";

import { fail } from "../repository/answers.ts";
import { clockOf, parseDate } from "../objects/date_input.ts";
import type { Person, Commit } from "./pretty.ts";
import { PATTERN_FLAGS, translated } from "../repository/regular_expressions.ts";
import { inTree, type Call, type Repository } from "../repository/repository.ts";
import { endsOf, hashOf } from "../objects/revisions.ts";
import { tableOf } from "../../tables.ts";

export interface Selection {
  flags: Set<string>;
  /** by the long name */
  values: Map<string, string[]>;
  /** revisions */
  words: string[];
  paths: string[] | null;
  /** other options */
  rest: string[];
}

const FLAGS = new Set([
  "--no-merges",
  "--merges",
  "--first-parent",
  "--reverse",
  "--all",
  "--branches",
  "--tags",
  "--remotes",
  "--topo-order",
  "--date-order",
  ...PATTERN_FLAGS,
  "--all-match",
  "--invert-grep",
  "--no-walk",
  "--left-right",
  "--left-only",
  "--right-only",
  "--not",
  "--no-min-parents",
  "--no-max-parents",
]);
const VALUED = new Set([
  "--max-count",
  "--skip",
  "--author",
  "--committer",
  "--grep",
  "--since",
  "--after",
  "--until",
  "--before",
  "--min-parents",
  "--max-parents",
]);
const SAME: Record<string, string> = tableOf({ "--after": "--since", "--before": "--until" });

/** Take the options that choose commits from arguments. */
export function takeSelection(args: string[]): Selection {
  const dashes = args.indexOf("--");
  const before = dashes < 0 ? args : args.slice(0, dashes);
  const found: Selection = {
    flags: new Set(),
    values: new Map(),
    words: [],
    paths: dashes < 0 ? null : args.slice(dashes + 1),
    rest: [],
  };
  const add = (name: string, value: string) =>
    void found.values.set(SAME[name] ?? name, [...(found.values.get(SAME[name] ?? name) ?? []), value]);
  for (let at = 0; at < before.length; at++) {
    const word = before[at] ?? "";
    const [, name = "", value] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    const number = /^-(?:n|)(\d+)$/.exec(word)?.[1];
    if (number !== undefined) add("--max-count", number);
    else if (word === "-n") add("--max-count", before[++at] ?? "");
    else if (VALUED.has(name)) add(name, value ?? before[++at] ?? "");
    else if (word === "--not") found.words.push(word);
    else if (FLAGS.has(word)) found.flags.add(word);
    else if (word.startsWith("-")) found.rest.push(word);
    else found.words.push(word);
  }
  return found;
}

/** Move the words after the last revision to the paths, if they are files. */
export async function splitPaths(selection: Selection, call: Call, repository: Repository) {
  if (selection.paths !== null) return;
  const { fs, cwd } = call.context;
  for (const [at, word] of selection.words.entries()) {
    if (word === "--not" || word.startsWith("^") || word.includes("..")) continue;
    if ((await hashOf(repository, word.replace(/\^[@!]$/, ""))) !== null) continue;
    if (!(await fs.exists(fs.resolvePath(cwd, word)))) return;
    selection.paths = selection.words.splice(at);
    return;
  }
}

type Chosen = { commit: Commit; mark: string };

/** @returns in the order in which they are printed */
export async function chooseCommits(selection: Selection, call: Call, repository: Repository): Promise<Chosen[]> {
  const { flags, values } = selection;
  const { starts, excluded, sides } = await endsOfAll(selection, repository);
  const number = (name: string, otherwise: number) => Number(values.get(name)?.at(-1) ?? otherwise);
  const [limit, skip] = [number("--max-count", Infinity), number("--skip", 0)];
  const matches = await filterOf(selection, call);
  const paths = (selection.paths ?? [])
    .map((path) => inTree(repository, call.context, path))
    .filter((path) => path !== "");
  const walked = flags.has("--no-walk")
    ? each(repository, starts)
    : walkCommitHistory(repository, starts, {
        exclude: excluded,
        firstParent: flags.has("--first-parent"),
        ...(paths.length ? { paths } : {}),
      });
  const ordered =
    flags.has("--topo-order") || flags.has("--date-order")
      ? inTopology(await all(walked), flags.has("--topo-order"))
      : walked;
  const chosen: Chosen[] = [];
  let skipped = 0;
  for await (const commit of ordered) {
    const mark = sides?.get(commit.hash) ?? ">";
    if (!matches(commit) || (mark === "<" && flags.has("--right-only")) || (mark === ">" && flags.has("--left-only")))
      continue;
    if (skipped++ < skip) continue;
    if (chosen.length >= limit) break;
    chosen.push({ commit, mark });
  }
  return flags.has("--reverse") ? chosen.reverse() : chosen;
}

async function* each(repository: Repository, hashes: string[]) {
  const commits = [];
  for (const hash of hashes) commits.push({ hash, ...(await readCommit(repository, hash)) });
  yield* commits.sort((one, other) => other.committer.timestamp - one.committer.timestamp);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found = [];
  for await (const item of items) found.push(item);
  return found;
}

/**
 * Children before parents: by branches, or by date.
 * @param commits - from the newest to the oldest
 */
function inTopology(commits: Commit[], byBranch: boolean): Commit[] {
  const known = new Map(commits.map((commit) => [commit.hash, commit]));
  const children = new Map(commits.map(({ hash }) => [hash, 0]));
  for (const { parents } of commits)
    for (const hash of parents) if (known.has(hash)) children.set(hash, (children.get(hash) ?? 0) + 1);
  const ready = commits.filter(({ hash }) => children.get(hash) === 0).reverse();
  const sorted = [];
  for (let next = ready.pop(); next; next = ready.pop()) {
    sorted.push(next);
    for (const hash of next.parents) {
      const left = (children.get(hash) ?? 0) - 1;
      children.set(hash, left);
      const parent = known.get(hash);
      if (left === 0 && parent) ready.push(parent);
    }
    if (!byBranch) ready.sort((one, other) => one.committer.timestamp - other.committer.timestamp);
  }
  return sorted;
}

/** The commits at which the walk begins, and those that it leaves out. */
async function endsOfAll({ words, flags }: Selection, repository: Repository) {
  const starts: string[] = [];
  const excluded: string[] = [];
  const kinds = ["--branches", "--tags", "--remotes"]
    .filter((kind) => flags.has(kind))
    .map((kind) => `refs/${kind.slice(2).replace("branches", "heads")}/`);
  if (flags.has("--all") || kinds.length) {
    for (const { name, hash } of await repository.refStore.listRefs("refs")) {
      const commit =
        flags.has("--all") || kinds.some((kind) => name.startsWith(kind))
          ? await revParse(repository, `${hash}^{commit}`)
          : null;
      if (commit !== null) starts.push(commit);
    }
  }
  const head = (await readHead(repository)).hash;
  if (flags.has("--all") && head !== null) starts.push(head);
  let sides: Map<string, string> | null = null;
  let negated = false;
  for (const word of words) {
    if (word === "--not") negated = !negated;
    else
      for (const { hash, excluded: isOut } of await endsOf(repository, word))
        (isOut === negated ? starts : excluded).push(hash);
    if (/\.\.\./.test(word)) sides = await sidesOf(repository, word);
  }
  if (starts.length === 0 && words.length === 0 && !flags.has("--all") && kinds.length === 0) {
    if (head === null)
      fail(`your current branch '${(await readHead(repository)).branch}' does not have any commits yet`);
    starts.push(head);
  }
  return { starts: [...new Set(starts)], excluded, sides };
}

/** The commits of the left side of `A...B`. */
async function sidesOf(repository: Repository, word: string) {
  const [right, left] = await endsOf(repository, word);
  const bases = await findMergeBases(repository, left?.hash ?? "", right?.hash ?? "");
  const found = new Map();
  for await (const { hash } of walkCommitHistory(repository, left?.hash ?? "", { exclude: bases }))
    found.set(hash, "<");
  return found;
}

async function filterOf({ flags, values }: Selection, call: Call): Promise<(commit: Commit) => boolean> {
  const number = (name: string, otherwise: number) => Number(values.get(name)?.at(-1) ?? otherwise);
  const least = flags.has("--merges") ? 2 : number("--min-parents", 0);
  const most = flags.has("--no-merges") ? 1 : number("--max-parents", Infinity);
  const clock = values.has("--since") || values.has("--until") ? await clockOf(call.context) : { now: 0 };
  const time = (name: string, otherwise: number) =>
    values
      .get(name)
      ?.map((text) => parseDate(text, clock))
      .at(-1) ?? otherwise;
  const [since, until] = [time("--since", -Infinity), time("--until", Infinity)];
  const mode = flags.has("-i") || flags.has("--regexp-ignore-case") ? "im" : "m";
  const patterns = (name: string) => (values.get(name) ?? []).map((text) => new RegExp(translated(text, flags), mode));
  const [authors, committers, texts] = [patterns("--author"), patterns("--committer"), patterns("--grep")];
  const isBy = (wanted: RegExp[], { name, email }: Person) =>
    wanted.length === 0 || wanted.some((one) => one.test(`${name} <${email}>`));
  const says = (text: string) => {
    if (texts.length === 0) return true;
    const found = flags.has("--all-match") ? texts.every((one) => one.test(text)) : texts.some((one) => one.test(text));
    return found !== flags.has("--invert-grep");
  };
  return ({ parents, author, committer, message }) =>
    parents.length >= least &&
    parents.length <= most &&
    committer.timestamp >= since &&
    committer.timestamp <= until &&
    isBy(authors, author) &&
    isBy(committers, committer) &&
    says(message);
}
