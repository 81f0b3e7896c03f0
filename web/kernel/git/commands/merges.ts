// `git merge`: the strategies and options that just-git lacks.
import { isAncestor, readCommit } from "just-git/repo";

import { answer, fail, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { parseOptions, without } from "../repository/options.ts";
import { gitFile, headOf, needRepository, revParse, type Call } from "../repository/repository.ts";
import { newCommit } from "../repository/ident.ts";

const VALUED = [
  "-m",
  "--message",
  "-s",
  "--strategy",
  "-X",
  "--strategy-option",
  "-F",
  "--file",
  "--cleanup",
  "--into-name",
];
const IGNORED = [
  "--no-edit",
  "--stat",
  "--no-verify",
  "--no-verify-signatures",
  "--no-log",
  "--no-signoff",
  "--commit",
  "--no-rerere-autoupdate",
  "--no-gpg-sign",
  "--progress",
  "--no-progress",
];

/** Take `-X` and `-s`, and remember the side that a merge shall take. */
export function takeStrategy(args: string[], call: Call): { args: string[]; strategy: string } {
  const rest: string[] = [];
  let strategy = "";
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") return { args: [...rest, ...args.slice(at)], strategy };
    const [, long, joined] = /^(--strategy-option|--strategy)(?:=(.*))?$/.exec(word) ?? [];
    const [, short, value] = /^-([Xs])(.*)$/.exec(word) ?? [];
    const name = long === "--strategy-option" || short === "X" ? "X" : long || short ? "s" : "";
    if (name === "") {
      rest.push(word);
      continue;
    }
    const given = joined ?? (value || args[++at] || "");
    if (name === "s") strategy = given;
    else if (given === "ours" || given === "theirs") call.context.favor = given;
    else if (!/^(find-renames|patience|histogram|diff-algorithm=|no-renormalize)/.test(given)) {
      refuse(`-X ${given} isn't available here`, "ours and theirs are there");
    }
  }
  return { args: rest, strategy };
}

export async function merge(args: string[], call: Call): Promise<Answer> {
  const { args: words, strategy } = takeStrategy(args, call);
  const silent = words.includes("--no-stat") || words.includes("-n");
  const rest = without(words, ...IGNORED, "--no-stat", "-n");
  const heads = parseOptions(rest, VALUED).operands;
  const wanted = heads.length < 2 ? rest : await unmerged(rest, heads, call);
  if (strategy === "ours") return withOurTree(wanted, call);
  if (!/^(|ort|recursive|resolve)$/.test(strategy))
    refuse(`git merge has no strategy ${strategy} here`, "ort and ours are there");
  if (wanted.includes("--no-commit")) return uncommitted(without(wanted, "--no-commit"), call);
  // The commit of a merge has its message from the editor, and no statistics.
  if (wanted.includes("--continue") && (await gitFile(needRepository(call), "MERGE_HEAD")) !== null)
    return call.elsewhere(["commit"], call.context.cwd);
  const done = await call.run(["merge", ...(await titled(wanted, call))]);
  return silent && done.exitCode === 0
    ? { ...done, stdout: done.stdout.replace(/(^(?:Fast-forward|Merge made by .*)\n)(?: .*\n)+/m, "$1") }
    : done;
}

/** The arguments without branches that are merged already. */
async function unmerged(args: string[], heads: string[], call: Call) {
  const repository = needRepository(call);
  const head = await revParse(repository, "HEAD");
  const merged: string[] = [];
  for (const name of heads) {
    const hash = await revParse(repository, `${name}^{commit}`);
    if (head !== null && hash !== null && (hash === head || (await isAncestor(repository, hash, head))))
      merged.push(name);
  }
  return args.filter((word) => !merged.includes(word));
}

/** Add the message of a merge of a remote's branch, which just-git takes for one of ours. */
async function titled(args: string[], call: Call) {
  const { flags, values, operands } = parseOptions(args, VALUED);
  const [name = ""] = operands;
  const hasMessage = ["-m", "--message", "-F", "--file"].some((option) => values.has(option)) || flags.has("--squash");
  const { refStore } = needRepository(call);
  if (
    operands.length !== 1 ||
    hasMessage ||
    (await refStore.readRef(`refs/heads/${name}`)) !== null ||
    (await refStore.readRef(`refs/remotes/${name}`)) === null
  )
    return args;
  return [...args, "-m", await titleOf(name, call)];
}

async function titleOf(name: string, call: Call) {
  const repository = needRepository(call);
  const { branch } = await headOf(repository);
  const isBranch = (await repository.refStore.readRef(`refs/heads/${name}`)) !== null;
  const what = isBranch
    ? "branch"
    : (await repository.refStore.readRef(`refs/tags/${name}`)) !== null
      ? "tag"
      : (await repository.refStore.readRef(`refs/remotes/${name}`)) !== null
        ? "remote-tracking branch"
        : "commit";
  return `Merge ${what} '${name}'${branch === "main" || branch === "master" ? "" : ` into ${branch ?? "HEAD"}`}`;
}

/** `-s ours`: a commit with both parents and our files. */
async function withOurTree(args: string[], call: Call): Promise<Answer> {
  const repository = needRepository(call);
  const { values, operands } = parseOptions(args, VALUED);
  const [name = ""] = operands;
  const { hash: head } = await headOf(repository);
  const other = await revParse(repository, `${name}^{commit}`);
  if (head === null || operands.length !== 1) fail("git merge -s ours takes one branch here");
  if (other === null) return answer("", `merge: ${name} - not something we can merge\n`, 1);
  if (await isAncestor(repository, other, head)) return answer("Already up to date.\n");
  const message = values.get("-m") ?? values.get("--message") ?? (await titleOf(name, call));
  const { tree } = await readCommit(repository, head);
  const hash = await newCommit(tree, [head, other], `${message}\n`, call);
  const moved = await call.run(["reset", "--soft", hash]);
  return moved.exitCode ? moved : answer("Merge made by the 'ours' strategy.\n");
}

/** `--no-commit`: merge as `--squash` does, and leave the commit with both parents to the user. */
async function uncommitted(args: string[], call: Call): Promise<Answer> {
  const repository = needRepository(call);
  const { values, operands } = parseOptions(args, VALUED);
  const [name = ""] = operands;
  const head = (await headOf(repository)).hash;
  const other = await revParse(repository, `${name}^{commit}`);
  const isForward =
    head !== null && other !== null && (await isAncestor(repository, head, other)) && !args.includes("--no-ff");
  if (
    operands.length !== 1 ||
    head === null ||
    other === null ||
    isForward ||
    (await isAncestor(repository, other, head))
  )
    return call.run(["merge", ...args]);
  const done = await call.run([
    "merge",
    "--squash",
    ...without(args, "--no-ff", "--ff").filter(
      (word, at, all) => !/^(-m|--message)/.test(word) && !/^(-m|--message)$/.test(all[at - 1] ?? ""),
    ),
  ]);
  if ((await gitFile(repository, "SQUASH_MSG")) === null && done.exitCode) return done;
  const message = values.get("-m") ?? values.get("--message") ?? (await titleOf(name, call));
  const { fs, gitDir } = repository;
  const conflicts = /^# Conflicts:[^]*/m.exec((await gitFile(repository, "SQUASH_MSG")) ?? "")?.[0] ?? "";
  // `git merge --abort` goes back there.
  await fs.writeFile(`${gitDir}/ORIG_HEAD`, `${head}\n`);
  await fs.writeFile(`${gitDir}/MERGE_HEAD`, `${other}\n`);
  await fs.writeFile(`${gitDir}/MERGE_MODE`, args.includes("--no-ff") ? "no-ff" : "");
  await fs.writeFile(`${gitDir}/MERGE_MSG`, `${message}\n${conflicts && `\n${conflicts}`}`);
  await fs.rm(`${gitDir}/SQUASH_MSG`, { force: true });
  const shown = (done.stdout.match(/^(Auto-merging|CONFLICT|Automatic merge failed).*\n/gm) ?? []).join("");
  const end = done.exitCode ? "" : "Automatic merge went well; stopped before committing as requested\n";
  return { ...done, stdout: shown, stderr: done.stderr.replace(end, "") + end };
}
