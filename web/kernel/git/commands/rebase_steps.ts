// The steps of an interactive rebase.
import { answer, GitProblem, type Answer } from "../repository/answers.ts";
import { edited, editorOf, withoutComments } from "../repository/editor.ts";
import { gitFile, headOf, needRepository, revParse, type Call, type Repository } from "../repository/repository.ts";
import { parseTodo, type Step } from "./todo.ts";

const FOLDER = "rebase-merge";
const DETACHED = "detached HEAD";
// What later output covers on a terminal.
const CLEARED = `\r${" ".repeat(80)}\r`;
const HINTS = `\
hint: Resolve all conflicts manually, mark them as resolved with
hint: "git add/rm <conflicted_files>", then run "git rebase --continue".
hint: You can instead skip this commit: run "git rebase --skip".
hint: To abort and get back to the state before "git rebase", run "git rebase --abort".
`;
const AMEND = `\
You can amend the commit now, with

  git commit --amend 

Once you are satisfied with your changes, run

  git rebase --continue
`;

/** what a rebase begins with; `stdout` is the editor's */
type Plan = { steps: Step[]; onto: string; head: string; branch: string | null; stdout: string };

export class Steps {
  /** A file that just-git's own rebases don't have. */
  static MARK = `${FOLDER}/squashed`;
  #stdout = "";
  #stderr = "";
  call: Call;
  repository: Repository;
  todo: Step[];
  done: Step[];

  constructor(call: Call, todo: Step[], done: Step[]) {
    this.call = call;
    this.repository = needRepository(call);
    this.todo = todo;
    this.done = done;
  }

  static async begin({ steps, onto, head, branch, stdout }: Plan, call: Call): Promise<Answer> {
    const rebase = new Steps(call, steps, []);
    rebase.#stdout = stdout;
    const moved = await call.run(["checkout", "--detach", await rebase.#skipped(onto)]);
    if (moved.exitCode) return moved;
    const name = branch === null ? DETACHED : `refs/heads/${branch}`;
    const files = {
      "head-name": name,
      "orig-head": head,
      onto,
      "reflog-action": "rebase",
      interactive: "",
      squashed: "[]",
    };
    await call.context.fs.mkdir(`${rebase.repository.gitDir}/${FOLDER}`, { recursive: true });
    for (const [file, text] of Object.entries(files)) await rebase.#write(`${FOLDER}/${file}`, text && `${text}\n`);
    await rebase.#write("ORIG_HEAD", `${head}\n`);
    return rebase.run();
  }

  /**
   * Skip the picks that change nothing.
   * @returns the commit after them
   */
  async #skipped(onto: string): Promise<string> {
    let base = onto;
    for (let step = this.todo[0]; step?.command === "pick"; step = this.todo[0]) {
      const hash = await revParse(this.repository, `${step.argument}^{commit}`);
      if (hash === null || (await revParse(this.repository, `${hash}^`)) !== base) break;
      base = hash;
      this.done.push(step);
      this.todo.shift();
    }
    return base;
  }

  /** @returns the rebase in progress */
  static async saved(call: Call): Promise<Steps> {
    const repository = needRepository(call);
    const read = async (name: string) => parseTodo((await gitFile(repository, `${FOLDER}/${name}`)) ?? "");
    return new Steps(call, await read("git-rebase-todo"), await read("done"));
  }

  /** Commit the user's resolutions and changes, and continue. */
  async resume(): Promise<Answer> {
    const stopped = this.done.at(-1);
    const staged = (await this.call.run(["diff", "--cached", "--name-only"])).stdout !== "";
    if ((await gitFile(this.repository, "CHERRY_PICK_HEAD")) !== null) {
      const done = await this.call.run(["cherry-pick", staged ? "--continue" : "--skip"]);
      if (done.exitCode) return done;
      this.#stdout += done.stdout.replace(/^ Date: .*\n/m, "");
      const problem = staged && stopped ? await this.#finished(stopped) : null;
      if (problem !== null) return this.#answer(problem);
    } else if (staged && stopped?.command === "edit") {
      this.#stdout += (await this.call.run(["commit", "--amend", "--no-edit"])).stdout;
    }
    return this.run();
  }

  /** Run the steps that are left. */
  async run(): Promise<Answer> {
    await this.#save();
    while (this.todo.length) {
      const step = this.todo.shift();
      if (!step) break;
      this.done.push(step);
      await this.#save();
      if (!/^(noop|drop)$/.test(step.command))
        this.#stderr += `Rebasing (${this.done.length}/${this.done.length + this.todo.length})\r`;
      const exitCode = await this.#step(step);
      if (exitCode !== null) return this.#answer(exitCode);
    }
    return this.#end();
  }

  /** @returns the exit code with which the rebase stops here */
  async #step(step: Step): Promise<number | null> {
    const { command, argument } = step;
    if (command === "drop" || command === "noop") return null;
    if (command === "exec") return this.#execute(argument);
    if (command === "break") {
      this.#stderr += `${CLEARED}Stopped at ${await this.#line("HEAD", "%h (%s)")}\n`;
      return 0;
    }
    return (await this.#pick(step)) ?? this.#finished(step);
  }

  async #execute(command: string) {
    this.#stderr += `${CLEARED}Executing: ${command}\n`;
    const { context } = this.call;
    const { stdout, stderr, exitCode } = await context.exec(command, this.repository.workTree ?? context.cwd);
    this.#stdout += stdout;
    this.#stderr += stderr;
    if (exitCode === 0) return null;
    this.#stderr += `warning: execution failed: ${command}\nYou can fix the problem, and then run\n\n  git rebase --continue\n\n\n`;
    return 1;
  }

  /** Apply a commit. */
  async #pick({ argument }: Step): Promise<number | null> {
    const hash = await revParse(this.repository, `${argument}^{commit}`);
    if (hash === null) throw new GitProblem(`error: could not parse '${argument}'`, 1);
    if ((await revParse(this.repository, `${hash}^`)) === (await headOf(this.repository)).hash) {
      await this.call.run(["reset", "--hard", hash]);
      return null;
    }
    const done = await this.call.run(["cherry-pick", hash]);
    if (done.exitCode === 0) return null;
    if (/is now empty/.test(done.stdout + done.stderr)) {
      await this.call.run(["cherry-pick", "--skip"]);
      this.#stderr += `dropping ${await this.#line(hash, "%H %s")} -- patch contents already upstream\n`;
      return null;
    }
    await this.#write(`${FOLDER}/stopped-sha`, `${hash}\n`);
    const line = await this.#line(hash);
    this.#stdout += done.stdout;
    this.#stderr += `error: could not apply ${line.replace("...  ", "... ")}\n${HINTS}Could not apply ${line.replace("...  ", "... ")}\n`;
    return 1;
  }

  /** Do the rest of a step whose commit is applied. */
  async #finished(step: Step): Promise<number | null> {
    if (step.command === "reword") await this.#amend(await this.#editedMessage(await this.#message("HEAD")));
    if (step.command === "squash" || step.command === "fixup") await this.#squash(step);
    if (step.command !== "edit") return null;
    this.#stderr += `${CLEARED}Stopped at ${await this.#line("HEAD")}\n${AMEND}`;
    return 0;
  }

  /** Join HEAD with the commit before it. */
  async #squash({ command, options }: Step) {
    let all: { text: string; used: boolean; edits: boolean }[] = JSON.parse(
      (await gitFile(this.repository, Steps.MARK)) ?? "[]",
    );
    const text = await this.#message("HEAD");
    if (all.length === 0) all = [{ text: await this.#message("HEAD~1"), used: true, edits: false }];
    if (options) all = all.map((each) => ({ ...each, used: false }));
    all.push({ text, used: command === "squash" || options !== "", edits: command === "squash" || options === "-c" });
    await this.call.run(["reset", "--soft", "HEAD~1"]);
    const goesOn = /^(squash|fixup)$/.test(this.todo[0]?.command ?? "");
    const used = all.filter((each) => each.used).map((each) => each.text);
    const edits = !goesOn && all.some((each) => each.edits);
    await this.#amend(edits ? await this.#editedMessage(combined(all)) : used.join("\n\n"), edits);
    await this.#write(Steps.MARK, goesOn ? JSON.stringify(all) : "[]");
  }

  async #amend(message: string, says = true) {
    const done = await this.call.run(["commit", "--amend", "-m", message]);
    if (done.exitCode) throw new GitProblem(done.stderr.trimEnd(), 1);
    if (says) this.#stdout += done.stdout;
  }

  async #editedMessage(text: string): Promise<string> {
    const path = `${this.repository.gitDir}/COMMIT_EDITMSG`;
    const help =
      "# Please enter the commit message for your changes. Lines starting\n# with '#' will be ignored, and an empty message aborts the commit.\n";
    await this.call.context.fs.writeFile(path, `${text}\n\n${help}`);
    const message = withoutComments((await edited(path, this.call, editorOf(this.call), "")).text);
    if (message === "") throw new GitProblem("Aborting commit due to empty commit message.", 1);
    return message;
  }

  async #end() {
    const name = ((await gitFile(this.repository, `${FOLDER}/head-name`)) ?? DETACHED).trim();
    await this.call.context.fs.rm(`${this.repository.gitDir}/${FOLDER}`, { recursive: true, force: true });
    if (name !== DETACHED) await this.call.run(["checkout", "-B", name.replace("refs/heads/", "")]);
    this.#stderr += `${CLEARED}Successfully rebased and updated ${name}.\n`;
    return this.#answer(0);
  }

  async #save() {
    const list = (steps: Step[]) => steps.map(({ line }) => `${line}\n`).join("");
    await this.#write(`${FOLDER}/git-rebase-todo`, list(this.todo));
    await this.#write(`${FOLDER}/done`, list(this.done));
    await this.#write(`${FOLDER}/msgnum`, `${this.done.length}\n`);
    await this.#write(`${FOLDER}/end`, `${this.done.length + this.todo.length}\n`);
  }

  #write(name: string, text: string) {
    return this.call.context.fs.writeFile(`${this.repository.gitDir}/${name}`, text);
  }

  async #message(name: string) {
    return (await this.call.run(["log", "-1", "--format=%B", name])).stdout.trim();
  }

  async #line(name: string, format = "%h...  %s") {
    return (await this.call.run(["log", "-1", `--format=${format}`, name])).stdout.trim();
  }

  #answer(exitCode: number) {
    return answer(this.#stdout, this.#stderr, exitCode);
  }
}

/** The message of several commits, for the editor. */
function combined(all: { text: string; used: boolean }[]) {
  const parts = all.map(({ text, used }, at) => {
    const title =
      at === 0
        ? "This is the 1st commit message:"
        : `${used ? "This is" : "The"} commit message #${at + 1}${used ? "" : " will be skipped"}:`;
    return `# ${title}\n\n${used ? text : text.replace(/^/gm, "# ")}`;
  });
  return `# This is a combination of ${all.length} commits.\n${parts.join("\n\n")}`;
}
