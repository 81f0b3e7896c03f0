// Hooks: programs in `.git/hooks` or `core.hooksPath` that git runs at its events (githooks(5)). The page's shell runs them.
import type { GitHooks, PrePushEvent } from "just-git";
import type { Answer } from "./answers.ts";
import { realPath } from "./linked_trees.ts";
import { has, takeFlag, without } from "./options.ts";
import type { Call } from "./repository.ts";
import { setting } from "./settings.ts";

/** The commands that run hooks. */
export const HOOKED = new Set(["commit", "merge", "pull", "push", "rebase", "checkout", "switch"]);

/**
 * Take `--no-verify` from the arguments.
 * @param name - of the command
 */
export function takeVerify(name: string, args: string[]) {
  if (!HOOKED.has(name)) return { verifies: true, args };
  const { found, args: rest } =
    name === "commit"
      ? takeFlag(args, "n", "--no-verify", "mFCc")
      : { found: has(args, "--no-verify"), args: without(args, "--no-verify") };
  return { verifies: !found, args: without(rest, "--verify") };
}

/** A word in quotes for the shell. */
export const shellWord = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** @returns the path of a hook that can be run */
function pathOf(name: string, { context, settings, repository }: Call): string | null {
  if (repository === null) return null;
  const { files, env } = context;
  const given = setting(settings, "core.hooksPath")?.replace(/^~(?=\/|$)/, env.get("HOME") ?? "/home/user");
  const folder =
    given === undefined
      ? `${repository.gitDir}/hooks`
      : files.resolvePath(repository.workTree ?? repository.gitDir, given);
  const path = realPath(`${folder}/${name}`, context);
  if (!files.isFile(path)) return null;
  if (files.FS.stat(path).mode & 0o111) return path;
  if (setting(settings, "advice.ignoredHook") !== "false") {
    const shown = path.startsWith(`${repository.workTree}/`)
      ? path.slice((repository.workTree ?? "").length + 1)
      : path;
    void context.complain(
      `hint: The '${shown}' hook was ignored because it's not set as executable.\n` +
        "hint: You can disable this warning with `git config advice.ignoredHook false`.\n",
    );
  }
  return null;
}

/** The repository's folder, as hooks see it from their working directory. */
const shownFolder = ({ context, repository }: Call) =>
  repository?.workTree && !context.link ? ".git" : realPath(repository?.gitDir ?? "", context);

/**
 * Run a hook, if there is one.
 * @param input - its standard input
 * @returns false if the hook forbids what git is about to do
 */
export async function runHook(name: string, call: Call, args: string[] = [], input = ""): Promise<boolean> {
  const path = pathOf(name, call);
  if (path === null) return true;
  const { context, repository } = call;
  const words = [path, ...args].map(shellWord).join(" ");
  const variables = `GIT_DIR=${shellWord(shownFolder(call))} GIT_EDITOR=:`;
  const source = input === "" ? "< /dev/null" : `<<'GIT_HOOK_INPUT'\n${input}GIT_HOOK_INPUT`;
  const done = await context.exec(`${variables} ${words} ${source}`, repository?.workTree ?? context.cwd);
  // A hook's output is git's standard error; only pre-push has its own.
  if (name === "pre-push") await context.print(done.stdout);
  else await context.complain(done.stdout);
  await context.complain(done.stderr);
  return done.exitCode === 0;
}

/** Return whether there is a hook of some names. */
export function hasHook(names: string[], call: Call) {
  const quiet = { ...call, context: { ...call.context, complain: () => {} } };
  return names.some((name) => pathOf(name, quiet) !== null);
}

const NULL = "0".repeat(40);
const MESSAGE = "COMMIT_EDITMSG";

/** The end of a command whose hook forbade it. */
const REFUSED: Record<string, Partial<Answer>> = {
  "commit-msg": { stdout: "", stderr: "", exitCode: 1 },
  "prepare-commit-msg": { stdout: "", stderr: "", exitCode: 1 },
  "pre-merge-commit": {
    stdout: "",
    stderr: "Not committing merge; use 'git commit' to complete the merge.\n",
    exitCode: 1,
  },
  "pre-rebase": { stdout: "", stderr: "fatal: The pre-rebase hook refused to rebase.\n", exitCode: 128 },
};

/** The hooks that just-git tells of its events, during one command. */
export class Hooks {
  /** The hook that has forbidden the command, and its answer. */
  refused: Partial<Answer> | null = null;
  call: Call;
  verifies: boolean;

  /** @param verifies - `--no-verify` leaves out the hooks that can forbid */
  constructor(call: Call, verifies: boolean) {
    this.call = call;
    this.verifies = verifies;
  }

  async #ask(name: string, args: string[], input = "", answer: Partial<Answer> = REFUSED[name]) {
    if (await runHook(name, this.call, args, input)) return undefined;
    this.refused = answer ?? {};
    return { reject: true as const, message: "" };
  }

  /**
   * Let hooks change a message.
   * @param source - of the message
   */
  async #message(event: { message: string }, names: string[], source: string) {
    const used = names.filter((name) => hasHook([name], this.call));
    const { files } = this.call.context;
    const place = `${this.call.repository?.gitDir}/${MESSAGE}`;
    if (used.length) await files.writeFile(place, event.message);
    for (const name of used) {
      const shown = `${shownFolder(this.call)}/${MESSAGE}`;
      const rejection = await this.#ask(name, name === "commit-msg" ? [shown] : [shown, source]);
      if (rejection) return rejection;
    }
    if (used.length) event.message = `${(await files.readFile(place)).trimEnd()}\n`;
    return undefined;
  }

  events(): GitHooks {
    const { call } = this;
    const checked = (names: string[]) => names.filter((name) => this.verifies || name.startsWith("prepare"));
    return {
      commitMsg: (event) => this.#message(event, checked(["prepare-commit-msg", "commit-msg"]), "message"),
      mergeMsg: (event) => this.#message(event, checked(["prepare-commit-msg", "commit-msg"]), "merge"),
      preMergeCommit: () => (this.verifies ? this.#ask("pre-merge-commit", []) : undefined),
      preRebase: ({ upstream }) => (this.verifies ? this.#ask("pre-rebase", [upstream]) : undefined),
      prePush: (event) => (this.verifies ? this.#push(event) : undefined),
      postCommit: async () => void (await runHook("post-commit", call)),
      postMerge: async () => void (await runHook("post-merge", call, ["0"])),
      postCheckout: async ({ prevHead, newHead }) =>
        void (await runHook("post-checkout", call, [prevHead ?? NULL, newHead, "1"])),
    };
  }

  #push({ remote, url, refs }: PrePushEvent) {
    const lines = refs.map(
      ({ srcRef, srcHash, dstRef, dstHash }) =>
        `${srcRef ?? "(delete)"} ${srcHash ?? NULL} ${dstRef} ${dstHash ?? NULL}\n`,
    );
    return this.#ask("pre-push", [remote, url], lines.join(""), {
      stdout: "",
      stderr: `error: failed to push some refs to '${url}'\n`,
      exitCode: 1,
    });
  }
}
