// `git commit`: messages from an editor, and options that just-git lacks.
import { answer, GitProblem } from "./answers.js";
import { edited as editedFile, editorOf, withoutComments } from "./editor.js";
import { hasHook, runHook } from "./hooks.js";
import { localChanges } from "./mode_changes.js";
import { has, parseOptions, takeFlag } from "./options.js";
import { gitFile, needRepository } from "./repository.js";
import { setting } from "./settings.js";

/**
 * @typedef {import("./repository.js").Call} Call
 * @typedef {import("./answers.js").Answer} Answer
 */

const VALUED = ["-m", "--message", "-F", "--file", "-C", "-c", "--author", "--date", "--cleanup"];
const PLACEHOLDER = "the message";
const LETTERS = "mFCc";
const NO_MESSAGE = "\nPlease supply the message using either -m or -F option.";

/** @type {import("./repository.js").Command} */
export async function commit(args, call) {
  const repository = needRepository(call);
  const changed = await withPeople(args, call);
  const signed = takeFlag(
    changed.args.filter((word) => word !== "--no-gpg-sign" && word !== "--no-signoff"),
    "s",
    "--signoff",
    LETTERS,
  );
  if (has(signed.args, "--dry-run")) return { ...(await call.run(["status"])), exitCode: 0 };
  const options = parseOptions(signed.args, VALUED);
  const message = await messageOf(options, call, repository);
  let words = signed.args.filter((word) => word !== "-e" && word !== "--edit");
  if (message !== null) words = [...words.filter((word) => word !== "--no-edit"), "-m", message];
  if (signed.found) words = [...words, "-m", signature(call)];
  const paths = [...options.operands, ...(options.paths ?? [])];
  const done = paths.length ? await runOn(paths, words, call) : await run(words, call);
  const redated = has(args, "--amend") || options.values.has("-C") || args.some((word) => /^--date\b/.test(word));
  const stdout = redated ? done.stdout : done.stdout.replace(/^(\[.*\n) Date: .*\n/, "$1");
  changed.restore();
  return { ...done, stdout: stdout.replace(/^ Author: .*\n/m, changed.author ? "$&" : "") };
}

/** Commit the named files only; what else is staged stays so. @param {string[]} paths @param {string[]} words @param {Call} call */
async function runOn(paths, words, call) {
  const { fs, gitDir } = needRepository(call);
  const place = `${gitDir}/index`;
  const index = (await fs.exists(place)) ? await fs.readFileBuffer(place) : null;
  const reset = await call.run(["reset"]);
  // There is no commit yet to take the index from.
  if (reset.exitCode && index !== null) await fs.rm(place);
  const added = await call.run(["add", "-u", ...paths]);
  const options = words.filter((word, at) => word !== "--" && !(paths.includes(word) && !VALUED.includes(words[at - 1] ?? "")));
  const done = added.exitCode ? added : await run(options, call);
  if (index !== null) await fs.writeFile(place, index);
  if (done.exitCode === 0) await call.run(["add", "-u", ...paths]);
  return done;
}

/** Run the hook that sees what is staged, and commit. @param {string[]} words @param {Call} call @returns {Promise<Answer>} */
async function run(words, call) {
  if (takeFlag(words, "a", "--all", LETTERS).found) await stageModes(call);
  if (call.verifies === false) return record(words, call);
  if (!hasHook(["pre-commit"], call)) {
    // It says so if the hook can't be run.
    await runHook("pre-commit", call);
    return record(words, call);
  }
  const { gitDir } = needRepository(call);
  const { files } = call.context;
  const place = `${gitDir}/index`;
  const index = (await files.exists(place)) ? await files.readFileBuffer(place) : null;
  const all = takeFlag(words, "a", "--all", LETTERS);
  if (all.found) await call.run(["add", "-u", ":/"]);
  if (await runHook("pre-commit", call)) return record(all.args, call);
  if (index !== null) await files.writeFile(place, index);
  return answer("", "", 1);
}

/** Stage changes of permissions, which the `-a` of just-git leaves out. @param {Call} call */
async function stageModes(call) {
  const { workTree } = needRepository(call);
  const changes = (await localChanges(needRepository(call), call, { tree: null, cached: false })) ?? [];
  const paths = changes.filter(({ old, now }) => old !== null && now !== null).map(({ path }) => `${workTree}/${path}`);
  if (paths.length) await call.run(["add", ...paths]);
}

/** Lines with `#` stay in a message that is given, though just-git removes them. @param {string[]} words @param {Call} call */
async function record(words, call) {
  const texts = words.flatMap((word, at) =>
    /^(-[A-Za-z]*m|--message)$/.test(words[at - 1] ?? "") ? [word] : (/^(?:--message=|-m(?=.))(.*)$/s.exec(word)?.slice(1) ?? []),
  );
  const message = `${texts.map((text) => text.trim()).join("\n\n")}\n`;
  if (!/^#/m.test(message)) return call.run(["commit", ...words]);
  const replaced = words.map((word, at) =>
    /^(-[A-Za-z]*m|--message)$/.test(words[at - 1] ?? "") ? PLACEHOLDER : word.replace(/^(--message=|-m)(.+)$/s, `$1${PLACEHOLDER}`),
  );
  const done = await call.run(["commit", ...replaced], { commitMsg: (event) => void (event.message = message) });
  return {
    ...done,
    stdout: done.stdout.replace(/(\] )the message.*/, (_, start) => start + (message.split("\n\n")[0] ?? "").trim().replaceAll("\n", " ")),
  };
}

/** `--author` and `--date`, as the environment that has the same effect. @param {string[]} args @param {Call} call */
async function withPeople(args, call) {
  const { env } = call.context;
  const before = new Map(env);
  /** @type {string[]} */
  const rest = [];
  let author = false;
  for (let at = 0; at < args.length; at++) {
    const [name = "", ...value] = (args[at] ?? "").split("=");
    if (name !== "--author" && name !== "--date") rest.push(args[at] ?? "");
    else {
      const text = value.length ? value.join("=") : (args[++at] ?? "");
      if (name === "--date") env.set("GIT_AUTHOR_DATE", text);
      else {
        const [, person, email] = /^(.*?)\s*<(.*)>$/.exec(text) ?? [];
        if (person === undefined || email === undefined)
          throw new GitProblem(`fatal: --author '${text}' is not 'Name <email>' and matches no existing author`);
        env.set("GIT_AUTHOR_NAME", person).set("GIT_AUTHOR_EMAIL", email);
        author = true;
      }
    }
  }
  const restore = () => {
    env.clear();
    for (const [name, value] of before) env.set(name, value);
  };
  return { args: rest, author, restore };
}

/** @param {Call} call */
function signature({ context: { env }, settings }) {
  const name = env.get("GIT_COMMITTER_NAME") ?? setting(settings, "user.name");
  return `Signed-off-by: ${name} <${env.get("GIT_COMMITTER_EMAIL") ?? setting(settings, "user.email")}>`;
}

/**
 * The message, if it is not among the arguments.
 * @param {ReturnType<typeof parseOptions>} options @param {Call} call @param {import("./repository.js").Repository} repository
 * @returns {Promise<string | null>} null if just-git finds it itself
 */
async function messageOf({ flags, values }, call, repository) {
  if (["-m", "--message", "-F", "--file"].some((name) => values.has(name))) return null;
  const reused = values.get("-C");
  if (reused !== undefined) return (await call.run(["log", "-1", "--format=%B", reused])).stdout.trimEnd();
  const prepared = (await gitFile(repository, "MERGE_MSG")) ?? (await gitFile(repository, "SQUASH_MSG"));
  const amended = flags.has("--amend") ? (await call.run(["log", "-1", "--format=%B"])).stdout : null;
  const text = amended ?? prepared ?? "";
  // Without an editor git keeps the comments.
  if (flags.has("--no-edit")) return text.trimEnd() || null;
  return edited(text, call, repository);
}

/** @param {string} text @param {Call} call @param {import("./repository.js").Repository} repository */
async function edited(text, call, repository) {
  const status = await call.run(["status"]);
  if (/^(nothing|no changes) (added )?to commit/m.test(status.stdout) && text === "") return null;
  const path = `${repository.gitDir}/COMMIT_EDITMSG`;
  const help =
    "Please enter the commit message for your changes. Lines starting\nwith '#' will be ignored, and an empty message aborts the commit.\n";
  const comments = `${help}\n${status.stdout}`.split("\n").map((line) => `#${line && !line.startsWith("\t") ? " " : ""}${line}`);
  await call.context.fs.writeFile(path, `${text}\n${comments.join("\n")}\n`);
  const message = withoutComments((await editedFile(path, call, editorOf(call), NO_MESSAGE)).text);
  if (message === "") throw new GitProblem("Aborting commit due to empty commit message.", 1);
  return message;
}

export { answer };
