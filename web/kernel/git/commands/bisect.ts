// `git bisect` in the words of git 2.39; just-git finds the commits.
import { readCommit, walkCommitHistory } from "just-git/repo";

import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { candidates, choose, quoted, savedPaths, savePaths, splitPaths, subject } from "../history/bisect_paths.ts";
import { show } from "./log.ts";
import { gitFile, headOf, inTree, needRepository, revParse, type Call } from "../repository/repository.ts";

type Terms = { bad: string; good: string };

const NOT_STARTED = 'You need to start by "git bisect start"\n\n';
const SKIP = 125;
const MOST_OF_COMMANDS = 128;

export async function bisect([name = "", ...args]: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  if (name === "" || name === "help") return null;
  const started = (await gitFile(repository, "BISECT_START")) !== null;
  if (name === "run") return run(args, call);
  if (name === "visualize" || name === "view") return view(args, call);
  if (
    name === "replay" &&
    !(await call.context.fs.exists(call.context.fs.resolvePath(call.context.cwd, args[0] ?? "")))
  )
    throw new GitProblem(`error: cannot read file '${args[0] ?? ""}' for replaying`, 1);
  if (name === "reset" && args[0] !== undefined && started) return reset(args[0], call);
  if (["reset", "log", "terms", "next", "replay"].includes(name)) return call.run(["bisect", name, ...args]);
  if (name !== "start" && !started) return answer("", NOT_STARTED, 1);
  return mark(name, args, call);
}

/** Start, or mark commits; several good ones in turn. */
async function mark(name: string, args: string[], call: Call) {
  const repository = needRepository(call);
  const { hash: before } = await headOf(repository);
  const { revisions: given, paths } =
    name === "start"
      ? await splitPaths(repository, args, (path) => inTree(repository, call.context, path))
      : { revisions: args, paths: await savedPaths(repository) };
  const words = await Promise.all(
    given.map(async (word) =>
      word.startsWith("-") ? word : ((await revParse(repository, `${word}^{commit}`)) ?? word),
    ),
  );
  let done = answer();
  if (name === "start" || name === "skip" || words.length < 2) done = await call.run(["bisect", name, ...words]);
  else for (const word of words) done = await call.run(["bisect", name, word]);
  if (name === "start" && done.exitCode === 0) await savePaths(repository, paths);
  if (name === "start" && done.exitCode === 0 && args.length) {
    const line = `git bisect start ${args.map(quoted).join(" ")}\n`;
    await changeLog((log) => log.replace(/git bisect start.*\n$/, "") + line, call);
  }
  if (paths.length && /^(?:Bisecting|There are only|[0-9a-f]{40} is the first )/.test(done.stdout))
    return limited({ paths, before, starts: name === "start" }, done, call);
  return inWordsOfGit(done, call);
}

/**
 * The next of the commits that change some paths, in place of the one that just-git has checked out.
 * @param given - `before` is the commit that was checked out
 */
async function limited(
  { paths, before, starts }: { paths: string[]; before: string | null; starts: boolean },
  done: Answer,
  call: Call,
) {
  const repository = needRepository(call);
  const [{ bad, good }, terms] = [await marked(call), await termsOf(call)];
  const refs = await repository.refStore.listRefs("refs/bisect");
  const skipped = new Set(refs.filter(({ name }) => name.startsWith("refs/bisect/skip-")).map(({ hash }) => hash));
  const choice = choose(await candidates(repository, bad, good, paths), bad, skipped);
  const ends = /(?<=^|\n)(?:# (?:first|only skipped|possible first) [^\n]*\n)+$/;
  await changeLog((log) => log.replace(ends, ""), call);
  const isFound = choice.next === bad || choice.next === null;
  const target = isFound ? before : choice.next;
  const { hash: now } = await headOf(repository);
  const moved = target !== null && target !== now ? await call.run(["checkout", "--detach", target]) : answer();
  if (moved.exitCode) return moved;
  if (choice.all === 0 && starts) await call.run(["bisect", "reset"]);
  if (choice.all === 0) return answer("", "No testable commit found.\nMaybe you started with bad path arguments?\n", 4);
  if (choice.next === bad && choice.skipped.length === 0) {
    await append(`# first ${terms.bad} commit: [${bad}] ${await subject(repository, bad)}\n`, call);
    return { ...done, stdout: await firstBad(bad, terms.bad, call), exitCode: 0 };
  }
  if (isFound || choice.next === null) {
    const text = `There are only 'skip'ped commits left to test.\nThe first ${terms.bad} commit could be any of:\n`;
    const stdout = `${text}${[...choice.skipped, bad].map((hash) => `${hash}\n`).join("")}We cannot bisect more!\n`;
    return onlySkipped({ ...done, stdout, exitCode: 2 }, terms.bad, call);
  }
  const line = leftLine(choice.all, choice.all - choice.weight - 1);
  return { ...done, stdout: `${line}\n[${choice.next}] ${await subject(repository, choice.next)}\n` };
}

async function termsOf(call: Call): Promise<Terms> {
  const [bad = "bad", good = "good"] = ((await gitFile(needRepository(call), "BISECT_TERMS")) ?? "bad\ngood")
    .trim()
    .split("\n");
  return { bad, good };
}

async function inWordsOfGit(done: Answer, call: Call): Promise<Answer> {
  const { bad } = await termsOf(call);
  const found = /^([0-9a-f]{40}) is the first bad commit$/m.exec(done.stdout)?.[1];
  if (found !== undefined) return { ...done, stdout: await firstBad(found, bad, call) };
  const status = /^status: waiting for (?:both|\S+ commit).*\n/.exec(done.stdout)?.[0];
  if (status !== undefined) {
    const line = status
      .replace(/both \S+ and \S+ commits/, "both good and bad commits")
      .replace(/\S+ commit\(s\), \S+ commit known/, "good commit(s), bad commit known")
      .replace(
        /for \S+ commit, (\d+) \S+ commit\(s\)/,
        (_, count) => `for bad commit, ${count} good commit${count === "1" ? "" : "s"}`,
      );
    await append(`# ${line}`, call);
    return { ...done, stdout: line };
  }
  if (done.stdout.startsWith("There are only")) return onlySkipped(done, bad, call);
  const chosen = /^\[([0-9a-f]{40})\]/m.exec(done.stdout)?.[1];
  if (chosen === undefined) return done;
  return { ...done, stdout: done.stdout.replace(/^Bisecting: .*$/m, await leftAfter(chosen, call)) };
}

async function changeLog(change: (log: string) => string, call: Call) {
  const repository = needRepository(call);
  const log = (await gitFile(repository, "BISECT_LOG")) ?? "";
  await repository.fs.writeFile(`${repository.gitDir}/BISECT_LOG`, change(log));
}

const append = (text: string, call: Call) => changeLog((log) => log + text, call);

async function onlySkipped(done: Answer, bad: string, call: Call) {
  const repository = needRepository(call);
  let log = "# only skipped commits left to test\n";
  for (const [hash] of done.stdout.matchAll(/^[0-9a-f]{40}$/gm)) {
    const { message } = await readCommit(repository, hash);
    log += `# possible first ${bad} commit: [${hash}] ${message.split("\n")[0]}\n`;
  }
  await append(log, call);
  return { ...done, stdout: done.stdout.replace("The first bad commit", `The first ${bad} commit`) };
}

/** @returns the hashes of the marked commits */
async function marked(call: Call): Promise<{ bad: string; good: string[] }> {
  const terms = await termsOf(call);
  const refs = await needRepository(call).refStore.listRefs("refs/bisect");
  const bad = refs.find(({ name }) => name === `refs/bisect/${terms.bad}`)?.hash ?? "";
  return {
    bad,
    good: refs.filter(({ name }) => name.startsWith(`refs/bisect/${terms.good}-`)).map(({ hash }) => hash),
  };
}

/** The line on the remaining commits; the number of steps is estimated as in bisect.c. */
async function leftAfter(chosen: string, call: Call) {
  const repository = needRepository(call);
  const { bad, good } = await marked(call);
  const count = async (from: string) => {
    let found = 0;
    for await (const _ of walkCommitHistory(repository, [from], { exclude: good })) found++;
    return found;
  };
  const all = await count(bad);
  return leftLine(all, all - (await count(chosen)) - 1);
}

/**
 * @param all - the number of commits
 * @param left - those that remain if the next one is bad
 */
function leftLine(all: number, left: number) {
  const power = Math.floor(Math.log2(Math.max(all, 1)));
  const steps = all < 3 ? 0 : 2 ** power < 3 * (all - 2 ** power) ? power : power - 1;
  const plural = (number: number, unit: string) => `${number} ${unit}${number === 1 ? "" : "s"}`;
  return `Bisecting: ${plural(Math.max(0, left), "revision")} left to test after this (roughly ${plural(steps, "step")})`;
}

/** @param bad - the term */
async function firstBad(hash: string, bad: string, call: Call) {
  const isMerge = (await readCommit(needRepository(call), hash)).parents.length > 1;
  const { stdout } = await (isMerge
    ? call.run(["show", "--stat", hash])
    : show(["--stat", "--summary", "--no-renames", hash], call));
  return `${hash} is the first ${bad} commit\n${stdout}`;
}

async function reset(place: string, call: Call) {
  const branch = await revParse(needRepository(call), `refs/heads/${place}`);
  if (branch === null) return call.run(["bisect", "reset", place]);
  const done = await call.run(["bisect", "reset"]);
  const moved = await call.run(["checkout", place]);
  return {
    ...moved,
    stderr:
      done.stderr.replace(/^(Switched to|Already on) .*\n/gm, "") +
      moved.stderr.replace("Already on", "Switched to branch"),
  };
}

async function view(args: string[], call: Call) {
  if ((await gitFile(needRepository(call), "BISECT_START")) === null) return answer("", NOT_STARTED, 1);
  const { bad, good } = await marked(call);
  const paths = await savedPaths(needRepository(call));
  if (good.length < 2 && paths.length === 0)
    return call.run(["log", ...args, good.length ? `${good[0]}..${bad}` : bad]);
  let shown = "";
  for (const { hash } of (await candidates(needRepository(call), bad, good, paths))
    .reverse()
    .filter(({ counts }) => counts || !paths.length)) {
    const { stdout } = await call.run(["log", "-1", ...args, hash]);
    shown += shown && stdout.startsWith("commit ") ? `\n${stdout}` : stdout;
  }
  return answer(shown);
}

/** Mark commits by a command's exit code until the first bad one is found. */
async function run(args: string[], call: Call) {
  const repository = needRepository(call);
  if (args.length === 0) throw new GitProblem("error: bisect run failed: no command provided.", 1);
  if ((await gitFile(repository, "BISECT_START")) === null) return answer("", NOT_STARTED, 1);
  const { bad, good } = await marked(call);
  if (!bad || !good.length) fail("git bisect run needs a good and a bad commit first", 1);
  const terms = await termsOf(call);
  const [command, all] = [args.map(quoted).join(" "), answer()];
  const print = ({ stdout, stderr }: Answer) =>
    Object.assign(all, { stdout: all.stdout + stdout, stderr: all.stderr + stderr });
  for (;;) {
    print(answer(`running  ${command}\n`));
    const ran = await call.context.exec(command, repository.workTree ?? call.context.cwd);
    print(ran);
    if (ran.exitCode >= MOST_OF_COMMANDS) {
      print(answer("", `error: bisect run failed: exit code ${ran.exitCode} from '${command}' is < 0 or >= 128\n`));
      return { ...all, exitCode: 128 };
    }
    const done = await mark(ran.exitCode === SKIP ? "skip" : ran.exitCode ? terms.bad : terms.good, [], call);
    print(done);
    if (/^[0-9a-f]{40} is the first /.test(done.stdout))
      return { ...all, stdout: `${all.stdout}bisect found first ${terms.bad} commit` };
    if (done.stdout.startsWith("There are only"))
      return { ...all, stderr: `${all.stderr}error: bisect run cannot continue any more\n`, exitCode: 2 };
    if (done.exitCode || !done.stdout.startsWith("Bisecting")) return { ...all, exitCode: done.exitCode || 1 };
  }
}
