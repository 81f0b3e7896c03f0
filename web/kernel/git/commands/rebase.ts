// `git rebase -i`: the list of commits in an editor, and its steps, each by commands of just-git. The state is in
// .git/rebase-merge in git's own form, so that `git status` and `git rebase --abort` know it.
import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { edited, editorOf } from "../repository/editor.ts";
import { has, parseOptions } from "../repository/options.ts";
import { gitFile, headOf, needRepository, revParse, type Call } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";
import { helpOf, parseTodo, todoOf, type Commit } from "./todo.ts";
import { Steps } from "./rebase_steps.ts";

const VALUED = ["--onto", "-x", "--exec", "-s", "--strategy"];
const NO_LIST =
  "\nhint: Set GIT_SEQUENCE_EDITOR to a command that edits the list, such as \"sed -i '2s/pick/squash/'\".";
const DIRTY = "\nerror: Please commit or stash them.";
const UNMERGED = `\
error: Committing is not possible because you have unmerged files.
hint: Fix them up in the work tree, and then use 'git add/rm <file>'
hint: as appropriate to mark resolution and make a commit.
fatal: Exiting because of an unresolved conflict.`;

/** @returns null to leave the call to just-git */
export async function interactiveRebase(args: string[], call: Call): Promise<Answer | null> {
  const ours = call.repository !== null && (await gitFile(call.repository, Steps.MARK)) !== null;
  if (ours && has(args, "--continue")) return resume(call);
  if (ours && has(args, "--skip")) return skip(call);
  if (ours && has(args, "--edit-todo")) return editTodo(call);
  const begins = has(args, "-i", "--interactive", "--autosquash") || args.some((word) => /^(-x|--exec)/.test(word));
  return begins ? begin(args, call) : null;
}

async function begin(args: string[], call: Call) {
  const repository = needRepository(call);
  const { flags, values, operands } = parseOptions(args, VALUED);
  if (flags.has("--root")) fail("--root can't be used with an interactive rebase here");
  // just-git says that a rebase is in progress.
  if ((await gitFile(repository, "rebase-merge/head-name")) !== null) return null;
  await needClean(call);
  const [name = "@{upstream}", branch] = operands;
  if (branch !== undefined) {
    const moved = await call.run(["checkout", branch]);
    if (moved.exitCode) return moved;
  }
  const upstream = (await revParse(repository, `${name}^{commit}`)) ?? fail(`invalid upstream '${name}'`);
  const target = values.get("--onto");
  const onto =
    target === undefined
      ? upstream
      : ((await revParse(repository, `${target}^{commit}`)) ?? fail(`Does not point to a valid commit '${target}'`));
  const commits = await commitsOf(upstream, call);
  const after = [values.get("-x") ?? values.get("--exec")].filter((command) => command !== undefined);
  const autosquash =
    !flags.has("--no-autosquash") &&
    (flags.has("--autosquash") || setting(call.settings, "rebase.autoSquash") === "true");
  return plan(
    todoOf(commits, after, autosquash),
    { upstream, onto, edits: flags.has("-i") || flags.has("--interactive") },
    call,
  );
}

/** Let the user edit the list, and begin with its first step. */
async function plan(
  todo: string,
  { upstream, onto, edits }: { upstream: string; onto: string; edits: boolean },
  call: Call,
) {
  const repository = needRepository(call);
  const { branch, hash: head } = await headOf(repository);
  if (head === null) return fail("You do not have the initial commit yet");
  const path = `${repository.gitDir}/git-rebase-todo`;
  const [from, to, base] = await Promise.all([upstream, head, onto].map((hash) => short(hash, call)));
  await call.context.fs.writeFile(path, `${todo}\n${helpOf(from ?? "", to ?? "", base ?? "", parseTodo(todo).length)}`);
  try {
    const { text, stdout } = edits
      ? await edited(path, call, sequenceEditor(call), NO_LIST)
      : { text: todo, stdout: "" };
    const steps = parseTodo(text);
    if (steps.length === 0) throw new GitProblem("error: nothing to do", 1);
    if (/^(squash|fixup)$/.test(steps[0]?.command ?? ""))
      throw new GitProblem(`error: cannot '${steps[0]?.command}' without a previous commit`, 1);
    return await Steps.begin({ steps, onto, head, branch, stdout }, call);
  } finally {
    await call.context.fs.rm(path, { force: true });
  }
}

async function resume(call: Call) {
  if ((await call.run(["ls-files", "-u"])).stdout) throw new GitProblem(UNMERGED);
  return (await Steps.saved(call)).resume();
}

async function skip(call: Call) {
  await call.run(["reset", "--hard"]);
  return (await Steps.saved(call)).run();
}

async function editTodo(call: Call) {
  const path = `${needRepository(call).gitDir}/rebase-merge/git-rebase-todo`;
  const { text, stdout } = await edited(path, call, sequenceEditor(call), NO_LIST);
  parseTodo(text);
  return answer(stdout);
}

const sequenceEditor = (call: Call) =>
  call.context.env.get("GIT_SEQUENCE_EDITOR") ?? setting(call.settings, "sequence.editor") ?? editorOf(call);

/** @throws {GitProblem} there are changes that the rebase could lose */
async function needClean(call: Call) {
  const unstaged = (await call.run(["diff", "--name-only"])).stdout !== "";
  const staged = (await call.run(["diff", "--cached", "--name-only"])).stdout !== "";
  if (unstaged && staged)
    throw new GitProblem(
      `error: cannot rebase: You have unstaged changes.\nerror: additionally, your index contains uncommitted changes.${DIRTY}`,
      1,
    );
  if (unstaged) throw new GitProblem(`error: cannot rebase: You have unstaged changes.${DIRTY}`, 1);
  if (staged) throw new GitProblem(`error: cannot rebase: Your index contains uncommitted changes.${DIRTY}`, 1);
}

/** The commits to apply, oldest first, without merges. */
async function commitsOf(upstream: string, call: Call): Promise<Commit[]> {
  const { stdout } = await call.run(["log", "--format=%H\t%h\t%P\t%s", `${upstream}..HEAD`]);
  const commits = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [hash = "", abbreviated = "", parents = "", ...subject] = line.split("\t");
      return { hash, short: abbreviated, parents: parents.split(" ").filter(Boolean), subject: subject.join("\t") };
    });
  return commits.reverse().filter(({ parents }) => parents.length < 2);
}

const short = async (hash: string, call: Call) => (await call.run(["log", "-1", "--format=%h", hash])).stdout.trim();
