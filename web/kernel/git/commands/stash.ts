// `git stash`: the commands and options that just-git lacks.
import { GitProblem, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { diff } from "./diff.ts";
import { treePairs } from "../differences/file_pairs.ts";
import { localChanges } from "../index/mode_changes.ts";
import { parseOptions, takeFlag } from "../repository/options.ts";
import { gitFile, headOf, inTree, needRepository, revParse, type Call } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";
import { stashHunks } from "./stash_hunks.ts";
import { stashPaths } from "./stash_paths.ts";
import { status } from "./status.ts";

const PERMISSIONS = 0o777;

// Who makes a stash where nobody is named.
const NOBODY = ["AUTHOR", "COMMITTER"].flatMap((role) => [
  { name: `GIT_${role}_NAME`, key: "user.name", value: "git stash" },
  { name: `GIT_${role}_EMAIL`, key: "user.email", value: "git@stash" },
]);

export async function stash(args: string[], call: Call): Promise<Answer> {
  const { env } = call.context;
  const missing = NOBODY.filter(({ name, key }) => !env.has(name) && setting(call.settings, key) === undefined);
  for (const { name, value } of missing) env.set(name, value);
  try {
    return await run(args, call);
  } finally {
    for (const { name } of missing) env.delete(name);
  }
}

async function run(args: string[], call: Call): Promise<Answer> {
  if (args[0] === "branch" && args[1] !== undefined) return toBranch(args[1], args[2], call);
  const picking = takeFlag(args, "p", "--patch", "m");
  if (picking.found && /^(push|-.*)$/.test(args[0] ?? "")) return stashHunks(optionsOfPatch(picking.args), call);
  const some = args[0] === "push" || args[0] === "--" ? pathsOf(args[0] === "push" ? args.slice(1) : args) : null;
  if (some !== null) return stashPaths(some, call);
  const keeping = takeFlag(args, "k", "--keep-index", "m");
  const all = await unusual(keeping.args, call);
  if (all !== null) return stashPaths({ ...all, keeps: keeping.found }, call);
  if (keeping.found && /^(push|-.*|)$/.test(args[0] ?? "")) return keepIndex(keeping.args, call);
  if (args[0] !== "show") {
    const done = await (args[0] === "pop" || args[0] === "apply" ? applied(args, call) : fromFolder(args, call));
    // A stash that is named by its number alone has its whole name in the answer.
    if (args[0] === "drop" && /^\d+$/.test(args[1] ?? ""))
      done.stdout = done.stdout.replace(/^Dropped stash@/, "Dropped refs/stash@");
    return {
      ...done,
      stderr: done.stderr.replace(/^error: stash@\{0\} is not a valid reference$/m, "No stash entries found."),
    };
  }
  const names = args.slice(1).filter((word) => !word.startsWith("-"));
  const place = /^\d+$/.test(names[0] ?? "") ? `stash@{${names[0]}}` : (names[0] ?? "stash@{0}");
  const options = args.slice(1).filter((word) => word.startsWith("-"));
  const untracked = options.find((word) => /^(-u|--include-untracked|--only-untracked)$/.test(word));
  if (untracked !== undefined) refuse(`git stash show has no ${untracked} here`, `use git show --stat ${place}^3`);
  const shown = options.map((word) => (word === "-p" ? "--patch" : word));
  const list = shown.includes("--patch")
    ? shown.filter((word) => word !== "--patch")
    : shown.length
      ? shown
      : ["--stat"];
  const hash = await stashed(place, call);
  return hash === null ? call.run(["stash", ...args]) : diff([...list, `${hash}^1`, hash], call);
}

/**
 * Return the options to stash all paths by, if there are untracked files, or links or permissions have changed; just-git forgets
 * modes there.
 */
async function unusual(args: string[], call: Call) {
  if (!/^(push|-.*|)$/.test(args[0] ?? "")) return null;
  const { flags, operands, message, untracked, quiet } = pushOptions(args);
  if ([...flags].some((flag) => !/^(-u|--include-untracked|-q|--quiet)$/.test(flag)) || operands.length > 1)
    return null;
  if (!untracked && !(await hasModes(call))) return null;
  return { message, untracked, quiet, keeps: false, paths: [], all: true };
}

/** Return whether permissions or types have changed, staged or not. */
async function hasModes(call: Call) {
  const repository = needRepository(call);
  const tree = await revParse(repository, "HEAD^{tree}");
  const sides = [{ tree: null, cached: false }, ...(tree === null ? [] : [{ tree, cached: true }])];
  for (const side of sides)
    if ((await localChanges(repository, call, side))?.some(({ old, now }) => old !== null && now !== null)) return true;
  return false;
}

/** The files whose permissions a stash has changed. */
async function modesOf(hash: string, call: Call) {
  const repository = needRepository(call);
  const pairs = await treePairs(
    call,
    await revParse(repository, `${hash}^1^{tree}`),
    await revParse(repository, `${hash}^{tree}`),
  );
  return pairs.flatMap(({ path, old, now, status }) =>
    status === "M" && old && now && old.mode !== now.mode ? [{ path, mode: now.mode }] : [],
  );
}

/** Apply a stash, with permissions, which just-git leaves as they are. */
async function applied(args: string[], call: Call) {
  const { operands } = parseOptions(args);
  const place = /^\d+$/.test(operands[1] ?? "") ? `stash@{${operands[1]}}` : (operands[1] ?? "stash@{0}");
  const hash = (await stashed(place, call)) ?? (await revParse(needRepository(call), place));
  const modes = hash === null ? [] : await modesOf(hash, call);
  const there = hash === null ? [] : await untrackedThere(hash, call);
  if (there.length) return appliedAround(there, args, call);
  const done = await fromFolder(args, call);
  if (done.exitCode || modes.length === 0) return done;
  const { fs } = call.context;
  const root = needRepository(call).workTree;
  for (const { path, mode } of modes)
    if (fs.isFile(`${root}/${path}`)) await fs.chmod(`${root}/${path}`, mode & PERMISSIONS);
  const shown = done.stdout.startsWith("On branch") ? await status([], call) : null;
  return shown === null ? done : { ...done, stdout: shown.stdout + (/^Dropped .*\n/m.exec(done.stdout)?.[0] ?? "") };
}

/** The untracked files of a stash in whose place there is a file. */
async function untrackedThere(hash: string, call: Call): Promise<string[]> {
  const repository = needRepository(call);
  const tree = await revParse(repository, `${hash}^3^{tree}`);
  if (tree === null) return [];
  const pairs = await treePairs(call, null, tree);
  return pairs
    .map(({ path }) => path)
    .filter((path) => call.context.fs.isFile(`${repository.workTree}/${path}`))
    .sort();
}

/** Apply a stash, and leave the files that are in the place of its untracked ones. */
async function appliedAround(paths: string[], args: string[], call: Call) {
  const { fs } = call.context;
  const root = needRepository(call).workTree;
  const before = await Promise.all(paths.map((path) => fs.readFileBuffer(`${root}/${path}`)));
  const done = await call.run(["stash", "apply", ...args.slice(1)]);
  for (const [at, path] of paths.entries()) await fs.writeFile(`${root}/${path}`, before[at]);
  const shown = done.stdout.startsWith("On branch") ? await status([], call) : null;
  const end = args[0] === "pop" ? "The stash entry is kept in case you need it again.\n" : "";
  const said = paths.map((path) => `${path} already exists, no checkout\n`).join("");
  return {
    stdout: (shown?.stdout ?? done.stdout) + end,
    stderr: `${done.stderr}${said}error: could not restore untracked files from stash\n`,
    exitCode: 1,
  };
}

/** Run a command, whose paths are relative to the folder where it runs. */
async function fromFolder(args: string[], call: Call) {
  const done = await call.run(["stash", ...args]);
  const repository = needRepository(call);
  const prints = ["pop", "apply"].includes(args[0] ?? "") && done.exitCode === 0 && done.stdout.startsWith("On branch");
  const shown = prints && inTree(repository, call.context, ".") !== "" ? await status([], call) : null;
  return shown === null ? done : { ...done, stdout: shown.stdout + (/^Dropped .*\n/m.exec(done.stdout)?.[0] ?? "") };
}

function pushOptions(args: string[]) {
  const { flags, values, operands, paths } = parseOptions(args, ["-m", "--message"]);
  const message = values.get("-m") ?? values.get("--message");
  const untracked = flags.has("-u") || flags.has("--include-untracked");
  return { flags, operands, paths: paths ?? [], message, untracked, quiet: flags.has("-q") || flags.has("--quiet") };
}

/** Return the options of `push`, or null if it names no paths. */
function pathsOf(args: string[]) {
  const { flags, operands, paths, message, untracked, quiet } = pushOptions(args);
  const named = [...operands, ...paths];
  if (named.length === 0) return null;
  const known = ["-u", "--include-untracked", "-q", "--quiet", "-k", "--keep-index"];
  const other = [...flags].find((flag) => !known.includes(flag));
  if (other !== undefined) throw new GitProblem(`error: git stash push has no ${other} with paths here`, 129);
  return { message, untracked, quiet, keeps: flags.has("-k") || flags.has("--keep-index"), paths: named };
}

/** @param args - of `push`, without `-p` */
function optionsOfPatch(args: string[]) {
  const { flags, operands, paths, message, quiet } = pushOptions(args);
  if (operands.length && operands[0] !== "push")
    throw new GitProblem(
      `fatal: subcommand wasn't specified; 'push' can't be assumed due to unexpected token '${operands[0]}'`,
    );
  return { message, quiet, keeps: !flags.has("--no-keep-index"), paths: [...operands.slice(1), ...paths] };
}

/** @param place - such as `stash@{1}` */
async function stashed(place: string, call: Call): Promise<string | null> {
  const lines = ((await gitFile(needRepository(call), "logs/refs/stash")) ?? "").trimEnd().split("\n").reverse();
  return lines[Number(/^stash@\{(\d+)\}$/.exec(place)?.[1] ?? NaN)]?.split(" ")[1] ?? null;
}

/** Stash, and leave what is staged. */
async function keepIndex(args: string[], call: Call) {
  const before = await stashed("stash@{0}", call);
  const { hash: head } = await headOf(needRepository(call));
  const done = await call.run(["stash", ...args]);
  const hash = await stashed("stash@{0}", call);
  if (done.exitCode || hash === null || hash === before || head === null) return done;
  await call.run(["reset", "--hard", `${hash}^2`]);
  await call.run(["reset", "--soft", head]);
  return done;
}

/** Pop a stash on a new branch, where it was made. */
async function toBranch(name: string, place: string | undefined, call: Call) {
  const hash = await stashed(place ?? "stash@{0}", call);
  if (hash === null) return call.run(["stash", "pop", ...(place === undefined ? [] : [place])]);
  const moved = await call.run(["checkout", "-b", name, `${hash}^1`]);
  if (moved.exitCode) return moved;
  const popped = await call.run(["stash", "pop", place ?? "stash@{0}"]);
  return { ...popped, stderr: moved.stderr + popped.stderr };
}
