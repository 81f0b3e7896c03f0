// `git status`: on 1,000 files just-git takes half a second, since it reads all of them.
import { countAheadBehind, revParse } from "just-git/repo";

import { answer, type Answer } from "../repository/answers.ts";
import { findChanges, isBusy, type Changes } from "../index/changes.ts";
import { splitAtDashes } from "../repository/options.ts";
import { gitFile, headOf, inTree, needRepository, type Call, type Repository } from "../repository/repository.ts";
import { porcelain2 } from "./status_v2.ts";
import { shortName, upstreamOf } from "../repository/ref_names.ts";
import { setting } from "../repository/settings.ts";
import { pathFrom, quoting } from "../repository/shown_paths.ts";

type Untracked = "no" | "normal" | "all";

interface Options {
  format: "long" | "short" | "porcelain" | "v2";
  branch: boolean;
  zero: boolean;
  untracked: Untracked;
  ignored: boolean;
  renames: boolean;
  stash: boolean;
}

/** where HEAD is */
export interface Place {
  branch: string | null;
  hash: string | null;
  upstream: { name: string; ahead: number; behind: number } | { name: string; gone: true } | null;
}

export async function status(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const [before, rest] = splitAtDashes(args);
  const options = optionsOf(
    before.filter((word) => word.startsWith("-")),
    call,
  );
  const named = [...before.filter((word) => !word.startsWith("-")), ...rest.slice(1)];
  if (options === null || named.some((path) => /[*?[]|^:/.test(path))) return null;
  const isLong = options.format === "long";
  if (isLong && (await isBusy(repository))) return inProgress(call);
  const all = await findChanges(repository, call, options);
  const paths = named.map((path) => inTree(repository, call.context, path).replace(/\/$/, ""));
  const changes = all && only(all, paths);
  if (changes === null) return null;
  const place =
    isLong || options.branch ? await placeOf(repository, call) : { branch: null, hash: null, upstream: null };
  const shown = pathsFrom(repository, call, options);
  if (options.format === "v2") return answer(await porcelain2(changes, place, options, shown, repository, call));
  if (!isLong) return answer(short(changes, place, options, shown));
  return answer(await long(repository, changes, place, options, shown));
}

/** The changes below some paths; null if one of them is in a folder that is listed as a whole. */
function only(all: Changes, paths: string[]): Changes | null {
  if (paths.length === 0 || paths.includes("")) return all;
  const isBelow = (path: string) =>
    paths.some((one) => path === one || path.startsWith(`${one}/`) || path === `${one}/`);
  const isAbove = (path: string) => path.endsWith("/") && paths.some((one) => one.startsWith(path));
  if ([...all.untracked, ...all.ignored].some(isAbove)) return null;
  const changes = all.changes
    .filter(({ path }) => isBelow(path))
    .map((change) => (change.from === null || isBelow(change.from) ? change : { ...change, from: null, staged: "A" }));
  return { changes, untracked: all.untracked.filter(isBelow), ignored: all.ignored.filter(isBelow) };
}

/** @returns null for options that aren't known here */
function optionsOf(args: string[], { settings }: Call): Options | null {
  const untracked = setting(settings, "status.showUntrackedFiles");
  const options: Options = {
    format: "long",
    branch: false,
    zero: false,
    untracked: untracked === "no" || untracked === "all" ? untracked : "normal",
    ignored: false,
    renames: true,
    stash: false,
  };
  for (const word of splitAtDashes(args)[0].flatMap((one) =>
    /^-[sbz]{2,}$/.test(one) ? [...one.slice(1)].map((letter) => `-${letter}`) : [one],
  )) {
    if (word === "-s" || word === "--short") options.format = "short";
    else if (/^--porcelain(=v?1)?$/.test(word)) options.format = "porcelain";
    else if (/^--porcelain=v?2$/.test(word)) options.format = "v2";
    else if (word === "-b" || word === "--branch") options.branch = true;
    else if (word === "-z")
      Object.assign(options, { zero: true, format: options.format === "long" ? "porcelain" : options.format });
    else if (word === "--ignored" || word === "--ignored=traditional") options.ignored = true;
    else if (/^(-u|--untracked-files=?)(no|normal|all)?$/.test(word))
      // The expression lets no other words pass.
      options.untracked = (/(no|normal|all)$/.exec(word.replace("--untracked", ""))?.[0] ??
        "all") as Options["untracked"];
    else if (word === "--show-stash") options.stash = true;
    else if (word === "--no-renames") options.renames = false;
    else if (!/^(--long|--ahead-behind|--no-column|--no-ahead-behind)$/.test(word)) return null;
  }
  return options;
}

/** just-git knows the states of a rebase. */
async function inProgress(call: Call) {
  const done = await call.run(["status"]);
  return { ...done, stdout: done.stdout.replace(/^( {3}(?:pick|edit|reword|squash|fixup) \w+) # /gm, "$1 ") };
}

async function placeOf(repository: Repository, { settings }: Call): Promise<Place> {
  const { branch, hash } = await headOf(repository);
  const ref = branch === null ? null : upstreamOf(settings, branch);
  if (ref === null) return { branch, hash, upstream: null };
  const other = await revParse(repository, ref);
  if (other === null) return { branch, hash, upstream: { name: shortName(ref), gone: true } };
  const { ahead, behind } = hash === null ? { ahead: 0, behind: 0 } : await countAheadBehind(repository, hash, other);
  return { branch, hash, upstream: { name: shortName(ref), ahead, behind } };
}

/** Return the function that paths are shown with. */
function pathsFrom(
  repository: Repository,
  { context, settings }: Call,
  { format, zero }: Options,
): (path: string) => string {
  if (zero) return (path) => path;
  const here = inTree(repository, context, ".").split("/").filter(Boolean);
  const isRelative = format !== "porcelain" && format !== "v2" && setting(settings, "status.relativePaths") !== "false";
  const shown = isRelative && here.length ? (path: string) => pathFrom(path, here) : (path: string) => path;
  const quotes = quoting(settings);
  if (format === "long" || format === "v2") return (path) => quotes(shown(path));
  return (path) => (shown(path).includes(" ") && quotes(path) === path ? `"${shown(path)}"` : quotes(shown(path)));
}

function short(
  { changes, untracked, ignored }: Changes,
  place: Place,
  { branch, zero, ignored: shows }: Options,
  shown: (path: string) => string,
) {
  const end = zero ? "\0" : "\n";
  const lines = branch ? [`## ${heading(place)}`] : [];
  for (const { path, from, staged, unstaged } of changes) {
    const name = from === null ? shown(path) : zero ? `${path}\0${from}` : `${shown(from)} -> ${shown(path)}`;
    lines.push(`${staged}${unstaged} ${name}`);
  }
  for (const path of untracked) lines.push(`?? ${shown(path)}`);
  if (shows) for (const path of ignored) lines.push(`!! ${shown(path)}`);
  return lines.map((line) => line + end).join("");
}

function heading({ branch, hash, upstream }: Place) {
  if (branch === null) return "HEAD (no branch)";
  const start = hash === null ? `No commits yet on ${branch}` : branch;
  if (upstream === null) return start;
  if ("gone" in upstream) return `${start}...${upstream.name} [gone]`;
  const counts = [upstream.ahead && `ahead ${upstream.ahead}`, upstream.behind && `behind ${upstream.behind}`].filter(
    Boolean,
  );
  return `${start}...${upstream.name}${counts.length ? ` [${counts.join(", ")}]` : ""}`;
}

const WORDS: Record<string, string> = {
  A: "new file:   ",
  M: "modified:   ",
  D: "deleted:    ",
  R: "renamed:    ",
  T: "typechange: ",
};
const CONFLICTS: Record<string, string> = {
  DD: "both deleted:    ",
  AU: "added by us:     ",
  UD: "deleted by them: ",
  UA: "added by them:   ",
  DU: "deleted by us:   ",
  AA: "both added:      ",
  UU: "both modified:   ",
};

const isConflict = ({ staged, unstaged }: Changes["changes"][number]) => `${staged}${unstaged}` in CONFLICTS;

/** The sections of a long status about files that the index or the last commit has. */
function tracked(
  { staged, conflicts, unstaged }: Record<"staged" | "conflicts" | "unstaged", Changes["changes"]>,
  merging: boolean,
  place: Place,
  shown: (path: string) => string,
) {
  const parts = [];
  if (staged.length) {
    const hints = merging ? [] : [place.hash === null ? UNSTAGE_NEW : UNSTAGE];
    const lines = staged.map(
      (one) => `${WORDS[one.staged]}${one.from === null ? "" : `${shown(one.from)} -> `}${shown(one.path)}`,
    );
    parts.push(section("Changes to be committed:", hints, lines));
  }
  if (conflicts.length) {
    const hints = merging ? [resolving(conflicts)] : [UNSTAGE, resolving(conflicts)];
    const lines = conflicts.map((one) => `${CONFLICTS[one.staged + one.unstaged]}${shown(one.path)}`);
    parts.push(section("Unmerged paths:", hints, lines));
  }
  if (unstaged.length) {
    const add = unstaged.some((one) => one.unstaged === "D") ? "git add/rm <file>..." : "git add <file>...";
    const hints = [
      `use "${add}" to update what will be committed`,
      'use "git restore <file>..." to discard changes in working directory',
    ];
    const lines = unstaged.map((one) => `${WORDS[one.unstaged]}${shown(one.path)}`);
    parts.push(section("Changes not staged for commit:", hints, lines));
  }
  return parts;
}

async function long(
  repository: Repository,
  found: Changes,
  place: Place,
  options: Options,
  shown: (path: string) => string,
) {
  const { changes, untracked, ignored } = found;
  const conflicts = changes.filter(isConflict);
  const staged = changes.filter((one) => !isConflict(one) && one.staged !== " ");
  const unstaged = changes.filter((one) => !isConflict(one) && one.unstaged !== " ");
  const merging = (await gitFile(repository, "MERGE_HEAD")) !== null;
  const parts = [await headLine(repository, place), tracking(place)];
  if (merging) parts.push(conflicts.length ? UNMERGED : CONCLUDE);
  if (place.hash === null) parts.push("\nNo commits yet\n\n");
  parts.push(...tracked({ staged, conflicts, unstaged }, merging, place, shown));
  if (untracked.length) parts.push(section("Untracked files:", [including("git add")], untracked.map(shown)));
  if (options.ignored && ignored.length)
    parts.push(section("Ignored files:", [including("git add -f")], ignored.map(shown)));
  if (options.untracked === "no" && staged.length)
    parts.push("Untracked files not listed (use -u option to show untracked files)\n");
  if (!staged.length && !(merging && !conflicts.length))
    parts.push(
      conclusion({
        changed: unstaged.length + conflicts.length > 0,
        untracked: untracked.length > 0,
        isNew: place.hash === null,
        hidden: options.untracked === "no",
      }),
    );
  return parts.join("");
}

const UNMERGED =
  'You have unmerged paths.\n  (fix conflicts and run "git commit")\n  (use "git merge --abort" to abort the merge)\n\n';
const CONCLUDE = 'All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)\n\n';
const UNSTAGE = 'use "git restore --staged <file>..." to unstage';
const including = (command: string) => `use "${command} <file>..." to include in what will be committed`;
const UNSTAGE_NEW = 'use "git rm --cached <file>..." to unstage';

const resolving = (conflicts: Changes["changes"]) =>
  conflicts.some(({ staged, unstaged }) => /^(DD|UD|DU)$/.test(staged + unstaged))
    ? 'use "git add/rm <file>..." as appropriate to mark resolution'
    : 'use "git add <file>..." to mark resolution';

const section = (title: string, hints: string[], lines: string[]) =>
  `${title}\n${hints.map((hint) => `  (${hint})\n`).join("")}${lines.map((line) => `\t${line}\n`).join("")}\n`;

async function headLine(repository: Repository, { branch, hash }: Place) {
  if (branch !== null) return `On branch ${branch}\n`;
  const log = ((await gitFile(repository, "logs/HEAD")) ?? "").trimEnd().split("\n");
  const [, to, name] =
    log.map((line) => /^\w+ (\w+) .*\tcheckout: moving from \S+ to (\S+)$/.exec(line)).findLast(Boolean) ?? [];
  // A linked work tree may begin without a branch.
  if (to === undefined) return "Not currently on any branch.\n";
  const shown =
    name === undefined || /^[0-9a-f]{40}$/.test(name) || (await revParse(repository, `refs/tags/${name}`)) === null
      ? to?.slice(0, 7)
      : name;
  return `HEAD detached ${to === hash ? "at" : "from"} ${shown ?? hash?.slice(0, 7)}\n`;
}

function tracking({ upstream, hash }: Place) {
  if (upstream === null || hash === null) return "";
  const { name } = upstream;
  if ("gone" in upstream)
    return `Your branch is based on '${name}', but the upstream is gone.\n  (use "git branch --unset-upstream" to fixup)\n\n`;
  const { ahead, behind } = upstream;
  const commits = (count: number) => `${count} commit${count === 1 ? "" : "s"}`;
  if (ahead && behind)
    return (
      `Your branch and '${name}' have diverged,\nand have ${ahead} and ${behind} different commits each, respectively.\n` +
      '  (use "git pull" to merge the remote branch into yours)\n\n'
    );
  if (ahead)
    return `Your branch is ahead of '${name}' by ${commits(ahead)}.\n  (use "git push" to publish your local commits)\n\n`;
  if (behind)
    return `Your branch is behind '${name}' by ${commits(behind)}, and can be fast-forwarded.\n  (use "git pull" to update your local branch)\n\n`;
  return `Your branch is up to date with '${name}'.\n\n`;
}

/** `hidden`: untracked files aren't listed */
type Outcome = { changed: boolean; untracked: boolean; isNew: boolean; hidden: boolean };

function conclusion({ changed, untracked, isNew, hidden }: Outcome) {
  if (changed) return 'no changes added to commit (use "git add" and/or "git commit -a")\n';
  if (untracked) return 'nothing added to commit but untracked files present (use "git add" to track)\n';
  if (isNew) return 'nothing to commit (create/copy files and use "git add" to track)\n';
  return hidden ? "nothing to commit (use -u to show untracked files)\n" : "nothing to commit, working tree clean\n";
}
