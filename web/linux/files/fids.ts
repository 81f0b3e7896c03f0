// The files that a machine has open, as paths: a saved machine, or a copy of one, opens them again by these.

import type { FileSystem, FSNode } from "../../kernel/emscripten.ts";
import type { Fid } from "./server.ts";

/** as JSON */
interface SavedFid {
  number: number;
  /** below the shared folder; "" is that folder */
  path: string;
  /** it is in no folder any more */
  gone: boolean;
  /** of the open file */
  flags: number | null;
  appends: boolean;
  names?: string[];
}

const ACCESS = 3;
const NO_FOLLOW = 0o400000;

/** Return whether a node is a folder or in it. Python may have moved it elsewhere, or deleted it. */
export function isWithin(folder: FSNode, node: FSNode) {
  let at = node;
  while (at !== folder && at.parent !== at) at = at.parent;
  return at === folder;
}

export function saveFids(FS: FileSystem, root: string, fids: Map<number, Fid>): SavedFid[] {
  const folder = FS.lookupPath(root, { follow: true }).node;
  return [...fids].map(([number, { node, stream, appends = false, names }]) => {
    const gone = !isWithin(folder, node) || isGone(FS, node);
    const path = gone ? "" : FS.getPath(node).slice(root.length);
    return { number, path, gone, flags: stream ? stream.flags & ACCESS : null, appends, names };
  });
}

function isGone(FS: FileSystem, node: FSNode) {
  return FS.analyzePath(FS.getPath(node), true).object !== node;
}

/** Open the files again. One that isn't in the folder any more has no content, as if it had been deleted. */
export function restoreFids(FS: FileSystem, root: string, saved: SavedFid[]): Map<number, Fid> {
  return new Map(saved.map((fid) => [fid.number, restored(FS, root, fid)]));
}

function restored(FS: FileSystem, root: string, { path, gone, flags, appends, names }: SavedFid): Fid {
  const folder = FS.lookupPath(root, { follow: true }).node;
  const found = gone ? null : FS.analyzePath(root + path, path !== "").object;
  if (!found || !isWithin(folder, found)) return { node: deleted(FS), appends, names };
  const stream = flags === null ? undefined : FS.open(root + path, flags | NO_FOLLOW);
  return { node: found, stream, appends, names };
}

/** A file that is in no folder. */
function deleted(FS: FileSystem) {
  const node = FS.filesystems.MEMFS.createNode(null, "deleted", 0o100644, 0);
  FS.destroyNode(node);
  return node;
}
