// `git update-index`, `write-tree` and `commit-tree`: the steps of a commit, for scripts.
import { updateTree, writeTree as writeEntries } from "just-git/repo";

import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { stagesOf, inWork } from "../differences/file_pairs.ts";
import { changeIndex } from "../index/index_edit.ts";
import { parseOptions } from "../repository/options.ts";
import { inTree, needRepository, revParse, type Call, inputLines, inputText } from "../repository/repository.ts";
import { findChanges } from "../index/changes.ts";
import { resolve } from "../objects/revisions.ts";
import { newCommit } from "../repository/ident.ts";

const WAYS: Record<string, string> = {
  "--assume-unchanged": "git stash keeps changes aside; git update-index can't hide them",
  "--no-assume-unchanged": "nothing is hidden",
  "--skip-worktree": "git stash keeps changes aside; git update-index can't hide them",
  "--no-skip-worktree": "nothing is hidden",
};

/** what the options so far say about the paths that follow; `literal` after `--` */
type State = { adds: boolean; removes: boolean; forced: boolean; mode: number | null; literal: boolean };

const QUIET = new Set(["-q", "--ignore-missing", "--replace", "--ignore-submodules", "--unmerged", "--verbose"]);

export async function updateIndex(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const stages = await stagesOf(call);
  const known = new Map<string, { mode: number; hash: string }>(stages[0]);
  const changes = new Map<string, { mode: number; hash: string } | null>();
  const set = (path: string, version: { mode: number; hash: string } | null) => {
    changes.set(path, version);
    if (version) known.set(path, version);
    else known.delete(path);
  };
  const state: State = { adds: false, removes: false, forced: false, mode: null, literal: false };
  const words = args.includes("--stdin") ? [...args, ...inputLines(call, args.includes("-z") ? "\0" : "\n")] : args;
  let refreshed = answer();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const info = /^--cacheinfo(?:=(.*))?$/.exec(word);
    const chmod = /^--chmod=([-+])x$/.exec(word)?.[1];
    if (word === "--") state.literal = true;
    else if (word === "--add") state.adds = true;
    else if (word === "--remove") state.removes = true;
    else if (word === "--force-remove") state.forced = true;
    else if (word === "--refresh" || word === "--really-refresh" || word === "--again")
      refreshed = word === "--again" ? refreshed : await refresh(args, call);
    else if (chmod) state.mode = chmod === "+" ? 0o100755 : 0o100644;
    else if (info) {
      const given = info[1] ?? words[++at] ?? "";
      const [mode = "", hash = "", ...path] = given.includes(",")
        ? given.split(",")
        : [given, words[++at] ?? "", words[++at] ?? ""];
      const name = path.join(",");
      if (!state.adds && !known.has(name)) fail(`git update-index: --cacheinfo cannot add ${name}`);
      set(name, { mode: parseInt(mode, 8), hash });
    } else if (word === "--stdin" || word === "-z" || QUIET.has(word)) continue;
    else if (word.startsWith("-") && !state.literal)
      refuse(`git update-index has no ${word} here`, WAYS[word] ?? "use git add, git rm --cached or git reset");
    else set(...(await updated(inTree(repository, call.context, word), word, state, known, call)));
  }
  if (changes.size) await changeIndex(call, changes);
  return refreshed;
}

/** Return the new entry of a path. */
async function updated(
  path: string,
  shown: string,
  { adds, removes, forced, mode }: State,
  known: Map<string, { mode: number; hash: string }>,
  call: Call,
): Promise<[string, { mode: number; hash: string } | null]> {
  const repository = needRepository(call);
  if (forced) return [path, null];
  const entry = known.get(path);
  const now = await inWork(call, path, entry?.mode);
  if (now === null) {
    if (removes) return [path, null];
    throw new GitProblem(
      `error: ${shown}: does not exist and --remove not passed\nfatal: Unable to process path ${shown}`,
    );
  }
  if (entry === undefined && !adds)
    throw new GitProblem(
      `error: ${shown}: cannot add to the index - missing --add option?\nfatal: Unable to process path ${shown}`,
    );
  await repository.objectStore.write("blob", await call.context.fs.readFileBuffer(`${repository.workTree}/${path}`));
  return [path, { mode: mode ?? now.mode, hash: now.hash }];
}

async function refresh(args: string[], call: Call) {
  const found = await findChanges(needRepository(call), call, { untracked: "no", ignored: false, renames: false });
  const changed = found?.changes.filter(({ unstaged }) => unstaged !== " ") ?? [];
  if (args.includes("-q") || changed.length === 0) return answer();
  return answer(changed.map(({ path }) => `${path}: needs update\n`).join(""), "", 1);
}

export async function writeTree(_: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const [files = new Map(), ...conflicts] = await stagesOf(call);
  const unmerged = conflicts.flatMap((one) =>
    [...one.keys()].map((path) => `${path}: unmerged (${one.get(path)?.hash})`),
  );
  if (unmerged.length) throw new GitProblem(`${unmerged.join("\n")}\nfatal: git-write-tree: error building trees`);
  const empty = await writeEntries(repository, []);
  const updates = [...files].map(([path, { mode, hash }]) => ({ path, hash, mode: mode.toString(8) }));
  return answer(`${updates.length ? await updateTree(repository, empty, updates) : empty}\n`);
}

export async function commitTree(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const { flags, operands } = parseOptions(args, ["-m", "-p", "-F"]);
  const given = (letter: string) =>
    args.flatMap((word, at) =>
      word === letter ? [args[at + 1] ?? ""] : word.startsWith(letter) && word.length > 2 ? [word.slice(2)] : [],
    );
  if (flags.size || operands.length !== 1)
    throw new GitProblem("usage: git commit-tree <tree> [(-p <parent>)...] [-m <message>...]", 129);
  const parents = [];
  for (const name of given("-p")) parents.push(await resolve(repository, `${name}^{commit}`));
  const texts = given("-m");
  for (const path of given("-F"))
    texts.push(
      path === "-"
        ? inputText(call)
        : await call.context.fs.readFile(call.context.fs.resolvePath(call.context.cwd, path)),
    );
  const message = texts.length
    ? texts.map((text) => (text.endsWith("\n") ? text : `${text}\n`)).join("\n")
    : inputText(call);
  const tree = (await revParse(repository, operands[0] ?? "")) ?? fail(`not a valid object name ${operands[0]}`);
  return answer(`${await newCommit(tree, parents, message, call)}\n`);
}
