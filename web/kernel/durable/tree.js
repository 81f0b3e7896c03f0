/** The files as the journal's frames leave them, before they are in a filesystem. */

/** @import {Entry} from "./records.js" */

const DOUBLING_LIMIT = 1 << 20;
const NOTHING = new Uint8Array(0);

/**
 * `contents` may be longer than the file; behind its size it holds zeros.
 * @typedef {Entry & {contents: Uint8Array}} Leaf
 */

export class Tree {
  /** @type {Map<number, Leaf>} */
  #leaves = new Map();
  /** The highest id seen, whether it still exists or not. */
  lastId = 0;

  /** @param {Entry} entry */
  put(entry) {
    const old = this.#leaves.get(entry.id);
    const leaf = /** @type {Leaf} */ (entry);
    leaf.contents = old?.contents ?? NOTHING;
    if (old && entry.cut < old.size) leaf.contents.fill(0, entry.cut, old.size);
    this.#leaves.set(entry.id, leaf);
    this.lastId = Math.max(this.lastId, entry.id);
  }

  /**
   * @param {number} id
   * @param {number} offset
   * @param {number} length
   * @param {(target: Uint8Array) => void} read
   */
  data(id, offset, length, read) {
    const leaf = this.#leaves.get(id);
    if (!leaf) throw new Error(`data of an unknown file: ${id}`);
    reserve(leaf);
    read(leaf.contents.subarray(offset, offset + length));
  }

  /** @param {number} id */
  remove(id) {
    this.#leaves.delete(id);
  }

  /** @returns {Map<number, Leaf[]>} by parent's id, each list in the order of the records */
  byParent() {
    /** @type {Map<number, Leaf[]>} */
    const children = new Map();
    for (const leaf of this.#leaves.values()) {
      reserve(leaf);
      const siblings = children.get(leaf.parent);
      if (siblings) siblings.push(leaf);
      else children.set(leaf.parent, [leaf]);
    }
    return children;
  }
}

/**
 * Makes `contents` hold the whole size. A file that grows again and again is not copied each time.
 * @param {Leaf} leaf
 */
function reserve(leaf) {
  const { contents, size } = leaf;
  if (contents.length >= size) return;
  const spare = contents.length < DOUBLING_LIMIT ? contents.length * 2 : Math.floor(contents.length * 1.125);
  leaf.contents = new Uint8Array(Math.max(size, spare));
  leaf.contents.set(contents);
}
