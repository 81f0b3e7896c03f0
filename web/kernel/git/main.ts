// The command `git`: just-git with additions. The shell loads this on first use (shell/commands/git.ts).
import { createGit, type GitHooks } from "just-git";

import { GitProblem, answer, type Answer, type Context } from "./repository/answers.ts";
import { refuse } from "./repository/refusals.ts";
import { ADJUSTED } from "./adjusted.ts";
import { withPermissions } from "./index/carried_modes.ts";
import { COLOR_SETTINGS, coloredOutput, takeColors, withDecoration } from "./differences/colors.ts";
import { COMMANDS } from "./command_table.ts";
import { Hooks, HOOKED, shellWord, takeVerify } from "./repository/hooks.ts";
import { stampDates } from "./objects/own_dates.ts";
import { isZealous, withBases } from "./differences/conflict_marks.ts";
import { findLink, withLink } from "./repository/linked_trees.ts";
import { mergeDriver } from "./differences/merge_driver.ts";
import { silenced, takeQuiet } from "./repository/quiet.ts";
import { findRepository, type Repository, type Call } from "./repository/repository.ts";
import { withSubstitute } from "./repository/refusals.ts";
import { plainNames } from "./objects/revisions.ts";
import { plainPaths } from "./index/plain_paths.ts";
import { withWarnings } from "./work_tree/safe_line_ends.ts";
import { allSettings, setting, type Setting } from "./repository/settings.ts";
import { track } from "./repository/tracking.ts";
import { openWorkTree } from "./work_tree/work_tree.ts";
import { checkFree, withMarks } from "./commands/worktree.ts";
import { WorkTreeFiles } from "./work_tree/work_tree_files.ts";

export async function runGit(args: string[], given: Omit<Context, "files">): Promise<Answer> {
  try {
    const [rest, changed] = await globalOptions(args, { ...given, files: given.fs });
    return await mergedFirst(await dispatch(rest, changed), changed);
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    return answer("", `${error.message}\n`, error.exitCode);
  }
}

/** Print what a merge says before the error that it ends with: git writes its lines while it merges. */
async function mergedFirst(done: Answer, { print, complain }: Context): Promise<Answer> {
  const at = done.stderr.search(/error: could not (apply|revert) /);
  if (at < 0 || !/^(Auto-merging|CONFLICT) /m.test(done.stdout)) return done;
  await complain(done.stderr.slice(0, at));
  await print(done.stdout);
  return { ...done, stdout: "", stderr: done.stderr.slice(at) };
}

/** The options before the command's name. */
async function globalOptions(args: string[], given: Context): Promise<[string[], Context]> {
  const overrides: Record<string, string> = {};
  const context = { ...given, overrides };
  let at = 0;
  for (; (args[at] ?? "").startsWith("-"); at++) {
    const word = args[at] ?? "";
    if (word === "-C") {
      const folder = args[++at] ?? "";
      context.cwd = context.fs.resolvePath(context.cwd, folder);
      if (!(await context.fs.exists(context.cwd)))
        throw new GitProblem(`fatal: cannot change to '${folder}': No such file or directory`);
    } else if (word === "-c") {
      const [name = "", ...value] = (args[++at] ?? "").split("=");
      context.overrides[name] = value.length ? value.join("=") : "true";
    } else if (/^--(git-dir|work-tree)(=|$)/.test(word))
      await checkPlace(word.includes("=") ? word : `${word}=${args[++at] ?? ""}`, context);
    else if (word === "--version" || word === "-v") return [["version"], context];
    else if (word === "--help" || word === "-h") return [["help", ...args.slice(at + 1)], context];
    else if (!/^(--no-pager|-P|-p|--paginate|--literal-pathspecs|--no-optional-locks)$/.test(word)) {
      throw new GitProblem(
        `unknown option: ${word}\nusage: git [-C <path>] [-c <name>=<value>] [--no-pager] <command> [<args>]`,
        129,
      );
    }
  }
  return [args.slice(at), context];
}

/** `--git-dir` and `--work-tree` may name the repository that git finds anyway. */
async function checkPlace(option: string, context: Context) {
  const [, name, path = ""] = /^--(git-dir|work-tree)=(.*)$/s.exec(option) ?? [];
  const found = await findRepository(context);
  const place = context.fs.resolvePath(context.cwd, path);
  if (place === (name === "git-dir" ? found?.gitDir : found?.workTree)) return;
  refuse(`git has no ${option} here`, "use git -C DIRECTORY");
}

/** The commands that just-git alone has. */
const UNADJUSTED = new Set(["grep", "help", "remote", "repack"]);

/** Return whether a command is built in. As in git, an alias can't replace it. */
const isBuiltIn = (name: string) => name in COMMANDS || name in ADJUSTED || UNADJUSTED.has(name);

/** The repository at a path, whose `.git` may be left out. */
async function repositoryAt(path: string, outside: Context): Promise<Repository | null> {
  const context = inLink({ ...outside, cwd: path });
  const found = (await context.fs.exists(path)) ? await findRepository(context) : null;
  if (found !== null && (found.workTree === path || found.gitDir === path)) return found;
  return path.endsWith(".git") ? null : repositoryAt(`${path}.git`, outside);
}

/** Let a call in a linked work tree see its repository as a folder. */
function inLink(given: Context): Context {
  const link = findLink(given.files, given.cwd);
  if (link === null) return given;
  const files = withLink(given.files, link);
  return { ...given, fs: files, files, link };
}

async function dispatch([name = "help", ...given]: string[], outside: Context): Promise<Answer> {
  const isTerminal = outside.isTerminal === true && (outside.env.get("TERM") ?? "dumb") !== "dumb";
  const here = inLink(outside);
  const found = await findRepository(here);
  const settings = await allSettings(here, found?.gitDir ?? null);
  const { words, isColored } = takeColors(name, given, settings, isTerminal);
  const args = withDecoration(name, words, settings, outside.isTerminal === true);
  const done = await undecorated([name, ...args], { ...outside, isColored });
  if (!isColored || name.startsWith("!")) return done;
  const refs = found ? (await found.refStore.listRefs("refs")).map((ref) => ref.name) : [];
  return { ...done, stdout: coloredOutput(name, args, done.stdout, refs) };
}

/** The output that a command reads of another one has no colors, whatever the settings say. */
const uncolored = ({ overrides }: Context) => ({
  isTerminal: false,
  overrides: { ...overrides, ...Object.fromEntries(COLOR_SETTINGS.map((name) => [name, "never"])) },
});

/** Run a command, whose output has no colors yet except from its format. */
async function undecorated([name = "help", ...args]: string[], outside: Context): Promise<Answer> {
  const given = inLink(outside);
  const found = await findRepository(given);
  const settings = await allSettings(given, found?.gitDir ?? null);
  const { context, repository } = inWorkTree(given, settings, found);
  const alias = isBuiltIn(name) ? undefined : setting(settings, `alias.${name}`);
  if (alias?.startsWith("!"))
    return context.exec(`${alias.slice(1)} ${args.map(shellWord).join(" ")}`, repository?.workTree ?? context.cwd);
  if (alias !== undefined) return dispatch([...alias.trim().split(/\s+/), ...args], outside);
  const { quiet, args: others } = takeQuiet(name, args);
  const { verifies, args: words } = takeVerify(name, others);
  const call: Call = {
    context,
    settings,
    repository,
    elsewhere: (words, cwd) => dispatch(words, { ...outside, ...uncolored(outside), cwd }),
    repositoryAt: (path) => repositoryAt(path, outside),
    run: (words, events) => withWarnings(words, call, () => library(inside(words, call), call, events)),
  };
  const rest = repository ? await plainPaths(name, await plainNames(name, words, repository), call) : words;
  checkFree(name, rest, call);
  if (name === "grep" && repository) context.fs.converts = false;
  if (repository) await stampDates(name, rest, context, repository);
  const command = COMMANDS[name];
  const hooked =
    HOOKED.has(name) && repository !== null ? withHooks(name, verifies, call) : { call, refused: () => null };
  const own = command && (await command(rest, hooked.call));
  const ran =
    own ??
    (await withBases(name, call, () => withPermissions(name, rest, call, () => adjusted(name, rest, hooked.call))));
  const isSaid = /^branch '.*' set up to track /m.test(ran.stdout + ran.stderr);
  const followed =
    ran.exitCode === 0 && repository && TRACKING.has(name) && !isSaid ? await track(name, rest, call) : "";
  const printed = name === "branch" ? withMarks(rest, call, ran.stdout) : ran.stdout;
  const done = { ...ran, stdout: printed + followed, ...hooked.refused() };
  return quiet ? silenced(name, done) : done;
}

/**
 * Let the commands of just-git run hooks.
 * @param name - the command; the commands that it consists of have no hooks
 */
function withHooks(name: string, verifies: boolean, call: Call) {
  const hooks = new Hooks(call, verifies);
  const run = (words: string[], events: GitHooks = {}) =>
    call.run(words, words[0] === name ? { ...hooks.events(), ...events } : events);
  return { call: { ...call, run, verifies }, refused: () => hooks.refused };
}

/** Let a call see the files of a work tree as git does. */
function inWorkTree(context: Context, settings: Setting[], repository: Repository | null) {
  if (repository === null || repository.workTree === null) return { context, repository };
  const { workTree, gitDir } = repository;
  const fs = openWorkTree(context, settings, { workTree, gitDir }, async () => repository);
  return { context: { ...context, fs }, repository: { ...repository, fs } };
}

const TRACKING = new Set(["branch", "checkout", "switch"]);
const OUTSIDE = new Set(["clone", "init", "commit", "push", "fetch", "pull"]);

/** Paths from the root of the file system, which just-git doesn't take for files of the work tree. */
function inside(words: string[], { context, repository }: Call) {
  const root = repository?.workTree;
  if (!root || OUTSIDE.has(words[0] ?? "") || !words.some((word) => word.startsWith(`${root}/`))) return words;
  const up = context.cwd === root ? "" : "../".repeat(context.cwd.slice(root.length + 1).split("/").length);
  return words.map((word) => (word.startsWith(`${root}/`) ? up + word.slice(root.length + 1) : word));
}

const adjusted = (name: string, args: string[], call: Call) =>
  ADJUSTED[name]?.(args, call) ?? call.run([name, ...args]);

/** Run a command of just-git. */
async function library(words: string[], { context, settings, repository }: Call, hooks?: GitHooks): Promise<Answer> {
  const valuesOf = (wanted: string) =>
    Object.fromEntries(settings.filter(({ scope }) => scope === wanted).map(({ name, value }) => [name, value]));
  const [defaults, locked] = [valuesOf("global"), valuesOf("command")];
  if (isZealous(settings)) locked["merge.conflictstyle"] = "diff3";
  const { fs, cwd, env, stdin } = context;
  // just-git opens remotes by full paths only, and takes the repository that is around a path for the one that is there.
  const resolveRemote = async (url: string) => {
    if (/^[a-z]+:\/\//.test(url) && !url.startsWith("file://")) return null;
    const root = /^\.{1,2}(\/|$)/.test(url) ? await findRepository(context) : null;
    return repositoryAt(fs.resolvePath(root?.workTree ?? root?.gitDir ?? cwd, url.replace(/^file:\/\//, "")), context);
  };
  const git = createGit({
    config: { defaults, locked },
    hooks,
    resolveRemote,
    mergeDriver: mergeDriver(repository, context, settings),
  });
  const { stdout, stderr, exitCode } = await git.execute(words, { fs, cwd, env, stdin });
  if (fs instanceof WorkTreeFiles) await fs.finish();
  // Git 2.39 has no such hint.
  const errors = stderr
    .replace(/^hint: Disable this message with "git config set .*\n?/gm, "")
    .replace(/^(git: '.*' is not a git command\.)\nRun 'git help' for available commands\.$/m, "$1 See 'git --help'.");
  const said = withSubstitute(errors, words[0] ?? "");
  const shown = stdout.replace(/^ create mode (\d+) (.*)\n delete mode (\d+) \2$/gm, " mode change $3 => $1 $2");
  return { stdout: shown, stderr: said && !said.endsWith("\n") ? `${said}\n` : said, exitCode };
}
