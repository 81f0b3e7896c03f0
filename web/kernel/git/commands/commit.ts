// `git commit`: messages from an editor, and options that just-git lacks.
import { createCommit, readCommit } from "just-git/repo";

import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { edited as editedFile, editorOf, withoutComments } from "../repository/editor.ts";
import { findChanges } from "../index/changes.ts";
import { hasHook, runHook } from "../repository/hooks.ts";
import { indexBytes } from "../index/index_file.ts";
import { localChanges } from "../index/mode_changes.ts";
import { has, parseOptions, splitAtDashes, takeFlag, tokensOf } from "../repository/options.ts";
import { clockOf, looseStamp } from "../objects/date_input.ts";
import { formatDate } from "../objects/dates.ts";
import { gitFile, headOf, needRepository, type Call, type Repository } from "../repository/repository.ts";
import { pathFilter } from "../repository/pathspec.ts";
import { commitOf } from "../objects/revisions.ts";
import { isOn, setting } from "../repository/settings.ts";
import { person, remembered } from "../repository/ident.ts";
import { patchMode } from "./patch_mode.ts";
import { status } from "./status.ts";

const VALUED = [
  "-m",
  "--message",
  "-F",
  "--file",
  "-C",
  "-c",
  "--author",
  "--date",
  "--cleanup",
  "--fixup",
  "--trailer",
];
// A byte of an argument that is no UTF-8.
const LONE_BYTE = /[\udc80-\udcff]/gu;
const PLACEHOLDER = "the message";
const LETTERS = "mFCc";
const NO_MESSAGE = "\nPlease supply the message using either -m or -F option.";

/** Nothing is signed without a user's key. */
function checkSigning(args: string[], { settings }: Call) {
  const option = args.find((word) => /^-S|^--gpg-sign\b/.test(word));
  const isWanted = isOn(settings, "commit.gpgSign") && !has(args, "--no-gpg-sign");
  if (option === undefined && !isWanted) return;
  const hint = option === undefined ? "use git commit --no-gpg-sign" : `leave out ${option}`;
  refuse("git signs no commits here", hint);
}

/** Commit the changes that the user chooses to stage, and the staged ones. */
async function commitChosen(words: string[], done: Answer, call: Call): Promise<Answer | null> {
  await call.context.complain(done.stderr);
  return done.exitCode ? { ...done, stderr: "" } : commit(splitAtDashes(words)[0], call);
}

export async function commit(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  if (has(args, "--interactive")) refuse("git commit has no --interactive here", "use git commit -p");
  const chosen = await patchMode("commit", args, call);
  if (chosen) return commitChosen(chosen.args, chosen.done, call);
  checkSigning(args, call);
  const changed = await withPeople(args, call);
  const signed = takeFlag(
    changed.args.filter((word) => word !== "--no-gpg-sign" && word !== "--no-signoff"),
    "s",
    "--signoff",
    LETTERS,
  );
  if (has(signed.args, "--dry-run", "--porcelain", "--short")) return dryRun(signed.args, call);
  const { args: given, trailers, fixup } = takeTrailers(signed.args);
  const options = parseOptions(given, VALUED);
  const message =
    fixup === null ? await messageOf(options, call, repository) : `fixup! ${await subjectOf(fixup, call)}`;
  let words = given.filter((word) => word !== "-e" && word !== "--edit");
  if (message !== null) words = [...words.filter((word) => word !== "--no-edit"), "-m", message];
  if (signed.found) words = [...words, "-m", signature(call)];
  if (trailers.length) words = [...words, "-m", trailers.join("\n")];
  const isText = words.every((word) => !LONE_BYTE.test(word));
  // As git does, other bytes are taken for characters of Latin-1.
  words = words.map((word) => word.replace(LONE_BYTE, (byte) => String.fromCharCode(byte.charCodeAt(0) - 0xdc00)));
  if (!isText) await call.context.complain("Warning: commit message did not conform to UTF-8.\n");
  const paths = [...options.operands, ...(options.paths ?? [])];
  const done = paths.length ? await runOn(paths, words, call) : await run(words, call);
  const redated = has(args, "--amend") || options.values.has("-C") || args.some((word) => /^--date\b/.test(word));
  const stdout = redated ? done.stdout : done.stdout.replace(/^(\[.*\n) Date: .*\n/, "$1");
  const author =
    has(signed.args, "--amend") && done.exitCode === 0
      ? await reauthored(changed, has(signed.args, "--reset-author"), call)
      : null;
  changed.restore();
  if (author !== null) return { ...done, stdout: author(done.stdout) };
  return { ...done, stdout: stdout.replace(/^ Author: .*\n/m, changed.author ? "$&" : "") };
}

/** Print what a commit would have. */
async function dryRun(args: string[], call: Call): Promise<Answer> {
  const others = args.filter(
    (word) =>
      !/^--(dry-run|short|porcelain|branch|null)$|^-[mazq]+$|^-[vs]$/.test(word) &&
      !/^(-m|-[a-z]*m)$/.test(args[args.indexOf(word) - 1] ?? ""),
  );
  if (others.length || takeFlag(args, "a", "--all", LETTERS).found || has(args, "-v"))
    refuse("git commit --dry-run has no other options here", "use git status, and git diff --cached");
  const staged = (await call.run(["diff", "--cached", "--name-only"])).stdout !== "";
  const shape = ["--short", "--porcelain"].filter((word) => has(args, word));
  const done = (await status(shape, call)) ?? (await call.run(["status", ...shape]));
  return { ...done, exitCode: staged ? 0 : 1 };
}

/** Take `--trailer` and `--fixup` from the arguments. */
function takeTrailers(args: string[]) {
  const trailers: string[] = [];
  const rest: string[] = [];
  let fixup: string | null = null;
  for (const { word, option, value } of tokensOf(args, ["--trailer", "--fixup"])) {
    if (option === undefined) rest.push(word);
    else if (option === "--fixup") fixup = value ?? null;
    else if (value !== undefined) trailers.push(value.replace(/^([\w-]+)[=:]\s*/, "$1: "));
  }
  if (fixup !== null && /^(amend|reword):/.test(fixup))
    throw new GitProblem(
      `error: git commit has no --fixup=${fixup} here\nhint: use git commit --amend, or git rebase -i`,
      129,
    );
  return { args: rest, trailers, fixup };
}

/** @param name - of a commit */
async function subjectOf(name: string, call: Call) {
  const { message } = await readCommit(needRepository(call), await commitOf(needRepository(call), name));
  return (message.split("\n\n")[0] ?? "").trim().replaceAll("\n", " ");
}

/**
 * Give an amended commit another author or date, of which just-git keeps the earlier ones.
 * @returns changes the output
 */
async function reauthored(
  { author, date }: { author: boolean; date: boolean },
  resets: boolean,
  call: Call,
): Promise<((printed: string) => string) | null> {
  if (!author && !date && !resets) return null;
  const repository = needRepository(call);
  const { branch, hash } = await headOf(repository);
  if (hash === null) return null;
  const commit = await readCommit(repository, hash);
  const now = person("AUTHOR", call);
  const { name, email } = author || resets ? now : commit.author;
  const { timestamp, timezone } = date || resets ? now : commit.author;
  const changed = await createCommit(repository, {
    tree: commit.tree,
    parents: commit.parents,
    message: commit.message,
    committer: commit.committer,
    author: { name, email, timestamp, timezone },
  });
  await repository.refStore.writeRef(branch === null ? "HEAD" : `refs/heads/${branch}`, changed);
  const shown = author ? ` Author: ${name} <${email}>\n` : "";
  const lines = `${shown} Date: ${formatDate(timestamp, timezone)}\n`;
  return (printed) =>
    printed
      .replace(hash.slice(0, 7), changed.slice(0, 7))
      .replace(/^ (Author|Date): .*\n/gm, "")
      .replace(/^(\[.*\n)/, (_, first) => first + lines);
}

/** Commit the named files only; what else is staged stays so. */
async function runOn(paths: string[], words: string[], call: Call) {
  const repository = needRepository(call);
  const { fs, gitDir } = repository;
  for (const path of paths) {
    const known =
      (await call.run(["ls-files", "--", path])).stdout +
      (await call.run(["diff", "--cached", "--name-only", "--", path])).stdout;
    if (known === "") return answer("", `error: pathspec '${path}' did not match any file(s) known to git\n`, 1);
  }
  const place = `${gitDir}/index`;
  const index = await indexBytes(repository);
  const staged = await newFiles(paths, call);
  const reset = await call.run(["reset"]);
  // There is no commit yet to take the index from.
  if (reset.exitCode && index !== null) await fs.rm(place);
  const changed = await call.run(["add", "-u", ...paths]);
  const added = changed.exitCode || staged.length === 0 ? changed : await call.run(["add", ...staged]);
  const options = words.filter(
    (word, at) => word !== "--" && !(paths.includes(word) && !VALUED.includes(words[at - 1] ?? "")),
  );
  const done = added.exitCode ? added : await run(options, call);
  if (index !== null) await fs.writeFile(place, index);
  if (done.exitCode === 0) await call.run(["add", "-u", ...paths]);
  return done;
}

/** The staged files among those that are named which no commit has. */
async function newFiles(paths: string[], call: Call): Promise<string[]> {
  const repository = needRepository(call);
  const found = await findChanges(repository, call, { untracked: "no", ignored: false, renames: false });
  const isNamed = pathFilter(paths, repository, call.context);
  return (found?.changes ?? [])
    .filter(({ path, staged, unstaged }) => staged === "A" && unstaged !== "D" && isNamed(path))
    .map(({ path }) => `${repository.workTree}/${path}`);
}

/** Run the hook that sees the staged changes, and commit. */
async function run(words: string[], call: Call): Promise<Answer> {
  if (takeFlag(words, "a", "--all", LETTERS).found) await stageModes(call);
  if (call.verifies === false) return record(words, call);
  if (!hasHook(["pre-commit"], call)) {
    // It says so if the hook can't be run.
    await runHook("pre-commit", call);
    return record(words, call);
  }
  const index = await indexBytes(needRepository(call));
  const all = takeFlag(words, "a", "--all", LETTERS);
  if (all.found) await call.run(["add", "-u", ":/"]);
  if (await runHook("pre-commit", call)) return record(all.args, call);
  if (index !== null) await call.context.files.writeFile(`${needRepository(call).gitDir}/index`, index);
  return answer("", "", 1);
}

/** Stage changes of permissions, which the `-a` of just-git leaves out. */
async function stageModes(call: Call) {
  const { workTree } = needRepository(call);
  const changes = (await localChanges(needRepository(call), call, { tree: null, cached: false })) ?? [];
  const paths = changes.filter(({ old, now }) => old !== null && now !== null).map(({ path }) => `${workTree}/${path}`);
  if (paths.length) await call.run(["add", ...paths]);
}

/** Lines with `#` stay in a message that is given, though just-git removes them. */
async function record(words: string[], call: Call) {
  const texts = words.flatMap((word, at) =>
    /^(-[A-Za-z]*m|--message)$/.test(words[at - 1] ?? "")
      ? [word]
      : (/^(?:--message=|-m(?=.))(.*)$/s.exec(word)?.slice(1) ?? []),
  );
  const message = `${texts.map((text) => text.trim()).join("\n\n")}\n`;
  if (!/^#/m.test(message)) return call.run(["commit", ...words]);
  const replaced = words.map((word, at) =>
    /^(-[A-Za-z]*m|--message)$/.test(words[at - 1] ?? "")
      ? PLACEHOLDER
      : word.replace(/^(--message=|-m)(.+)$/s, `$1${PLACEHOLDER}`),
  );
  const done = await call.run(["commit", ...replaced], { commitMsg: (event) => void (event.message = message) });
  return {
    ...done,
    stdout: done.stdout.replace(
      /(\] )the message.*/,
      (_, start) => start + (message.split("\n\n")[0] ?? "").trim().replaceAll("\n", " "),
    ),
  };
}

/** `--author` and `--date`, as the environment that has the same effect. */
async function withPeople(args: string[], call: Call) {
  const { env } = call.context;
  const restore = remembered(env);
  const rest: string[] = [];
  let author = false;
  let date = false;
  for (const { word, option, value = "" } of tokensOf(args, ["--author", "--date"])) {
    if (option === undefined) rest.push(word);
    else if (option === "--date") {
      const stamp = looseStamp(value, await clockOf(call.context)) ?? fail(`invalid date format: ${value}`);
      env.set("GIT_AUTHOR_DATE", stamp);
      date = true;
    } else {
      const [, person, email] = /^(.*?)\s*<(.*)>$/.exec(value) ?? [];
      if (person === undefined || email === undefined)
        throw new GitProblem(`fatal: --author '${value}' is not 'Name <email>' and matches no existing author`);
      env.set("GIT_AUTHOR_NAME", person).set("GIT_AUTHOR_EMAIL", email);
      author = true;
    }
  }
  return { args: rest, author, date, restore };
}

function signature({ context: { env }, settings }: Call) {
  const name = env.get("GIT_COMMITTER_NAME") ?? setting(settings, "user.name");
  return `Signed-off-by: ${name} <${env.get("GIT_COMMITTER_EMAIL") ?? setting(settings, "user.email")}>`;
}

/**
 * The message, if it is not among the arguments.
 * @returns null if just-git finds it itself
 */
async function messageOf(
  { flags, values }: ReturnType<typeof parseOptions>,
  call: Call,
  repository: Repository,
): Promise<string | null> {
  if (["-m", "--message", "-F", "--file"].some((name) => values.has(name))) return null;
  const reused = values.get("-C");
  if (reused !== undefined) return (await call.run(["log", "-1", "--format=%B", reused])).stdout.trimEnd();
  const prepared = (await gitFile(repository, "MERGE_MSG")) ?? (await gitFile(repository, "SQUASH_MSG"));
  const amended = flags.has("--amend") ? (await call.run(["log", "-1", "--format=%B"])).stdout : null;
  const text = amended ?? prepared ?? "";
  // Without an editor git keeps the comments.
  if (flags.has("--no-edit")) return text.trimEnd() || null;
  return edited(text, call, repository, flags.has("--allow-empty"));
}

async function edited(text: string, call: Call, repository: Repository, allowsEmpty: boolean) {
  const status = await call.run(["status"]);
  if (/^(nothing|no changes) (added )?to commit/m.test(status.stdout) && text === "" && !allowsEmpty) return null;
  const path = `${repository.gitDir}/COMMIT_EDITMSG`;
  const help =
    "Please enter the commit message for your changes. Lines starting\nwith '#' will be ignored, and an empty message aborts the commit.\n";
  const comments = `${help}\n${status.stdout}`
    .split("\n")
    .map((line) => `#${line && !line.startsWith("\t") ? " " : ""}${line}`);
  await call.context.fs.writeFile(path, `${text}\n${comments.join("\n")}\n`);
  const message = withoutComments((await editedFile(path, call, editorOf(call), NO_MESSAGE)).text);
  if (message === "") throw new GitProblem("Aborting commit due to empty commit message.", 1);
  return message;
}
