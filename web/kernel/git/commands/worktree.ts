// `git worktree`: several work trees of a repository (linked_trees.ts).
import type { ShellFiles } from "../../shell/execution/files.ts";
import { readCommit } from "just-git/repo";

import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { branchOf, heldBranches, treesOf, type Tree } from "../repository/linked_trees.ts";
import { checkOptions, parseOptions } from "../repository/options.ts";
import { remoteBranch } from "../repository/ref_names.ts";
import { needRepository, revParse, type Call } from "../repository/repository.ts";
import { hashOf } from "../objects/revisions.ts";
import { tableOf } from "../../tables.ts";

type Subcommand = (args: string[], call: Call) => Promise<Answer>;

/** what a new work tree begins with */
type Start = { branch: string | null; hash: string; said: string; creates: boolean; upstream: string | null };

const USAGE =
  "usage: git worktree add [-f] [--detach] [--lock [--reason <string>]] [-b <new-branch>] <path> [<commit-ish>]\n   or: git worktree list [-v | --porcelain [-z]]\n   or: git worktree lock [--reason <string>] <worktree>\n   or: git worktree prune [-n] [-v]\n   or: git worktree remove [-f] <worktree>\n   or: git worktree unlock <worktree>";
const NOTHING = "0".repeat(40);

function check(name: string, { flags, values }: ReturnType<typeof parseOptions>, known: string[]) {
  checkOptions(`worktree ${name}`, [...flags, ...values.keys()], known, "leave it out");
}

const tipOf = (branch: string, call: Call): Promise<string | null> =>
  needRepository(call)
    .refStore.readRef(`refs/heads/${branch}`)
    .then((ref) => (ref?.type === "direct" ? ref.hash : null));

async function startOf(
  { flags, values, operands }: ReturnType<typeof parseOptions>,
  path: string,
  call: Call,
): Promise<Start> {
  const repository = needRepository(call);
  const given = operands[1];
  const forced = values.get("-B");
  const detached = flags.has("--detach") || flags.has("-d");
  const named =
    values.get("-b") ??
    forced ??
    (given === undefined && !detached ? path.slice(path.lastIndexOf("/") + 1) : undefined);
  const isNew = values.has("-b") || forced !== undefined;
  const tip = named === undefined ? null : await tipOf(named, call);
  if (named !== undefined && !isNew && tip !== null)
    return { branch: named, hash: tip, said: `checking out '${named}'`, creates: false, upstream: null };
  const other = given === undefined || isNew || detached ? null : await tipOf(given, call);
  if (given !== undefined && other !== null)
    return { branch: given, hash: other, said: `checking out '${given}'`, creates: false, upstream: null };
  const found = await hashOf(repository, given === "-" ? "@{-1}" : (given ?? "HEAD"));
  const hash = found === null ? null : await revParse(repository, `${found}^{commit}`);
  const remote = given !== undefined && hash === null ? await remoteBranch(given, repository) : null;
  if (given !== undefined && remote !== null && !isNew)
    return { branch: given, hash: remote.hash, said: `new branch '${given}'`, creates: true, upstream: remote.name };
  if (hash === null)
    return fail(given === undefined ? "not a valid object name: 'HEAD'" : `invalid reference: ${given}`);
  const upstream =
    isNew && given !== undefined && (await repository.refStore.readRef(`refs/remotes/${given}`))
      ? `refs/remotes/${given}`
      : null;
  if (named !== undefined)
    return {
      branch: named,
      hash,
      said: tip === null ? `new branch '${named}'` : `resetting branch '${named}'; was at ${tip.slice(0, 7)}`,
      creates: true,
      upstream,
    };
  return { branch: null, hash, said: `detached HEAD ${hash.slice(0, 7)}`, creates: false, upstream: null };
}

/** Create the folder of a work tree in the main repository. */
async function createLink(path: string, { branch, hash }: Start, call: Call) {
  const { context } = call;
  const { files } = context;
  const [main] = treesOf(needRepository(call), context);
  const name = path.slice(path.lastIndexOf("/") + 1);
  let id = name;
  for (let number = 1; files.nodeAt(`${main?.admin}/worktrees/${id}`) !== null; number++) id = `${name}${number}`;
  const admin = `${main?.admin}/worktrees/${id}`;
  await files.mkdir(`${admin}/logs`, { recursive: true });
  await files.mkdir(`${admin}/refs`, { recursive: true });
  await files.mkdir(path, { recursive: true });
  await files.writeFile(`${admin}/gitdir`, `${path}/.git\n`);
  await files.writeFile(`${admin}/commondir`, "../..\n");
  await files.writeFile(`${admin}/HEAD`, branch === null ? `${hash}\n` : `ref: refs/heads/${branch}\n`);
  await files.writeFile(`${path}/.git`, `gitdir: ${admin}\n`);
  return admin;
}

async function add(args: string[], call: Call): Promise<Answer> {
  const parsed = parseOptions(args, ["-b", "-B", "--reason"]);
  check("add", parsed, [
    "-b",
    "-B",
    "-f",
    "--force",
    "--detach",
    "-d",
    "--lock",
    "--reason",
    "-q",
    "--quiet",
    "--checkout",
    "--track",
    "--no-track",
    "--guess-remote",
    "--no-guess-remote",
  ]);
  const { flags, values, operands } = parsed;
  const { context } = call;
  const { files } = context;
  const [given = ""] = operands;
  if (given === "" || operands.length > 2) throw new GitProblem(USAGE, 129);
  const repository = needRepository(call);
  const path = files.resolvePath(context.cwd, given);
  const start = await startOf(parsed, path, call);
  const isForced = flags.has("-f") || flags.has("--force");
  const preparing = flags.has("-q") || flags.has("--quiet") ? "" : `Preparing worktree (${start.said})\n`;
  const holder =
    start.branch === null
      ? undefined
      : (treesOf(repository, context).find((tree) => branchOf(tree) === start.branch) ?? undefined);
  if (values.has("-b") && (await tipOf(start.branch ?? "", call)) !== null)
    throw new GitProblem(`${preparing}fatal: a branch named '${start.branch}' already exists`);
  if (files.nodeAt(path) !== null && (files.isFile(path) || files.namesIn(path).length))
    throw new GitProblem(`${preparing}fatal: '${given}' already exists`);
  if (holder && (!isForced || start.creates))
    throw new GitProblem(`${preparing}fatal: '${start.branch}' is already checked out at '${holder.path}'`);
  if (start.creates) {
    if (values.has("-B")) await repository.refStore.writeRef(`refs/heads/${start.branch}`, start.hash);
    else await call.run(["branch", start.branch ?? "", start.hash]);
    if (start.upstream !== null)
      await call.run([
        "branch",
        `--set-upstream-to=${start.upstream.replace("refs/remotes/", "")}`,
        start.branch ?? "",
      ]);
  }
  const admin = await createLink(path, start, call);
  if (flags.has("--lock")) await files.writeFile(`${admin}/locked`, values.get("--reason") ?? "");
  const done = await call.elsewhere(["reset", "--hard"], path);
  const { message } = await readCommit(repository, start.hash);
  const shown = preparing === "" ? "" : `HEAD is now at ${start.hash.slice(0, 7)} ${message.split("\n")[0]}\n`;
  return { ...done, stdout: done.exitCode ? done.stdout : shown, stderr: preparing + done.stderr };
}

async function tipOfTree(tree: Tree, call: Call) {
  const branch = branchOf(tree);
  return branch === null ? tree.head : ((await tipOf(branch, call)) ?? NOTHING);
}

async function list(args: string[], call: Call): Promise<Answer> {
  const parsed = parseOptions(args);
  check("list", parsed, ["--porcelain", "-z", "-v", "--verbose"]);
  const repository = needRepository(call);
  const trees = treesOf(repository, call.context);
  const isBare = repository.workTree === null;
  const width = Math.max(...trees.map(({ path }) => path.length));
  const verbose = parsed.flags.has("-v") || parsed.flags.has("--verbose");
  let text = "";
  for (const tree of trees) {
    const facts = { tree, tip: await tipOfTree(tree, call), branch: branchOf(tree), bare: isBare && tree.id === null };
    text += parsed.flags.has("--porcelain")
      ? record(facts, parsed.flags.has("-z") ? "\0" : "\n")
      : row(facts, width, verbose);
  }
  return answer(text);
}

/** about a work tree, for its list */
type Facts = { tree: Tree; tip: string; branch: string | null; bare: boolean };

/**
 * A work tree as programs read it.
 * @param end - of lines
 */
function record({ tree, tip, branch, bare }: Facts, end: string) {
  const notes = [
    ["locked", tree.locked],
    ["prunable", tree.prunable],
  ].flatMap(([name, note]) => (note === null ? [] : [note === "" ? `${name}` : `${name} ${note}`]));
  const at = bare ? ["bare"] : [`HEAD ${tip}`, branch === null ? "detached" : `branch refs/heads/${branch}`];
  return [`worktree ${tree.path}`, ...at, ...notes, "", ""].join(end);
}

/**
 * A work tree as users read it.
 * @param width - of paths
 */
function row({ tree, tip, branch, bare }: Facts, width: number, verbose: boolean) {
  const said = (name: string, note: string | null) =>
    note === null ? "" : verbose && note !== "" ? `\n\t${name}: ${note}` : ` ${name}`;
  const place = bare ? "(bare)" : `${tip.slice(0, 7)} ${branch === null ? "(detached HEAD)" : `[${branch}]`}`;
  return `${tree.path.padEnd(width)}  ${place}${said("locked", tree.locked)}${said("prunable", tree.prunable)}\n`;
}

/** The linked work tree that a word names by its path, or by the end of it. */
function namedTree(name: string, call: Call): Tree {
  const { files, cwd } = call.context;
  const trees = treesOf(needRepository(call), call.context);
  const ends = trees.filter(({ path }) => path.endsWith(`/${name}`));
  const tree =
    trees.find(({ path }) => path === files.resolvePath(cwd, name)) ?? (ends.length === 1 ? ends[0] : undefined);
  if (tree === undefined) return fail(`'${name}' is not a working tree`);
  return tree.id === null ? fail(`'${name}' is a main working tree`) : tree;
}

async function remove(args: string[], call: Call): Promise<Answer> {
  const parsed = parseOptions(args);
  check("remove", parsed, ["-f", "--force"]);
  const [name = ""] = parsed.operands;
  if (parsed.operands.length !== 1) throw new GitProblem(USAGE, 129);
  const tree = namedTree(name, call);
  const { files } = call.context;
  const force = args.filter((word) => /^(-f|--force)$/.test(word)).length + (args.includes("-ff") ? 2 : 0);
  if (tree.locked !== null && force < 2)
    fail(
      `cannot remove a locked working tree${tree.locked ? `, lock reason: ${tree.locked}` : ";"}\nuse 'remove -f -f' to override or unlock first`,
    );
  if (force === 0 && tree.prunable === null) {
    const status = await call.elsewhere(["status", "--porcelain"], tree.path);
    if (status.exitCode) fail(`'${name}' can't be compared: ${status.stderr.trimEnd()}`);
    if (status.stdout !== "") fail(`'${name}' contains modified or untracked files, use --force to delete it`);
  }
  await files.rm(tree.path, { recursive: true, force: true });
  await forget(tree, files);
  return answer();
}

async function forget({ admin }: Tree, files: ShellFiles) {
  await files.rm(admin, { recursive: true });
  const folder = admin.slice(0, admin.lastIndexOf("/"));
  if (files.namesIn(folder).length === 0) await files.rm(folder);
}

async function prune(args: string[], call: Call): Promise<Answer> {
  const parsed = parseOptions(args, ["--expire"]);
  check("prune", parsed, ["-n", "--dry-run", "-v", "--verbose", "--expire"]);
  const { flags } = parsed;
  const isDry = flags.has("-n") || flags.has("--dry-run");
  let said = "";
  for (const tree of treesOf(needRepository(call), call.context)) {
    if (tree.prunable === null) continue;
    if (isDry || flags.has("-v") || flags.has("--verbose")) said += `Removing worktrees/${tree.id}: ${tree.prunable}\n`;
    if (!isDry) await forget(tree, call.context.files);
  }
  return answer("", said);
}

async function lock(args: string[], call: Call): Promise<Answer> {
  const { values, operands } = parseOptions(args, ["--reason"]);
  const tree = namedTree(operands[0] ?? "", call);
  if (tree.locked !== null) fail(`'${operands[0]}' is already locked${tree.locked ? `, reason: ${tree.locked}` : ""}`);
  await call.context.files.writeFile(`${tree.admin}/locked`, values.get("--reason") ?? "");
  return answer();
}

async function unlock([name = ""]: string[], call: Call): Promise<Answer> {
  const tree = namedTree(name, call);
  if (tree.locked === null) fail(`'${name}' is not locked`);
  await call.context.files.rm(`${tree.admin}/locked`);
  return answer();
}

const SUBCOMMANDS: Record<string, Subcommand> = tableOf({ add, list, lock, prune, remove, unlock });
const OTHERS: Record<string, string> = tableOf({
  move: "use git worktree remove and git worktree add",
  repair: "use git worktree prune and git worktree add",
});

export async function worktree([name, ...args]: string[], call: Call): Promise<Answer | null> {
  needRepository(call);
  const subcommand = SUBCOMMANDS[name ?? ""];
  if (subcommand) return subcommand(args, call);
  const way = OTHERS[name ?? ""];
  if (way !== undefined) refuse(`git worktree ${name} isn't available here`, `${way}`, 128);
  throw new GitProblem(
    `${name === undefined ? "error: need a subcommand" : `error: unknown subcommand: \`${name}'`}\n${USAGE}`,
    129,
  );
}

/** Refuse to check out, move or delete a branch that another work tree has. */
export function checkFree(command: string, args: string[], call: Call) {
  if (!["checkout", "switch", "branch", "rebase"].includes(command)) return;
  const held = heldBranches(call);
  if (held.size === 0) return;
  const { flags, operands, values } = parseOptions(args, ["-b", "-c", "--onto", "-B", "-C"]);
  const [forced, last] = [values.get("-B") ?? values.get("-C"), operands.at(-1) ?? ""];
  const deleted = ["-d", "-D", "--delete"].some((flag) => flags.has(flag));
  const tree = held.get(
    command === "branch"
      ? deleted
        ? (operands.find((name) => held.has(name)) ?? "")
        : flags.has("-f")
          ? (operands[0] ?? "")
          : ""
      : (forced ?? (values.has("-b") || values.has("-c") ? "" : last)),
  );
  if (tree === undefined || args.includes("--") || flags.has("--ignore-other-worktrees") || flags.has("--detach"))
    return;
  const name = branchOf(tree);
  if (command === "branch" && deleted)
    throw new GitProblem(`error: Cannot delete branch '${name}' checked out at '${tree.path}'`, 1);
  if (command === "branch") fail(`cannot force update the branch '${name}' used by worktree at '${tree.path}'`);
  if (command !== "rebase" || operands.length > 1) fail(`'${name}' is already checked out at '${tree.path}'`);
}

/** Mark the branches of other work trees in a list. */
export function withMarks(args: string[], call: Call, text: string) {
  const held = heldBranches(call);
  if (held.size === 0 || args.some((word) => word.startsWith("--format"))) return text;
  const isVeryVerbose = args.some((word) => /^-[ar]*vv/.test(word));
  return text.replace(/^ {2}(\S+)( +[0-9a-f]{7,40} )?/gm, (whole, name, hash = "") => {
    const tree = held.get(name);
    return tree ? `+ ${name}${hash}${isVeryVerbose && hash ? `(${tree.path}) ` : ""}` : whole;
  });
}
