// `git bisect start … -- PATHS`: only commits that change the paths are tested. just-git marks the commits and knows no paths,
// so the next commit is chosen here, as in git's bisect.c.
import { readCommit, revParse, walkCommitHistory } from "just-git/repo";

import { find } from "../objects/objects.ts";
import { gitFile, type Repository } from "../repository/repository.ts";

/** `counts`: it changes the paths; `weight` is the number of such commits that it reaches, with itself */
type Candidate = { hash: string; parents: string[]; counts: boolean; weight: number };

/** `next` is null if only skipped commits are left */
type Choice = { next: string | null; all: number; weight: number; skipped: string[] };

const FILE = "BISECT_NAMES";
const MODULO = 32768;

/** Split the arguments of `start` into revisions with options, and paths from the root. */
export async function splitPaths(repository: Repository, args: string[], fromRoot: (path: string) => string) {
  const dashes = args.indexOf("--");
  let at = dashes;
  if (dashes < 0) {
    for (at = 0; at < args.length; at++) {
      const word = args[at] ?? "";
      if (!word.startsWith("-") && (await revParse(repository, `${word}^{commit}`)) === null) break;
    }
  }
  const revisions = args.slice(0, at);
  const paths = args
    .slice(dashes < 0 ? at : at + 1)
    .map((path) => (path.startsWith(":/") ? path.slice(2) : fromRoot(path)));
  return { revisions, paths };
}

/** @param paths - from the root */
export async function savePaths(repository: Repository, paths: string[]) {
  const place = `${repository.gitDir}/${FILE}`;
  if (paths.length)
    await repository.fs.writeFile(place, ` ${["--", ...paths.map((path) => path || ".")].map(quoted).join(" ")}\n`);
  else await repository.fs.rm(place, { force: true });
}

export const quoted = (word: string) => `'${word.replaceAll("'", "'\\''").replaceAll("!", "'\\!'")}'`;

export async function savedPaths(repository: Repository): Promise<string[]> {
  const words = ((await gitFile(repository, FILE)) ?? "").match(/(?:'[^']*'|\\.)+/g) ?? [];
  return words.slice(1).map((word) => word.replaceAll(/'([^']*)'|\\(.)/g, (_, text, letter) => text ?? letter));
}

/** The commits between good ones and the bad one, oldest first, as history that is limited to paths. */
export async function candidates(
  repository: Repository,
  bad: string,
  good: string[],
  paths: string[],
): Promise<Candidate[]> {
  const known = new Map<string, Candidate>();
  const states = new Map<string, string>();
  const stateOf = async (hash: string) => {
    const state =
      states.get(hash) ?? JSON.stringify(await Promise.all(paths.map((path) => contentOf(repository, hash, path))));
    states.set(hash, state);
    return state;
  };
  const nothing = JSON.stringify(paths.map(() => null));
  for await (const { hash, parents } of walkCommitHistory(repository, [bad], { exclude: good })) {
    const own = await stateOf(hash);
    const before = await Promise.all(parents.map(stateOf));
    const same = before.indexOf(own);
    const counts = same < 0 && (parents.length > 0 || own !== nothing);
    known.set(hash, { hash, parents: same < 0 ? [...parents] : parents.slice(same, same + 1), counts, weight: 0 });
  }
  const wanted = reachable(known, bad);
  const listed = [...known.values()].filter(({ hash }) => wanted.has(hash)).reverse();
  for (const one of listed) one.weight = weightOf(known, one);
  return listed;
}

const contentOf = (repository: Repository, commit: string, path: string) =>
  find(repository, `${commit}:${path === "." ? "" : path}`);

function reachable(known: Map<string, Candidate>, start: string) {
  const found = new Set<string>();
  const waiting = [start];
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
    if (found.has(hash) || !known.has(hash)) continue;
    found.add(hash);
    waiting.push(...(known.get(hash)?.parents ?? []));
  }
  return found;
}

/** @param known - in which the parents have their weights */
function weightOf(known: Map<string, Candidate>, one: Candidate) {
  const parents = one.parents.filter((hash) => known.has(hash));
  if (parents.length < 2) return (known.get(parents[0] ?? "")?.weight ?? 0) + Number(one.counts);
  return [...reachable(known, one.hash)].filter((hash) => known.get(hash)?.counts).length;
}

/** Choose the commit to test next. */
export function choose(listed: Candidate[], bad: string, skipped: Set<string>): Choice {
  const counting = listed.filter(({ counts }) => counts);
  const all = counting.length;
  const distance = ({ weight }: Candidate) => Math.min(weight, all - weight);
  if (skipped.size === 0) {
    const halfway = counting.find(({ weight }) => Math.abs(2 * weight - all) < Math.max(2, all / 1024));
    const best =
      halfway ??
      counting.reduce(
        (first: Candidate | undefined, one) => (first && distance(first) >= distance(one) ? first : one),
        undefined,
      );
    return { next: best?.hash ?? null, all, weight: best?.weight ?? 0, skipped: [] };
  }
  const sorted = counting.sort((one, other) => distance(other) - distance(one) || (one.hash < other.hash ? -1 : 1));
  const left = sorted.filter(({ hash }) => !skipped.has(hash));
  const tried = sorted
    .filter(({ hash }) => skipped.has(hash))
    .map(({ hash }) => hash)
    .reverse();
  const next = left.length && skipped.has(sorted[0]?.hash ?? "") ? away(left, bad, all) : left[0];
  return { next: next?.hash ?? null, all, weight: next?.weight ?? 0, skipped: tried };
}

/** A commit away from the skipped ones, by git's own pseudo-random numbers. */
function away(left: Candidate[], bad: string, all: number) {
  const mixed = Number((BigInt(all) * 1103515245n + 12345n) & 0xffffffffn) | 0;
  const random = Math.trunc(mixed / 65536) % MODULO;
  const at = Math.trunc((Math.trunc((all * random) / MODULO) * root(random)) / root(MODULO));
  if (left[at] && left[at].hash !== bad) return left[at];
  return left[at] && at > 0 ? left[at - 1] : left[0];
}

const root = (value: number): number => Math.trunc(Math.sqrt(value));

export const subject = async (repository: Repository, hash: string) =>
  (await readCommit(repository, hash)).message.split("\n")[0];
