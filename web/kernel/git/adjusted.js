// Commands of just-git whose arguments or output are adjusted to git 2.39.
import { isAncestor, readCommit } from "just-git/repo";

import { answer } from "./answers.js";
import { add } from "./add.js";
import { listEnds } from "./check_attr.js";
import { checkout } from "./checkout.js";
import { diff } from "./diff.js";
import { log, show, withTimes } from "./log.js";
import { has, parseOptions, without } from "./options.js";
import { addFolders } from "./new_repository.js";
import { headOf, needRepository, revParse } from "./repository.js";
import { plainBranch } from "./refs.js";
import { interactiveRebase } from "./rebase.js";
import { remote } from "./remotes.js";
import { setting } from "./settings.js";
import { stash } from "./stash.js";

/**
 * @typedef {import("./answers.js").Answer} Answer
 * @typedef {import("./repository.js").Call} Call
 * @typedef {(args: string[], call: Call) => Promise<Answer>} Adjustment
 */

const DEFAULT_BRANCH = "master";
const HINT = `\
hint: Using '${DEFAULT_BRANCH}' as the name for the initial branch. This default branch name
hint: is subject to change. To configure the initial branch name to use in all
hint: of your new repositories, which will suppress this warning, call:
hint: 
hint: \tgit config --global init.defaultBranch <name>
hint: 
hint: Names commonly chosen instead of 'master' are 'main', 'trunk' and
hint: 'development'. The just-created branch can be renamed via this command:
hint: 
hint: \tgit branch -m <name>
`;

/** @type {Adjustment} */
async function init(args, call) {
  const given = args.some((word) => /^-b|^--initial-branch/.test(word));
  const name = given ? "" : setting(call.settings, "init.defaultBranch");
  const done = await call.run(["init", ...(given ? [] : ["-b", name ?? DEFAULT_BRANCH]), ...args]);
  const place = /^Initialized empty Git repository in (.*?)\/?$/m.exec(done.stdout)?.[1];
  if (place !== undefined) await addFolders(place, call.context.files);
  return name === undefined && done.stdout.startsWith("Initialized") ? { ...done, stderr: HINT + done.stderr } : done;
}

/** Branches that are merged already don't count. @type {Adjustment} */
async function merge(args, call) {
  const heads = args.filter((word, at) => !word.startsWith("-") && !/^(-m|--message|-s|-X|-F)$/.test(args[at - 1] ?? ""));
  const rest = args.filter((word) => word !== "--no-edit" && word !== "--stat" && word !== "--no-verify");
  if (heads.length < 2) return call.run(["merge", ...rest]);
  const repository = needRepository(call);
  const head = await revParse(repository, "HEAD");
  /** @type {string[]} */
  const merged = [];
  for (const name of heads) {
    const hash = await revParse(repository, `${name}^{commit}`);
    if (head !== null && hash !== null && (hash === head || (await isAncestor(repository, hash, head)))) merged.push(name);
  }
  return call.run(["merge", ...rest.filter((word) => !merged.includes(word))]);
}

/**
 * Check out the branch that `rebase <upstream> <branch>` names.
 * @param {string[]} args @param {Call} call @returns {Promise<{ args: string[], done: Answer | null }>} an answer ends the command
 */
async function toBranch(args, call) {
  const { operands } = parseOptions(args, ["--onto", "-s", "--strategy", "-X"]);
  const [upstream = "", branch] = operands;
  if (branch === undefined) return { args, done: null };
  const repository = needRepository(call);
  const base = await revParse(repository, `${upstream}^{commit}`);
  if (base === null) return { args, done: answer("", `fatal: invalid upstream '${upstream}'\n`, 128) };
  if ((await revParse(repository, `${branch}^{commit}`)) === null) return { args, done: answer("", `fatal: no such branch/commit '${branch}'\n`, 128) };
  const moved = (await headOf(repository)).branch === branch ? answer() : await call.run(["checkout", branch]);
  const rest = args.filter((word, at) => at !== args.lastIndexOf(branch)).map((word) => (word === upstream ? base : word));
  return { args: rest, done: moved.exitCode ? moved : null };
}

/** Progress is overwritten by what follows. @type {Adjustment} */
async function rebase(args, call) {
  const interactive = await interactiveRebase(args, call);
  if (interactive !== null) return interactive;
  const moved = await toBranch(args, call);
  if (moved.done) return moved.done;
  const done = await call.run(["rebase", ...moved.args]);
  const stderr = done.stderr
    .replace(/(Rebasing \(\d+\/\d+\)\r)(?=Successfully)/, `$1\r${" ".repeat(80)}\r`)
    .replace(/^(Could not apply \w+\.\.\.) # /m, "$1 ");
  return { ...done, stderr };
}

/** Commits are picked one after another. @type {Adjustment} */
async function cherryPick(args, call) {
  const given = without(args, "--no-edit", "--allow-empty");
  const names = given.filter((word, at) => !word.startsWith("-") && !/^(-m|--mainline)$/.test(given[at - 1] ?? ""));
  if (names.length < 2) return call.run(["cherry-pick", ...given]);
  const options = given.filter((word) => !names.includes(word));
  const all = answer();
  for (const name of names) {
    const done = await call.run(["cherry-pick", ...options, name]);
    Object.assign(all, { stdout: all.stdout + done.stdout, stderr: all.stderr + done.stderr, exitCode: done.exitCode });
    if (done.exitCode) break;
  }
  return all;
}

/** The revert of a revert has the title that it has in git 2.39. @type {Adjustment} */
async function revert(args, call) {
  const done = await call.run(["revert", ...args]);
  if (done.exitCode || !/\] Reapply "/.test(done.stdout)) return done;
  const { message } = await readCommit(needRepository(call), (await headOf(needRepository(call))).hash ?? "");
  const renamed = message.replace(/^Reapply "(.*)"$/m, 'Revert "Revert "$1""');
  const { stdout } = await call.run(["commit", "--amend", "-m", renamed]);
  return { ...done, stdout: stdout.replace(/^ (Author|Date): .*\n/gm, "") };
}

/** ORIG_HEAD is where HEAD was. @type {Adjustment} */
async function reset(args, call) {
  const { gitDir, fs } = needRepository(call);
  const before = await headOf(needRepository(call));
  const done = await call.run(["reset", ...args]);
  if (done.exitCode === 0 && before.hash !== null) await fs.writeFile(`${gitDir}/ORIG_HEAD`, `${before.hash}\n`);
  return done;
}

/** @type {Adjustment} */
async function lsFiles(args, call) {
  if (has(args, "--eol")) return listEnds(without(args, "--eol"), call);
  const rest = without(args, "--error-unmatch");
  if (has(args, "--error-unmatch")) {
    for (const path of rest.filter((word) => !word.startsWith("-"))) {
      if ((await call.run(["ls-files", path])).stdout === "")
        return answer("", `error: pathspec '${path}' did not match any file(s) known to git\nDid you forget to 'git add'?\n`, 1);
    }
  }
  return call.run(["ls-files", ...rest]);
}

/** `-L start,+count` is a range of that many lines. @type {Adjustment} */
const blame = (args, call) =>
  call.run(["blame", ...args.map((word) => word.replace(/^(-L)?(\d+),\+(\d+)$/, (_, option = "", start, count) => `${option}${start},${Number(start) + Number(count) - 1}`))]);

/** @type {Record<string, Adjustment>} */
export const ADJUSTED = {
  add,
  blame,
  branch: plainBranch,
  checkout,
  "cherry-pick": cherryPick,
  clone: remote("clone"),
  diff,
  fetch: remote("fetch"),
  init,
  log,
  "ls-files": lsFiles,
  merge,
  pull: remote("pull"),
  push: remote("push"),
  rebase,
  reset,
  revert,
  rm: (args, call) => call.run(["rm", ...args.filter((word) => word !== "--")]),
  shortlog: async (args, call) => call.run(["shortlog", ...(await withTimes(args, call.context))]),
  show,
  stash,
};

export { answer };
