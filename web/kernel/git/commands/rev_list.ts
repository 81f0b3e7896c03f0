// `git rev-list`: the ids of commits, and with `--objects` of what they contain.
import { readCommit, readTree } from "just-git/repo";

import { answer, GitProblem, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { clockOf } from "../objects/date_input.ts";
import { chooseCommits, splitPaths, takeSelection } from "../history/history.ts";
import { formatted, NAMED, unknownCode, type Commit } from "../history/pretty.ts";
import { needRepository, type Call, type Repository } from "../repository/repository.ts";

const KNOWN =
  /^(--count|--objects|--parents|--oneline|--abbrev-commit|--no-commit-header|--(format|pretty)=.*|--timestamp|--quiet)$/s;

export async function revList(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const selection = takeSelection(args);
  const { flags, rest } = selection;
  const format = rest
    .map((word) => /^--(?:format|pretty)=(?:t?format:)?(.*)$/s.exec(word)?.[1])
    .findLast((text) => text !== undefined);
  const unknown =
    rest.find((word) => !KNOWN.test(word)) ??
    (format !== undefined && (unknownCode(format) !== null || format in NAMED) ? `--format=${format}` : undefined);
  if (unknown !== undefined) refuse(`git rev-list has no ${unknown} here`, "use git log --format=%H");
  await splitPaths(selection, call, repository);
  if (selection.words.length === 0 && !["--all", "--branches", "--tags", "--remotes"].some((flag) => flags.has(flag)))
    throw new GitProblem("usage: git rev-list [<options>] <commit>... [--] [<path>...]", 129);
  const chosen = await chooseCommits(selection, call, repository);
  if (rest.includes("--quiet")) return answer();
  if (rest.includes("--count")) {
    const left = chosen.filter(({ mark }) => mark === "<").length;
    return answer(flags.has("--left-right") ? `${left}\t${chosen.length - left}\n` : `${chosen.length}\n`);
  }
  const style = {
    date: "default",
    place: format !== undefined && /%[-+ ]?[ac][rh]/.test(format) ? await clockOf(call.context) : {},
    abbrev: 7,
    names: new Map(),
    decorate: "" as const,
  };
  const lines = chosen.map(({ commit, mark }) => {
    const short = (hash: string) =>
      rest.includes("--abbrev-commit") || rest.includes("--oneline") ? hash.slice(0, style.abbrev) : hash;
    const time = rest.includes("--timestamp") ? `${commit.committer.timestamp} ` : "";
    const parents = rest.includes("--parents") ? commit.parents.map((hash) => ` ${short(hash)}`).join("") : "";
    const name = `${time}${flags.has("--left-right") ? mark : ""}${short(commit.hash)}${parents}`;
    if (rest.includes("--oneline")) return `${name} ${formatted("%s", commit, style)}\n`;
    if (format === undefined) return `${name}\n`;
    return `${rest.includes("--no-commit-header") ? "" : `commit ${name}\n`}${formatted(format, commit, style)}\n`;
  });
  const commits = rest.includes("--objects") ? chosen.map(({ commit }) => commit) : [];
  return answer(lines.join("") + (await objectsOf(commits, repository)));
}

async function objectsOf(commits: Commit[], repository: Repository) {
  const found = new Map<string, string>();
  const visit = async (tree: string, path: string) => {
    if (found.has(tree)) return;
    found.set(tree, path);
    for (const { mode, hash, name } of await readTree(repository, tree)) {
      const place = path ? `${path}/${name}` : name;
      if (/^0?40000$/.test(mode)) await visit(hash, place);
      else if (mode !== "160000" && !found.has(hash)) found.set(hash, place);
    }
  };
  const inside = new Set(commits.map(({ hash }) => hash));
  const outside = commits.flatMap(({ parents }) => parents.filter((hash) => !inside.has(hash)));
  for (const hash of outside) await visit((await readCommit(repository, hash)).tree, "");
  const before = new Set(found.keys());
  for (const { tree } of commits) await visit(tree, "");
  return [...found]
    .filter(([hash]) => !before.has(hash))
    .map(([hash, path]) => `${hash} ${path}\n`)
    .join("");
}
