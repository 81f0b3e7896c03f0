/** The files as the journal's frames leave them, before they are in a filesystem. */

/** @import {Entry} from "./records.js" */

const DOUBLING_LIMIT = 1 << 20;
const NOTHING = new Uint8Array(0);
/** Small files share buffers of this size: ten thousand buffers of their own would cost more than all the rest. */
const SLAB = 1 << 20;

/**
 * `contents` may be longer than the file; behind its size it holds zeros.
 * @typedef {Entry & {contents: Uint8Array}} Leaf
 */

export class Tree {
  /** @type {Map<number, Leaf>} */
  #leaves = new Map();
  /** What is left of the buffer that small files share. */
  #slab = NOTHING;
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
    this.#reserve(leaf);
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
      this.#reserve(leaf);
      const siblings = children.get(leaf.parent);
      if (siblings) siblings.push(leaf);
      else children.set(leaf.parent, [leaf]);
    }
    return children;
  }

  /**
   * Makes `contents` hold the whole size. A file that grows again and again is not copied each time.
   * @param {Leaf} leaf
   */
  #reserve(leaf) {
    const { contents, size } = leaf;
    if (contents.length >= size) return;
    const factor = contents.length < DOUBLING_LIMIT ? 2 : 1.125;
    leaf.contents = this.#zeros(Math.max(size, Math.floor(contents.length * factor)));
    leaf.contents.set(contents);
  }

  /**
   * @param {number} length
   * @returns {Uint8Array}
   */
  #zeros(length) {
    if (length > SLAB >> 4) return new Uint8Array(length);
    if (length > this.#slab.length) this.#slab = new Uint8Array(SLAB);
    const zeros = this.#slab.subarray(0, length);
    this.#slab = this.#slab.subarray(length);
    return zeros;
  }
}
