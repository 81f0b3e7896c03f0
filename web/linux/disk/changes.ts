// The disk with a machine's changes: a filesystem that the build has made empty, and the blocks written since.
import { BLOCK } from "./blocks.ts";
import { CHANGES_SIZE, Disk } from "./disk.ts";

/** where the written blocks are (blocks.ts) */
interface Blocks {
  /** returns whether it has the block */
  read: (block: number, into: Uint8Array) => boolean;
  write: (block: number, bytes: Uint8Array) => void;
  flush: () => void;
}

export class ChangesDisk extends Disk {
  #blocks: Blocks;
  #empty: Map<number, Uint8Array>;

  /** @param empty - the blocks of the empty filesystem that aren't zeros */
  constructor(blocks: Blocks, empty: Map<number, Uint8Array>) {
    super(CHANGES_SIZE);
    this.#blocks = blocks;
    this.#empty = empty;
  }

  override get(start: number, length: number, done: (bytes: Uint8Array) => void) {
    const first = Math.floor(start / BLOCK);
    const count = Math.ceil((start + length) / BLOCK) - first;
    const bytes = new Uint8Array(count * BLOCK);
    for (let index = 0; index < count; index++)
      this.#read(first + index, bytes.subarray(index * BLOCK, (index + 1) * BLOCK));
    const at = start - first * BLOCK;
    done(bytes.subarray(at, at + length));
  }

  override set(start: number, bytes: Uint8Array, done: () => void) {
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

  override flush() {
    this.#blocks.flush();
  }

  #read(block: number, into: Uint8Array) {
    if (this.#blocks.read(block, into)) return;
    const empty = this.#empty.get(block);
    if (empty) into.set(empty);
  }
}
