// How the contents of a file are merged where git's usual way isn't wanted: `-X ours` and `-X theirs` (git-merge(1)), and the
// attribute `merge` (gitattributes(5)).
import type { MergeDriver } from "just-git";
import { mergeTreesFromTreeHashes, overlayRepo, readTree, updateTree, writeTree } from "just-git/repo";

import { decode, encode } from "../../bytes.ts";
import type { Context } from "../repository/answers.ts";
import { shellWord } from "../repository/hooks.ts";
import { storedText, type Repository } from "../repository/repository.ts";
import { setting, type Setting } from "../repository/settings.ts";

type Favor = "ours" | "theirs" | "union";
type Contents = { path: string; base: string | null; ours: string; theirs: string };
type Merged = { content: string; conflict: boolean };

const FILE = "file";
// Labels that no text has.
const [OURS, THEIRS] = ["\x01ours\x01", "\x01theirs\x01"];
const BLOCK = new RegExp(`^<{7} ${OURS}\n([^]*?)^={7}\n([^]*?)^>{7} ${THEIRS}\n?`, "gm");

/** Merge a text, and settle each conflict. */
async function settled(repository: Repository, { base, ours, theirs }: Contents, favor: Favor): Promise<Merged> {
  const copy = overlayRepo(repository);
  const empty = await writeTree(copy, []);
  const treeOf = async (text: string) =>
    updateTree(copy, empty, [{ path: FILE, hash: await copy.objectStore.write("blob", encode(text)), mode: "100644" }]);
  const [one, mine, other] = [base === null ? empty : await treeOf(base), await treeOf(ours), await treeOf(theirs)];
  const { treeHash } = await mergeTreesFromTreeHashes(copy, one, mine, other, { ours: OURS, theirs: THEIRS });
  const [entry] = await readTree(copy, treeHash);
  const text = await storedText(copy, entry?.hash ?? "");
  const content = text.replace(BLOCK, (_, left, right) =>
    favor === "ours" ? left : favor === "theirs" ? right : left + right,
  );
  return { content, conflict: false };
}

/** Run the command of `merge.NAME.driver`. */
async function driven(
  command: string,
  { path, base, ours, theirs }: Contents,
  { files, exec }: Context,
  root: string,
): Promise<Merged> {
  const names = ["O", "A", "B"].map((letter) => [
    letter,
    `.merge_file_${letter}${Math.random().toString(36).slice(2, 8)}`,
  ]);
  const texts = [base ?? "", ours, theirs];
  for (const [at, [, name]] of names.entries()) await files.writeFile(`${root}/${name}`, encode(texts[at] ?? ""));
  const named = new Map([
    ...names.map(([letter = "", name = ""]): [string, string] => [letter, name]),
    ["L", "7"],
    ["P", shellWord(path)],
    ["%", "%"],
  ]);
  const done = await exec(
    command.replace(/%([OABLP%])/g, (_, letter) => named.get(letter) ?? ""),
    root,
  );
  const content = decode(await files.readFileBuffer(`${root}/${names[1]?.[1]}`));
  for (const [, name] of names) await files.rm(`${root}/${name}`, { force: true });
  return { content, conflict: done.exitCode !== 0 };
}

export function mergeDriver(
  repository: Repository | null,
  context: Context,
  settings: Setting[],
): MergeDriver | undefined {
  if (repository === null || repository.workTree === null) return undefined;
  const root = repository.workTree;
  return async (contents) => {
    const value = context.fs.lineEnds?.attributes.of(contents.path).get("merge");
    if (value === false || value === "binary")
      return context.favor
        ? { content: contents[context.favor], conflict: false }
        : { content: contents.ours, conflict: true };
    if (value === "union") return settled(repository, contents, "union");
    const command =
      typeof value === "string" && value !== "text" ? setting(settings, `merge.${value}.driver`) : undefined;
    if (command !== undefined) return driven(command, contents, context, root);
    return context.favor ? settled(repository, contents, context.favor) : null;
  };
}
