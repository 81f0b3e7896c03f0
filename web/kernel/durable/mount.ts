/** Restores the journal's files into MEMFS. */

import type { FileSystem, FSNode } from "../emscripten.ts";
import { isDirectory, isFile } from "./records.ts";
import { childOf, childrenOf, entriesOf, trackOf } from "./track.ts";
import type { Tracker } from "./tracker.ts";
import type { Leaf, Tree } from "./tree.ts";

/**
 * Restore the journal's files. They replace others at the same path; all other files are marked as unsaved.
 * Roots that are only in the journal are restored, too.
 * @param roots - absolute paths; missing ones are created
 * @returns the restored files, directories and links, without the roots
 */
export function mount(FS: FileSystem, tree: Tree, tracker: Tracker, roots: string[]): { files: number; bytes: number } {
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
  #FS: FileSystem;
  #tracker: Tracker;
  #children: Map<number, Leaf[]>;
  files = 0;
  bytes = 0;

  constructor(FS: FileSystem, tracker: Tracker, children: Map<number, Leaf[]>) {
    this.#FS = FS;
    this.#tracker = tracker;
    this.#children = children;
  }

  roots(): string[] {
    const leaves = this.#children.get(0) ?? [];
    for (const leaf of leaves) {
      const node = directory(this.#FS, leaf.name);
      this.#tracker.adopt(node, leaf.id, leaf.name);
      this.#fill(node, leaf);
    }
    return leaves.map(({ name }) => name);
  }

  /** Restore the children, then the times, which restoring the children changes. */
  #fill(node: FSNode, leaf: Leaf) {
    for (const child of this.#children.get(leaf.id) ?? []) this.#restore(node, child);
    node.mode = leaf.mode;
    node.mtime = leaf.mtime;
    node.atime = leaf.atime;
    node.ctime = leaf.ctime;
  }

  #restore(parent: FSNode, leaf: Leaf) {
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

  /** @returns an existing directory, or a new node */
  #place(parent: FSNode, leaf: Leaf): FSNode {
    const existing = childOf(parent, leaf.name);
    if (existing && isDirectory(existing.mode) && isDirectory(leaf.mode)) return existing;
    if (existing) this.#destroy(existing);
    return this.#FS.filesystems.MEMFS.createNode(parent, leaf.name, leaf.mode, 0);
  }

  #destroy(node: FSNode) {
    if (isDirectory(node.mode)) for (const child of childrenOf(node)) this.#destroy(child);
    delete entriesOf(node.parent)[node.name];
    this.#FS.destroyNode(node);
  }
}

function directory(FS: FileSystem, path: string): FSNode {
  FS.mkdirTree(path);
  return FS.lookupPath(path, { follow: true }).node;
}

function discoverUntracked(node: FSNode, tracker: Tracker) {
  for (const child of childrenOf(node)) {
    if (!trackOf(child)) tracker.discover(child);
    if (isDirectory(child.mode)) discoverUntracked(child, tracker);
  }
}
