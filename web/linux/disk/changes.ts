// The disk with a machine's changes: a filesystem that the build has made empty, and the blocks written since.
import { BLOCK } from "./blocks.js";
import { CHANGES_SIZE, Disk } from "./disk.js";

/**
 * @typedef {object} Blocks where the written blocks are (blocks.js)
 * @property {(block: number, into: Uint8Array) => boolean} read returns whether it has the block
 * @property {(block: number, bytes: Uint8Array) => void} write
 * @property {() => void} flush
 */

export class ChangesDisk extends Disk {
  #blocks;
  #empty;

  /** @param {Blocks} blocks @param {Map<number, Uint8Array>} empty the blocks of the empty filesystem that aren't zeros */
  constructor(blocks, empty) {
    super(CHANGES_SIZE);
    this.#blocks = blocks;
    this.#empty = empty;
  }

  /** @override @param {number} start @param {number} length @param {(bytes: Uint8Array) => void} done */
  get(start, length, done) {
    const first = Math.floor(start / BLOCK);
    const count = Math.ceil((start + length) / BLOCK) - first;
    const bytes = new Uint8Array(count * BLOCK);
    for (let index = 0; index < count; index++) this.#read(first + index, bytes.subarray(index * BLOCK, (index + 1) * BLOCK));
    const at = start - first * BLOCK;
    done(bytes.subarray(at, at + length));
  }

  /** @override @param {number} start @param {Uint8Array} bytes @param {() => void} done */
  set(start, bytes, done) {
    for (let from = 0; from < bytes.length; ) {
      const block = Math.floor((start + from) / BLOCK);
      const at = (start + from) % BLOCK;
      const count = Math.min(BLOCK - at, bytes.length - from);
      let whole = bytes.subarray(from, from + count);
      if (count < BLOCK) {
        const old = new Uint8Array(BLOCK);
        this.#read(block, old);
        old.set(whole, at);
        whole = old;
      }
      this.#blocks.write(block, whole);
      from += count;
    }
    done();
  }

  /** @override */
  flush() {
    this.#blocks.flush();
  }

  /** @param {number} block @param {Uint8Array} into */
  #read(block, into) {
    if (this.#blocks.read(block, into)) return;
    const empty = this.#empty.get(block);
    if (empty) into.set(empty);
  }
}
