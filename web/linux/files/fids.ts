// The files that a machine has open, as paths: a saved machine, or a copy of one, opens them again by these.

/**
 * @typedef {import("./server.js").Fid} Fid
 *
 * @typedef {object} SavedFid as JSON
 * @property {number} number
 * @property {string} path below the shared folder; "" is that folder
 * @property {boolean} gone it is in no folder any more
 * @property {number | null} flags of the open file
 * @property {boolean} appends
 * @property {string[]} [names]
 */

const ACCESS = 3;
const NO_FOLLOW = 0o400000;

/** Return whether a node is a folder or in it. Python may have moved it elsewhere, or deleted it. @param {any} folder @param {any} node */
export function isWithin(folder, node) {
  let at = node;
  while (at !== folder && at.parent !== at) at = at.parent;
  return at === folder;
}

/** @param {any} FS @param {string} root @param {Map<number, Fid>} fids @returns {SavedFid[]} */
export function saveFids(FS, root, fids) {
  const folder = FS.lookupPath(root, { follow: true }).node;
  return [...fids].map(([number, { node, stream, appends = false, names }]) => {
    const gone = !isWithin(folder, node) || isGone(FS, node);
    const path = gone ? "" : FS.getPath(node).slice(root.length);
    return { number, path, gone, flags: stream ? stream.flags & ACCESS : null, appends, names };
  });
}

/** @param {any} FS @param {any} node */
function isGone(FS, node) {
  return FS.analyzePath(FS.getPath(node), true).object !== node;
}

/**
 * Open the files again. One that isn't in the folder any more has no content, as if it had been deleted.
 * @param {any} FS @param {string} root @param {SavedFid[]} saved @returns {Map<number, Fid>}
 */
export function restoreFids(FS, root, saved) {
  return new Map(saved.map((fid) => [fid.number, restored(FS, root, fid)]));
}

/** @param {any} FS @param {string} root @param {SavedFid} fid @returns {Fid} */
function restored(FS, root, { path, gone, flags, appends, names }) {
  const folder = FS.lookupPath(root, { follow: true }).node;
  const found = gone ? null : FS.analyzePath(root + path, path !== "").object;
  if (!found || !isWithin(folder, found)) return { node: deleted(FS), appends, names };
  const stream = flags === null ? undefined : FS.open(root + path, flags | NO_FOLLOW);
  return { node: found, stream, appends, names };
}

/** A file that is in no folder. @param {any} FS */
function deleted(FS) {
  const node = FS.filesystems.MEMFS.createNode(null, "deleted", 0o100644, 0);
  FS.destroyNode(node);
  return node;
}
