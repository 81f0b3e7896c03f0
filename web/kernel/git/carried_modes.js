// Permissions that differ between two commits, which just-git leaves as they are if the text is the same.
import { findMergeBases, readCommit } from "just-git/repo";

import { filesOf } from "./changes.js";
import { parseIndex } from "./index_file.js";
import { has } from "./options.js";
import { headOf, needRepository, revParse } from "./repository.js";
import { chmod } from "./reverts.js";

/** @typedef {import("./repository.js").Call} Call */
/** @typedef {import("./answers.js").Answer} Answer */

const MOVING = new Set(["checkout", "switch", "merge", "pull", "rebase"]);
const TYPES = 0o170000;

/**
 * Run a command, and give files the permissions of the commit that it moves HEAD to.
 * @param {string} name @param {string[]} args @param {Call} call @param {() => Promise<Answer>} run @returns {Promise<Answer>}
 */
export async function withPermissions(name, args, call, run) {
  const { repository } = call;
  const moves = MOVING.has(name) || (name === "reset" && has(args, "--hard", "--keep", "--merge"));
  if (!moves || !repository?.workTree) return run();
  const before = (await headOf(repository)).hash;
  const done = await run();
  const after = (await headOf(repository)).hash;
  if (before === null || after === null || before === after) return done;
  const [old, now] = await Promise.all([before, after].map(async (hash) => filesOf(repository, (await revParse(repository, `${hash}^{tree}`)) ?? "")));
  const { fs } = call.context;
  const index = `${repository.gitDir}/index`;
  const staged = new Map((parseIndex(await fs.readFileBuffer(index)) ?? []).map((entry) => [entry.path, entry]));
  const wanted = [];
  for (const [path, { mode, hash }] of now ?? []) {
    const earlier = old?.get(path);
    const entry = staged.get(path);
    const isSame = earlier?.hash === hash && entry?.hash === hash && entry.stage === 0 && entry.mode === earlier.mode;
    if (!isSame || earlier.mode === mode || (earlier.mode ^ mode) & TYPES || !fs.isFile(`${repository.workTree}/${path}`)) continue;
    wanted.push({ path, mode });
  }
  await chmod(wanted, call);
  if (name === "merge" || name === "pull") await mergeModes(before, after, call);
  return done;
}

/** Let a merge have the permissions that only the other side has changed. @param {string} before HEAD before the merge @param {string} after @param {Call} call */
async function mergeModes(before, after, call) {
  const repository = needRepository(call);
  const { parents, tree } = await readCommit(repository, after);
  const [ours, theirs] = parents;
  if (ours !== before || theirs === undefined || parents.length !== 2) return;
  const [base] = await findMergeBases(repository, ours, theirs);
  if (base === undefined) return;
  const files = async (/** @type {string} */ hash) => filesOf(repository, (await readCommit(repository, hash)).tree);
  const [old, mine, other, merged] = [await files(base), await files(ours), await files(theirs), await filesOf(repository, tree)];
  const wanted = [...other].flatMap(([path, { mode }]) => {
    const earlier = old.get(path)?.mode;
    const isTheirs = earlier !== undefined && earlier !== mode && mine.get(path)?.mode === earlier && merged.get(path)?.mode === earlier;
    return isTheirs && ((earlier ^ mode) & TYPES) === 0 ? [{ path, mode }] : [];
  });
  if (wanted.length && (await chmod(wanted, call)).length) await call.run(["commit", "--amend", "--no-edit"]);
}
