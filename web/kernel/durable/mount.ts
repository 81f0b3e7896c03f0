/** Restores the journal's files into MEMFS. */

/** @import {FileSystem, Node} from "./memfs.js" */
/** @import {Tracker} from "./tracker.js" */
/** @import {Leaf, Tree} from "./tree.js" */

import { isDirectory, isFile } from "./records.js";
import { childOf, childrenOf, trackOf } from "./track.js";

/**
 * Restore the journal's files. They replace others at the same path; all other files are marked as unsaved.
 * Roots that are only in the journal are restored, too.
 * @param {FileSystem} FS
 * @param {Tree} tree
 * @param {Tracker} tracker
 * @param {string[]} roots absolute paths; missing ones are created
 * @returns {{files: number, bytes: number}} the restored files, directories and links, without the roots
 */
export function mount(FS, tree, tracker, roots) {
  const restorer = new Restorer(FS, tracker, tree.byParent());
  tracker.reserveIds(tree.lastId);
  const known = new Set(restorer.roots());
  for (const path of roots) {
    if (!known.has(path)) tracker.discover(directory(FS, path), path);
  }
  for (const path of new Set([...known, ...roots])) discoverUntracked(directory(FS, path), tracker);
  return { files: restorer.files, bytes: restorer.bytes };
}

class Restorer {
  #FS;
  #tracker;
  #children;
  files = 0;
  bytes = 0;

  /**
   * @param {FileSystem} FS
   * @param {Tracker} tracker
   * @param {Map<number, Leaf[]>} children
   */
  constructor(FS, tracker, children) {
    this.#FS = FS;
    this.#tracker = tracker;
    this.#children = children;
  }

  /** @returns {string[]} */
  roots() {
    const leaves = this.#children.get(0) ?? [];
    for (const leaf of leaves) {
      const node = directory(this.#FS, leaf.name);
      this.#tracker.adopt(node, leaf.id, leaf.name);
      this.#fill(node, leaf);
    }
    return leaves.map(({ name }) => name);
  }

  /**
   * Restore the children, then the times, which restoring the children changes.
   * @param {Node} node
   * @param {Leaf} leaf
   */
  #fill(node, leaf) {
    for (const child of this.#children.get(leaf.id) ?? []) this.#restore(node, child);
    node.mode = leaf.mode;
    node.mtime = leaf.mtime;
    node.atime = leaf.atime;
    node.ctime = leaf.ctime;
  }

  /**
   * @param {Node} parent
   * @param {Leaf} leaf
   */
  #restore(parent, leaf) {
    const node = this.#place(parent, leaf);
    if (isFile(leaf.mode)) {
      node.contents = leaf.contents;
      node.usedBytes = leaf.size;
    } else if (!isDirectory(leaf.mode)) {
      node.link = leaf.target;
    }
    this.#tracker.adopt(node, leaf.id);
    this.#fill(node, leaf);
    this.files += 1;
    this.bytes += leaf.size;
  }

  /**
   * @param {Node} parent
   * @param {Leaf} leaf
   * @returns {Node} an existing directory, or a new node
   */
  #place(parent, leaf) {
    const existing = childOf(parent, leaf.name);
    if (existing && isDirectory(existing.mode) && isDirectory(leaf.mode)) return existing;
    if (existing) this.#destroy(existing);
    return this.#FS.filesystems.MEMFS.createNode(parent, leaf.name, leaf.mode, 0);
  }

  /** @param {Node} node */
  #destroy(node) {
    if (isDirectory(node.mode)) for (const child of childrenOf(node)) this.#destroy(child);
    delete node.parent.contents[node.name];
    this.#FS.destroyNode(node);
  }
}

/**
 * @param {FileSystem} FS
 * @param {string} path
 * @returns {Node}
 */
function directory(FS, path) {
  FS.mkdirTree(path);
  return FS.lookupPath(path, { follow: true }).node;
}

/**
 * @param {Node} node
 * @param {Tracker} tracker
 */
function discoverUntracked(node, tracker) {
  for (const child of childrenOf(node)) {
    if (!trackOf(child)) tracker.discover(child);
    if (isDirectory(child.mode)) discoverUntracked(child, tracker);
  }
}
