// Files that were renamed or copied, found as git finds them (gitdiffcore(7)): by their content, by their name, by what they share.

import type { Version, Pair } from "./file_pairs.ts";

/** `least` is a share of `MOST` */
type Search = { copies: boolean; least: number; contentOf: (version: Version, path: string) => Promise<Uint8Array> };

type Source = { pair: Pair; uses: number; removed: boolean };
type Match = { source: Source; score: number; isNamed: boolean; target: Pair };

export const MOST = 60_000;
const LEAST_BY_NAME = 0.5;
const MOST_CANDIDATES = 4;
const CHUNK = 64;
const MOST_FILES = 1000;
const [TYPES, FILE] = [0o170000, 0o100000];
const [LF, CR] = [10, 13];

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** @param pairs - sorted by path */
export async function withRenames(pairs: Pair[], search: Search): Promise<Pair[]> {
  const targets = pairs.filter(({ status }) => status === "A");
  const isSource = ({ status }: Pair) => status === "D" || (search.copies && status === "M");
  const sources = pairs
    .filter(isSource)
    .map((pair) => ({ pair, uses: pair.status === "D" ? 0 : 1, removed: pair.status === "D" }));
  if (targets.length === 0 || sources.length === 0) return pairs;
  const found = new Renames(sources, targets, search);
  await found.find();
  return found.applied(pairs);
}

class Renames {
  matches = new Map<Pair, Match>();
  /** The bytes of each chunk, by file. */
  #chunks = new Map<object, { size: number; chunks: Map<string, number> }>();
  sources: Source[];
  targets: Pair[];
  search: Search;

  constructor(sources: Source[], targets: Pair[], search: Search) {
    this.sources = sources;
    this.targets = targets;
    this.search = search;
  }

  async find() {
    for (const target of this.targets) this.#findSame(target);
    const {
      search: { copies, least },
    } = this;
    if (!copies) await this.#findNamed();
    const [from, to] = [this.#openSources(), this.#openTargets()];
    if (from.length * to.length > MOST_FILES ** 2) return;
    const all: Match[] = [];
    for (const target of to) {
      const candidates = [];
      for (const source of from)
        candidates.push({
          source,
          target,
          score: await this.#score(source, target, least),
          isNamed: nameOf(source.pair.path) === nameOf(target.path),
        });
      all.push(
        ...candidates
          .filter(({ score }) => score >= least)
          .sort(byScore)
          .slice(0, MOST_CANDIDATES),
      );
    }
    all.sort(byScore);
    for (const again of copies ? [false, true] : [false]) {
      for (const match of all)
        if (!this.matches.has(match.target) && (again || match.source.uses === 0)) this.#record(match);
    }
  }

  #openTargets = () => this.targets.filter((target) => !this.matches.has(target));
  #openSources = () => this.sources.filter(({ uses }) => this.search.copies || uses === 0);

  #record(match: Match) {
    match.source.uses++;
    this.matches.set(match.target, match);
  }

  #findSame(target: Pair) {
    let best = null;
    let most = -1;
    for (const source of this.sources) {
      const { old } = source.pair;
      if (old?.hash !== target.now?.hash || ((old?.mode ?? 0) ^ (target.now?.mode ?? 0)) & TYPES) continue;
      if (source.uses && !this.search.copies) continue;
      const isNamed = nameOf(source.pair.path) === nameOf(target.path);
      const value = Number(source.uses === 0) + Number(isNamed);
      if (value > most) [best, most] = [{ source, target, score: MOST, isNamed }, value];
    }
    if (best) this.#record(best);
  }

  /** Match files whose names are unique, before others. */
  async #findNamed() {
    const least = this.search.least + LEAST_BY_NAME * (MOST - this.search.least);
    const targets = this.#openTargets();
    const sources = this.#openSources();
    const only = <Each>(all: Each[], pathOf: (one: Each) => string, name: string) => {
      const named = all.filter((one) => nameOf(pathOf(one)) === name);
      return named.length === 1 ? named[0] : null;
    };
    for (const source of sources) {
      const name = nameOf(source.pair.path);
      const target = only(sources, (one) => one.pair.path, name) && only(targets, (one) => one.path, name);
      if (!target) continue;
      const score = await this.#score(source, target, this.search.least);
      if (score >= least) this.#record({ source, target, score, isNamed: true });
    }
  }

  /** Return the share of the larger file that both have. */
  async #score({ pair }: Source, target: Pair, least: number) {
    const [old, now] = [pair.old, target.now];
    if (!old || !now || (old.mode & TYPES) !== FILE || (now.mode & TYPES) !== FILE) return 0;
    const [before, after] = [await this.#chunksOf(old, pair.path), await this.#chunksOf(now, target.path)];
    const [large, small] = [Math.max(before.size, after.size), Math.min(before.size, after.size)];
    if (after.size === 0 || large * (MOST - least) < (large - small) * MOST) return 0;
    let shared = 0;
    for (const [chunk, bytes] of before.chunks) shared += Math.min(bytes, after.chunks.get(chunk) ?? 0);
    return Math.floor((shared * MOST) / large);
  }

  async #chunksOf(version: Version, path: string) {
    const known = this.#chunks.get(version);
    if (known) return known;
    const bytes = await this.search.contentOf(version, path);
    const made = { size: bytes.length, chunks: chunksOf(bytes) };
    this.#chunks.set(version, made);
    return made;
  }

  applied(pairs: Pair[]): Pair[] {
    const gone = new Set(
      [...this.matches.values()].filter(({ source }) => source.removed).map(({ source }) => source.pair),
    );
    const left = new Map([...this.matches.values()].map(({ source }) => [source, source.uses]));
    return pairs.flatMap((pair) => {
      const match = this.matches.get(pair);
      if (gone.has(pair)) return [];
      if (!match) return [pair];
      const uses = (left.get(match.source) ?? 0) - 1;
      left.set(match.source, uses);
      return [
        {
          ...pair,
          old: match.source.pair.old,
          from: match.source.pair.path,
          status: uses > 0 ? "C" : "R",
          score: match.score,
        },
      ];
    });
  }
}

const byScore = (one: Match, other: Match) => other.score - one.score || Number(other.isNamed) - Number(one.isNamed);

/** Lines, or pieces of long ones, with how many bytes each has. Git leaves out an end without a newline. */
function chunksOf(bytes: Uint8Array) {
  const isText = !bytes.subarray(0, 8000).includes(0);
  const counts = new Map();
  let chunk = "";
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (isText && byte === CR && bytes[at + 1] === LF) continue;
    chunk += String.fromCharCode(byte);
    if (chunk.length < CHUNK && byte !== LF) continue;
    counts.set(chunk, (counts.get(chunk) ?? 0) + chunk.length);
    chunk = "";
  }
  return counts;
}
