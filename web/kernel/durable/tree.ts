/** The journal's files in memory, before they are put into a filesystem. */

import type { Entry } from "./records.ts";

const DOUBLING_LIMIT = 1 << 20;
const NOTHING = new Uint8Array(0);
/** Small files share buffers of this size: allocating ten thousand buffers would take longer than everything else. */
const SLAB = 1 << 20;

/** `contents` may be longer than the file; the bytes after its size are zeros. */
export interface Leaf extends Entry {
  contents: Uint8Array;
}

/** The files of a journal, by their ids. */
export class Tree {
  #leaves = new Map<number, Leaf>();
  /** The rest of the buffer that small files share. */
  #slab = NOTHING;
  /** The highest id so far, including removed files. */
  lastId = 0;

  put(entry: Entry) {
    const old = this.#leaves.get(entry.id);
    // The next line adds what a leaf has more.
    const leaf = entry as Leaf;
    leaf.contents = old?.contents ?? NOTHING;
    if (old && entry.cut < old.size) leaf.contents.fill(0, entry.cut, old.size);
    this.#leaves.set(entry.id, leaf);
    this.lastId = Math.max(this.lastId, entry.id);
  }

  data(id: number, offset: number, length: number, read: (target: Uint8Array) => void) {
    const leaf = this.#leaves.get(id);
    if (!leaf) throw new Error(`data of an unknown file: ${id}`);
    this.#reserve(leaf);
    read(leaf.contents.subarray(offset, offset + length));
  }

  remove(id: number) {
    this.#leaves.delete(id);
  }

  /** @returns by the parent's id, each list in the order of the records */
  byParent(): Map<number, Leaf[]> {
    const children = new Map<number, Leaf[]>();
    for (const leaf of this.#leaves.values()) {
      this.#reserve(leaf);
      const siblings = children.get(leaf.parent);
      if (siblings) siblings.push(leaf);
      else children.set(leaf.parent, [leaf]);
    }
    return children;
  }

  /** Extend `contents` to the file's size, with spare room so that a growing file isn't copied each time. */
  #reserve(leaf: Leaf) {
    const { contents, size } = leaf;
    if (contents.length >= size) return;
    const factor = contents.length < DOUBLING_LIMIT ? 2 : 1.125;
    leaf.contents = this.#zeros(Math.max(size, Math.floor(contents.length * factor)));
    leaf.contents.set(contents);
  }

  #zeros(length: number): Uint8Array {
    if (length > SLAB >> 4) return new Uint8Array(length);
    if (length > this.#slab.length) this.#slab = new Uint8Array(SLAB);
    const zeros = this.#slab.subarray(0, length);
    this.#slab = this.#slab.subarray(length);
    return zeros;
  }
}
