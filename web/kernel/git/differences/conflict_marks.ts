// Conflicts in the styles `diff3` and `zdiff3` (merge.conflictStyle in git-config(1)): just-git doesn't name the base.
import { findMergeBases, readCommit } from "just-git/repo";

import { decode, encode } from "../../bytes.ts";
import { readIndex } from "../index/index_file.ts";
import { linesOf } from "./line_diff.ts";
import { gitFile, headOf, needRepository, type Call } from "../repository/repository.ts";
import { setting, type Setting } from "../repository/settings.ts";

const MERGING = new Set(["merge", "pull", "cherry-pick", "revert", "rebase", "stash", "checkout", "switch"]);
const BLOCK = /^<{7} .*\n[^]*?^\|{7}\n[^]*?^={7}\n[^]*?^>{7} .*\n?/gm;

export const isZealous = (settings: Setting[]) => setting(settings, "merge.conflictStyle") === "zdiff3";

/** The name of the base of a conflict. */
async function baseName(call: Call): Promise<string> {
  const repository = needRepository(call);
  const theirs = (await gitFile(repository, "MERGE_HEAD"))?.trim();
  if (theirs) {
    const bases = await findMergeBases(repository, (await headOf(repository)).hash ?? "", theirs);
    return bases.length === 1 ? (bases[0] ?? "").slice(0, 7) : bases.length ? "merged common ancestors" : "empty tree";
  }
  const [picked, reverted] = [await gitFile(repository, "CHERRY_PICK_HEAD"), await gitFile(repository, "REVERT_HEAD")];
  const hash = (picked ?? reverted ?? (await gitFile(repository, "REBASE_HEAD")) ?? "").trim();
  if (hash === "") return "Stash base";
  const [subject = ""] = (await readCommit(repository, hash)).message.split("\n", 1);
  const named = `${hash.slice(0, 7)} (${subject})`;
  return reverted === null || picked !== null ? `parent of ${named}` : named;
}

/** Move the lines that both sides of a conflict begin and end with out of it. */
function narrowed(block: string) {
  const [, head = "", ours = "", base = "", theirs = "", end = ""] =
    /^(<{7} .*\n)([^]*?)(^\|{7}.*\n[^]*?)^={7}\n([^]*?)(^>{7} .*\n?)$/m.exec(block) ?? [];
  const [one, other] = [linesOf(ours), linesOf(theirs)];
  let [start, tail] = [0, 0];
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  while (tail < one.length - start && tail < other.length - start && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const inner = (lines: string[]) => lines.slice(start, lines.length - tail).join("");
  return `${one.slice(0, start).join("")}${head}${inner(one)}${base}=======\n${inner(other)}${end}${one.slice(one.length - tail).join("")}`;
}

/** Run a command that merges, and name the bases in the conflicts that it leaves. */
export async function withBases<T>(name: string, call: Call, run: () => Promise<T>): Promise<T> {
  const style = setting(call.settings, "merge.conflictStyle");
  if (!MERGING.has(name) || !/^z?diff3$/.test(style ?? "") || !call.repository?.workTree) return run();
  const done = await run();
  const { workTree } = call.repository;
  const { files } = call.context;
  const entries = (await readIndex(call.repository)) ?? [];
  const paths = [...new Set(entries.filter(({ stage }) => stage > 0).map(({ path }) => `${workTree}/${path}`))].filter(
    (path) => files.isFile(path),
  );
  const label = paths.length ? await baseName(call) : "";
  for (const path of paths) {
    const text = decode(await files.readFileBuffer(path));
    const named = text.replace(BLOCK, (block) =>
      (isZealous(call.settings) ? narrowed(block) : block).replace(/^\|{7}$/m, `||||||| ${label}`),
    );
    if (named !== text) await files.writeFile(path, encode(named));
  }
  return done;
}
