// `git stash push -p`: the user chooses hunks of the changes between HEAD and the work tree. Staged changes stay.
import { revParse, updateTree } from "just-git/repo";

import { answer, fail, GitProblem } from "../repository/answers.ts";
import { decode, encode } from "../../bytes.ts";
import { chooseHunks, parseDiff, withHunks, type FileDiff } from "../differences/hunks.ts";
import { readIndex } from "../index/index_file.ts";
import { findChanges } from "../index/changes.ts";
import { textAt } from "../objects/objects.ts";
import { indexTree, record, titleOf } from "./stash_paths.ts";
import { headOf, needRepository, type Call } from "../repository/repository.ts";
import { newCommit } from "../repository/ident.ts";

export async function stashHunks(
  { message, quiet, keeps, paths }: { message: string | undefined; quiet: boolean; keeps: boolean; paths: string[] },
  call: Call,
) {
  const repository = needRepository(call);
  const { context } = call;
  const { hash: head, branch } = await headOf(repository);
  if (head === null) fail("You do not have the initial commit yet", 1);
  const shown = await call.run(["diff", "HEAD", ...(paths.length ? ["--", ...paths] : [])]);
  if (shown.exitCode) return shown;
  if (shown.stdout === "") return answer(quiet ? "" : "No local changes to save\n");
  const files = parseDiff(shown.stdout);
  for (const file of files) await check(file, call);
  await chooseHunks(files, { verb: "Stash", print: context.print, complain: context.complain, ask: context.ask });
  const chosen = files.filter(({ hunks }) => hunks.some((hunk) => hunk.chosen));
  if (chosen.length === 0) throw new GitProblem("No changes selected", 1);
  const names = await titleOf(message, head, branch, call);
  const found = await findChanges(repository, call, { untracked: "no", ignored: false, renames: false });
  const entries = await readIndex(repository);
  if (found === null || entries === null) fail("the index can't be read");
  const index = await indexTree(repository, entries, found.changes);
  const base = (await revParse(repository, "HEAD^{tree}")) ?? "";
  const parents = [head, await newCommit(index, [head], `index on ${names.where}\n`, call)];
  const updates = await Promise.all(chosen.map((file) => updateOf(file, call)));
  await record(
    await newCommit(await updateTree(repository, base, updates), parents, names.title, call),
    names.title,
    call,
  );
  for (const file of chosen) await undo(file, call);
  if (!keeps) await call.run(["reset", "-q", ...(paths.length ? ["--", ...paths] : [])]);
  return answer(quiet ? "" : `Saved working directory and index state ${names.title}\n`);
}

/** Make sure that nothing is lost: together, the hunks are all that has changed. */
async function check({ path, hunks, deleted }: FileDiff, call: Call) {
  const place = `${needRepository(call).workTree}/${path}`;
  const now = deleted ? "" : decode(await call.context.fs.readFileBuffer(place));
  if (withHunks(await oldText(path, call), hunks) !== now)
    throw new GitProblem(`error: ${path} can't be split into hunks; stash it as a whole: git stash push ${path}`, 1);
}

/** A file's text in HEAD. */
const oldText = (path: string, call: Call) => textAt(needRepository(call), `HEAD:${path}`);

async function updateOf(file: FileDiff, call: Call): Promise<{ path: string; hash: string | null; mode?: string }> {
  const { path, hunks, header, deleted } = file;
  const whole = deleted && hunks.every(({ chosen }) => chosen);
  if (whole) return { path, hash: null };
  const text = withHunks(
    await oldText(path, call),
    hunks.filter(({ chosen }) => chosen),
  );
  const hash = await needRepository(call).objectStore.write("blob", encode(text));
  const mode = /^(?:new file mode|index \S+) (\d+)$/m.exec(header)?.[1];
  return mode === undefined ? { path, hash } : { path, hash, mode };
}

/** Undo the chosen hunks in the work tree. */
async function undo({ path, hunks, added }: FileDiff, call: Call) {
  const { fs } = call.context;
  const place = `${needRepository(call).workTree}/${path}`;
  const left = hunks.filter(({ chosen }) => !chosen);
  if (added && left.length === 0) await fs.rm(place, { force: true });
  else {
    await fs.mkdir(place.slice(0, place.lastIndexOf("/")), { recursive: true });
    await fs.writeFile(place, encode(withHunks(await oldText(path, call), left)));
  }
}
