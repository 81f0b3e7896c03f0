// Revisions as gitrevisions(7) names them, beyond those that just-git knows, and ranges of them.
import { findMergeBases, readCommit, readHead, revParse, walkCommitHistory } from "just-git/repo";

import { fail } from "../repository/answers.ts";
import { upstreamOf } from "../repository/ref_names.ts";
import { gitFile, type Repository } from "../repository/repository.ts";
import { parseSettings } from "../repository/settings.ts";

const ENTRY = /^(?:refs\/)?stash(?:@\{(\d+)\})?(?=$|[\^~])/;
const EARLIER = /^@\{-(\d+)\}(?=$|[\^~@])/;
const SPECIAL = /^(?:refs\/)?stash(?=$|[@^~])|^@\{-\d+\}|^:\/(?!$)|\^\{\/.*\}/s;

// A branch as it was some moves ago.
const LOGGED = /^(?:refs\/heads\/)?([\w][\w./-]*)@\{(\d+)\}(?=$|[\^~])/;

// The branch that another follows.
export const UPSTREAM = /^([\w][\w./-]*)?@\{(?:u|upstream|push)\}(?=$|[\^~])/i;

/**
 * The ref that a branch follows, by its own settings.
 * @param name - such as `main@{u}`
 */
export async function followed(repository: Repository, name: string) {
  const head = (await readHead(repository)).branch;
  const given = UPSTREAM.exec(name)?.[1];
  const branch = given === undefined || given === "HEAD" ? (head ?? fail("HEAD does not point to a branch")) : given;
  const settings = parseSettings((await gitFile(repository, "config")) ?? "", "local");
  return upstreamOf(settings, branch) ?? fail(`no upstream configured for branch '${branch}'`);
}

/** Return whether a name is of a form that just-git doesn't know. */
const isSpecial = (name: string) => SPECIAL.test(name) || LOGGED.test(name) || UPSTREAM.test(name);

/** Return the hash of an object; null if there is none. */
export async function hashOf(repository: Repository, name: string): Promise<string | null> {
  if (!isSpecial(name)) return revParse(repository, name);
  const [, base, pattern = "", rest = ""] = /^(.*)\^\{\/([^}]*)\}(.*)$/s.exec(name) ?? [];
  if (base !== undefined) {
    const found = await newest(repository, [await hashOf(repository, base)], pattern);
    return found === null || rest === "" ? found : revParse(repository, found + rest);
  }
  if (UPSTREAM.test(name)) return revParse(repository, name.replace(UPSTREAM, await followed(repository, name)));
  if (name.startsWith(":/")) return newest(repository, await allTips(repository), name.slice(2));
  const whole = name.replace(ENTRY, "").replace(EARLIER, "").replace(LOGGED, "");
  const [, branch, number] = LOGGED.exec(name) ?? [];
  const stashed = ENTRY.test(name) ? (ENTRY.exec(name)?.[1] ?? "0") : number;
  const log = ENTRY.test(name) ? "logs/refs/stash" : branch === "HEAD" ? "logs/HEAD" : `logs/refs/heads/${branch}`;
  const first =
    stashed === undefined ? await earlierHead(repository, name) : await logged(repository, log, Number(stashed));
  return first === null ? null : revParse(repository, first + whole);
}

async function allTips(repository: Repository) {
  const refs = await repository.refStore.listRefs("refs");
  return [(await readHead(repository)).hash, ...refs.map(({ hash }) => hash)];
}

/** The newest commit whose message matches. */
async function newest(repository: Repository, tips: (string | null)[], pattern: string) {
  const starts = [];
  for (const tip of tips) if (tip !== null) starts.push(await revParse(repository, `${tip}^{commit}`));
  const known = starts.filter((hash) => hash !== null);
  const wanted = new RegExp(pattern, "m");
  for await (const { hash, message } of walkCommitHistory(repository, known)) if (wanted.test(message)) return hash;
  return null;
}

async function logged(repository: Repository, log: string, number: number): Promise<string | null> {
  const lines = ((await gitFile(repository, log)) ?? "").split("\n").filter(Boolean).reverse();
  return lines[number]?.split(" ")[1] ?? null;
}

/**
 * The branch or commit that was checked out before.
 * @param name - such as `@{-1}`
 */
async function earlierHead(repository: Repository, name: string) {
  const moves = ((await gitFile(repository, "logs/HEAD")) ?? "")
    .split("\n")
    .flatMap((line) => /\tcheckout: moving from (\S+) to /.exec(line)?.slice(1) ?? []);
  return moves.at(-Number(EARLIER.exec(name)?.[1])) ?? null;
}

/** @returns the hash of an object */
export async function resolve(repository: Repository, name: string): Promise<string> {
  const found = await hashOf(repository, name);
  return found ?? fail(`Not a valid object name ${name}`);
}

/** The tree of a commit, a tag or a tree; null for others. */
export async function treeOf(repository: Repository, hash: string): Promise<string | null> {
  return (await repository.objectStore.read(hash)).type === "tree" ? hash : revParse(repository, `${hash}^{tree}`);
}

/**
 * @param word - of which the name is a part, such as `HEAD..name`
 * @returns the hash of a commit
 */
export async function commitOf(repository: Repository, name: string, word = name): Promise<string> {
  const hash = await hashOf(repository, name);
  const found = hash === null ? null : await revParse(repository, `${hash}^{commit}`);
  if (found !== null) return found;
  if (/^[0-9a-f]{40}$/.test(name)) fail(`bad object ${name}`);
  if (word.startsWith("^")) fail(`bad revision '${word}'`);
  return fail(
    `ambiguous argument '${word}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
  );
}

/** one of the commits that a word stands for, in the order in which git prints them */
type End = { hash: string; excluded: boolean };

export async function endsOf(repository: Repository, word: string): Promise<End[]> {
  const one = async (name: string, excluded = false) => ({
    hash: await commitOf(repository, name || "HEAD", word),
    excluded,
  });
  const [, left, dots, right] = /^(.*?)(\.{2,3})(?!\/)(.*)$/s.exec(word) ?? [];
  if (left !== undefined && right !== undefined) {
    const [from, to] = [await one(left), await one(right)];
    if (dots === "..") return [to, { ...from, excluded: true }];
    const bases = await findMergeBases(repository, from.hash, to.hash);
    return [to, from, ...bases.map((hash) => ({ hash, excluded: true }))];
  }
  if (word.startsWith("^")) return [await one(word.slice(1), true)];
  const [, name, kind] = /^(.*)\^([@!])$/s.exec(word) ?? [];
  if (name === undefined) return [await one(word)];
  const end = await one(name);
  const { parents } = await readCommit(repository, end.hash);
  return kind === "@"
    ? parents.map((hash) => ({ hash, excluded: false }))
    : [end, ...parents.map((hash) => ({ hash, excluded: true }))];
}

const NAMING = new Set([
  "show",
  "diff",
  "reset",
  "cherry-pick",
  "revert",
  "blame",
  "describe",
  "merge",
  "rebase",
  "tag",
  "branch",
  "log",
]);

/** Replace the names of revisions that just-git doesn't know by ids. */
export async function plainNames(command: string, args: string[], repository: Repository): Promise<string[]> {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  if (!NAMING.has(command) || !args.slice(0, end).some((word) => isSpecial(word))) return args;
  return Promise.all(
    args.map(async (word, at) => {
      if (
        at >= end ||
        !isSpecial(word) ||
        word.includes("..") ||
        /^(-m|-F|-S|-G|--message|--grep)$/.test(args[at - 1] ?? "")
      )
        return word;
      // A merge names the branch in its message.
      if (UPSTREAM.test(word))
        return word.replace(UPSTREAM, (await followed(repository, word)).replace(/^refs\/(?:remotes|heads)\//, ""));
      return (await hashOf(repository, word)) ?? word;
    }),
  );
}
