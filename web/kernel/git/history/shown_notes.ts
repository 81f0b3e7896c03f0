// The notes of objects, in a tree whose files are named after the objects (git-notes(1)), and how `git log` shows them.
import { flattenTree, readCommit } from "just-git/repo";

import { needRepository, storedText, type Call } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";

/** by the object */
type Notes = Map<string, { blob: string; path: string }>;

const DEFAULT = "refs/notes/commits";

/**
 * The ref that notes are in.
 * @param given - by `--ref`
 */
export function notesRef({ settings, context: { env } }: Call, given?: string) {
  const name = given ?? env.get("GIT_NOTES_REF") ?? setting(settings, "core.notesRef") ?? DEFAULT;
  return name.startsWith("refs/notes/") ? name : name.startsWith("notes/") ? `refs/${name}` : `refs/notes/${name}`;
}

/** The notes of a ref, and the commit and the tree that have them. */
export async function readNotes(
  call: Call,
  ref: string,
): Promise<{ tip: string | null; tree: string | null; notes: Notes }> {
  const repository = needRepository(call);
  const found = await repository.refStore.readRef(ref);
  const tip = found?.type === "direct" ? found.hash : null;
  const tree = tip === null ? null : (await readCommit(repository, tip)).tree;
  const files = tree === null ? [] : await flattenTree(repository, tree);
  return { tip, tree, notes: new Map(files.map(({ path, hash }) => [path.replaceAll("/", ""), { blob: hash, path }])) };
}

/** The text of the notes that `git log` shows, by commit. */
export async function shownNotes(call: Call): Promise<Map<string, string>> {
  const { notes } = await readNotes(call, notesRef(call));
  const texts = new Map();
  for (const [object, { blob }] of notes)
    texts.set(object, (await storedText(needRepository(call), blob)).replace(/\n$/, ""));
  return texts;
}

/** The part of a commit that `git log` has for its note. */
export function notesPart(note: string | undefined, ref: string) {
  if (note === undefined) return "";
  const title = ref === DEFAULT ? "Notes:" : `Notes (${ref.replace("refs/notes/", "")}):`;
  return `\n${title}\n${note.replace(/^/gm, "    ")}\n`;
}
