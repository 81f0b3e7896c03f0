// Changes of permissions and types, and empty files, which just-git leaves out.
import { filesOf, nodesBelow } from "./changes.ts";
import { readIndex } from "./index_file.ts";
import { needRepository, type Call, type Repository } from "../repository/repository.ts";

/** the hash is null for a file of the work tree */
type Version = { mode: number; hash: string | null };

type Change = { path: string; old: Version | null; now: Version | null };
type Versions = Map<string, Version>;

const EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
const PERMISSIONS = 0o777;
const [LINK, FILE, PROGRAM] = [0o120000, 0o100644, 0o100755];

const isSpecial = ({ old, now }: Change) => (old && now ? old.mode !== now.mode : (old ?? now)?.hash === EMPTY);

/**
 * What differs between a tree or the index, and the index or the work tree.
 * @param sides - without a tree, the old one is the index
 * @returns null during a conflict
 */
export async function localChanges(
  repository: Repository,
  call: Call,
  { tree, cached }: { tree: string | null; cached: boolean },
): Promise<Change[] | null> {
  const entries = await readIndex(repository);
  if (entries === null || entries.some(({ stage }) => stage > 0)) return null;
  const index: Versions = new Map(entries.map((entry) => [entry.path, entry]));
  const before = tree === null ? index : await filesOf(repository, tree);
  const after = cached ? index : inFiles(new Set([...before.keys(), ...index.keys()]), repository, call);
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.map((path) => ({ path, old: before.get(path) ?? null, now: after.get(path) ?? null })).filter(isSpecial);
}

function inFiles(paths: Set<string>, repository: Repository, { context: { fs } }: Call): Versions {
  const nodeOf = nodesBelow(fs, repository.workTree ?? "");
  const found: Versions = new Map();
  for (const path of paths) {
    const node = nodeOf(path);
    if (node === null || fs.FS.isDir(node.mode)) continue;
    const mode = fs.FS.isLink(node.mode) ? LINK : node.mode & 0o100 && fs.hasModes ? PROGRAM : FILE;
    found.set(path, { mode, hash: null });
  }
  return found;
}

/** Give files permissions, and stage them. */
export async function chmod(wanted: { path: string; mode: number }[], call: Call) {
  const { workTree } = needRepository(call);
  const { fs } = call.context;
  const found = wanted
    .filter(({ path }) => fs.isFile(`${workTree}/${path}`))
    .map(({ path, mode }) => ({ place: `${workTree}/${path}`, mode }));
  for (const { place, mode } of found) await fs.chmod(place, mode & PERMISSIONS);
  if (found.length) await call.run(["add", ...found.map(({ place }) => place)]);
  return found.map(({ place }) => place);
}
