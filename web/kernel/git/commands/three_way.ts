// `git apply --3way`: a patch that doesn't fit is merged with the file, by the version that the patch was made of (git-apply(1)).
import { mergeTreesFromTreeHashes, overlayRepo, readTree, updateTree, writeTree } from "just-git/repo";

import { answer, GitProblem, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { entriesOf, entryOf, writeEntries } from "../index/index_edit.ts";
import { checkOptions, parseOptions, without } from "../repository/options.ts";
import {
  apply as applyPlainly,
  afterPatch,
  changeOf,
  fileOf,
  modeIn,
  namesIn,
  partsOf,
  sourcesOf,
  stage,
  write,
  type Change,
} from "./patches.ts";
import { blobHash } from "../repository/blob_hash.ts";
import { needRepository, type Repository, type Call } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";
import { whitespaceWarnings } from "./patch_whitespace.ts";

/** `stages` has the versions of a conflict: base, ours, theirs */
type Result = { change: Change; stages: (Uint8Array | null)[] | null; said: string };

const KNOWN = new Set(["--3way", "-3", "-R", "--reverse", "--index", "-p", "-v", "--verbose", "--whitespace"]);
const FILE = "file";
const REGULAR = 0o100644;
const FALLBACK = "Falling back to direct application...\n";

async function merged(repository: Repository, base: Uint8Array, ours: Uint8Array, theirs: Uint8Array) {
  const copy = overlayRepo(repository);
  const empty = await writeTree(copy, []);
  const treeOf = async (content: Uint8Array) =>
    updateTree(copy, empty, [{ path: FILE, hash: await copy.objectStore.write("blob", content), mode: "100644" }]);
  const { treeHash, clean } = await mergeTreesFromTreeHashes(
    copy,
    await treeOf(base),
    await treeOf(ours),
    await treeOf(theirs),
    { ours: "ours", theirs: "theirs" },
  );
  const [entry] = await readTree(copy, treeHash);
  return { content: (await copy.objectStore.read(entry?.hash ?? "")).content, clean };
}

/** The version of a file that a patch was made of; null if the repository lacks it. */
async function baseOf(part: string, reverse: boolean, call: Call) {
  const { objectStore } = needRepository(call);
  const [, from = "", to = ""] = /^index ([0-9a-f]{4,40})\.\.([0-9a-f]{4,40})/m.exec(part) ?? [];
  const prefix = reverse ? to : from;
  const [hash, ...others] = prefix === "" ? [] : await objectStore.findByPrefix(prefix);
  return hash === undefined || others.length ? null : (await objectStore.read(hash)).content;
}

async function resultOf(part: string, options: { strip: number; reverse: boolean }, call: Call): Promise<Result> {
  const directly = async (said = FALLBACK) => {
    try {
      return { change: await changeOf(part, call, options), stages: null, said };
    } catch (error) {
      throw error instanceof GitProblem ? new GitProblem(said + error.message, error.exitCode) : error;
    }
  };
  const [from = null, to = null] = namesIn(part, options.strip, options.reverse);
  const path = to ?? from ?? "";
  const ours = await fileOf(from ?? path, call);
  if (to === null || (from === null && ours === null)) return directly();
  const base = from === null ? new Uint8Array() : await baseOf(part, options.reverse, call);
  if (base === null) return directly(`error: repository lacks the necessary blob to perform 3-way merge.\n${FALLBACK}`);
  if (ours === null) return directly();
  let theirs;
  try {
    theirs = await afterPatch(part, from ?? path, base, options.reverse);
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    return directly(`${error.message.split("\n")[0]}\n${FALLBACK}`);
  }
  const [one, mine, other] = await Promise.all([base, ours, theirs].map((content) => blobHash(content)));
  const done =
    mine === one
      ? { content: theirs, clean: true }
      : one === other || mine === other
        ? { content: ours, clean: true }
        : await merged(needRepository(call), base, ours, theirs);
  const change = {
    path,
    old: from !== null && from !== path ? from : null,
    content: done.content,
    mode: modeIn(part, options.reverse),
  };
  const stages = done.clean ? null : [from === null ? null : base, ours, theirs];
  return { change, stages, said: `Applied patch to '${path}' ${done.clean ? "cleanly" : "with conflicts"}.\n` };
}

/** Files that differ from the index can't be merged. */
async function checkIndex(paths: string[], call: Call) {
  const entries = new Map((await entriesOf(call)).map((entry) => [entry.path, entry]));
  const problems = [];
  for (const path of paths) {
    const content = await fileOf(path, call);
    if (!entries.has(path)) problems.push(`error: ${path}: does not exist in index`);
    else if (content === null || (await blobHash(content)) !== entries.get(path)?.hash)
      problems.push(`error: ${path}: does not match index`);
  }
  if (problems.length) throw new GitProblem(problems.join("\n"), 1);
}

/** Put the versions of conflicts into the index. */
async function recordConflicts(results: Result[], call: Call) {
  const { objectStore } = needRepository(call);
  const entries = await entriesOf(call);
  const added = [];
  for (const { change, stages } of results) {
    if (stages === null) continue;
    const mode = entries.find(({ path }) => path === change.path)?.mode ?? REGULAR;
    for (const [at, content] of stages.entries()) {
      if (content !== null)
        added.push({
          ...entryOf(change.path, { mode, hash: await objectStore.write("blob", content) }),
          stage: at + 1,
        });
    }
  }
  const paths = new Set(added.map(({ path }) => path));
  await writeEntries(call, [...entries.filter(({ path }) => !paths.has(path)), ...added]);
}

export async function apply(args: string[], call: Call): Promise<Answer | null> {
  if (!parseOptions(args, ["-p"]).flags.has("--3way") && !parseOptions(args, ["-p"]).flags.has("-3"))
    return applyPlainly(args, call);
  const { flags, values, operands } = parseOptions(without(args, "--3way", "-3"), ["-p", "--whitespace"]);
  checkOptions("apply --3way", [...flags, ...values.keys()], KNOWN);
  if (/^z?diff3$/.test(setting(call.settings, "merge.conflictStyle") ?? ""))
    refuse("git apply --3way has no merge.conflictStyle here", "use git -c merge.conflictStyle=merge apply --3way");
  needRepository(call);
  const options = { strip: Number(values.get("-p") ?? 1), reverse: flags.has("-R") || flags.has("--reverse") };
  const sources = await sourcesOf(operands, call);
  const parts = partsOf(sources.map(({ text }) => text).join(""));
  if (parts.length === 0) throw new GitProblem('error: No valid patches in input (allow with "--allow-empty")', 128);
  await checkIndex(
    parts.flatMap((part) => namesIn(part, options.strip, options.reverse)[0] ?? []),
    call,
  );
  const warned = whitespaceWarnings(options.reverse ? [] : sources, values.get("--whitespace"), call.settings);
  const results = [];
  // As in git, the last change is undone first.
  for (const part of options.reverse ? parts.toReversed() : parts) results.push(await resultOf(part, options, call));
  for (const { change } of results) await write(change, call);
  await stage(
    results.filter(({ stages }) => stages === null).map(({ change }) => change),
    call,
  );
  const conflicts = results.filter(({ stages }) => stages !== null);
  if (conflicts.length) await recordConflicts(conflicts, call);
  return answer(
    "",
    warned.ofLines +
      results.map(({ said }) => said).join("") +
      warned.ofAll +
      conflicts.map(({ change }) => `U ${change.path}\n`).join(""),
    conflicts.length ? 1 : 0,
  );
}
