// When a file was last changed, for which Linux has two times: of its content (mtime) and of anything about it (ctime).
// Emscripten leaves both as they are where a file is cut, and ctime where times are set or a name changes.

import type { FileSystem, NodeOps } from "./emscripten.ts";

// The kernel and the shell's engine are two bundles, and each may be the first.
const APPLIED = Symbol.for("control-surface.change-times");

/**
 * Have MEMFS renew a file's times as Linux does.
 * @param FS - Emscripten's FS
 */
export function renewChangeTimes(FS: FileSystem) {
  const table = FS.filesystems.MEMFS.ops_table;
  if (APPLIED in table) return;
  Object.assign(table, { [APPLIED]: true });
  for (const { node } of [table.dir, table.file, table.link]) node.setattr = setting(node.setattr);
  table.dir.node.rename = renaming(table.dir.node.rename);
}

function setting(set: NodeOps["setattr"]): NodeOps["setattr"] {
  return (node, attributes) => {
    const now = Date.now();
    const cut = attributes.size === undefined ? {} : { mtime: now };
    set(node, { ctime: now, ...cut, ...attributes });
  };
}

function renaming(rename: NodeOps["rename"]): NodeOps["rename"] {
  return (node, folder, name) => {
    rename(node, folder, name);
    node.ctime = Date.now();
  };
}
