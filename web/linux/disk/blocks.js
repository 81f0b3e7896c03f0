// Blocks of a disk in one file of the browser's storage, or in memory: a header, a table with the place of each block, and
// the blocks in the order of their first write.
//
// A block is written before its entry, and an entry never changes, so a worker that is killed at any moment leaves either
// the old or the new block. After a power failure that holds for what was flushed.

export const BLOCK = 4096;
const MAGIC = 0x314b5344; // "DSK1"
const TABLE = BLOCK;
const ENTRY = 4;

/** Blocks that end with the machine. */
export class MemoryBlocks {
  /** @type {Map<number, Uint8Array>} */
  written = new Map();

  /** Read a block, and return whether there is one. @param {number} block @param {Uint8Array} into */
  read(block, into) {
    const bytes = this.written.get(block);
    if (bytes) into.set(bytes);
    return bytes !== undefined;
  }

  /** @param {number} block @param {Uint8Array} bytes */
  write(block, bytes) {
    this.written.set(block, bytes.slice());
  }

  flush() {}
}

/** Blocks in a file. */
export class StoredBlocks {
  #handle;
  #table;
  #start;
  #count = 0;
  #failed;
  /** The blocks written after the storage has failed; the file then stays as it is. @type {MemoryBlocks | null} */
  #unsaved = null;

  /**
   * @param {FileSystemSyncAccessHandle} handle
   * @param {number} blocks of the disk
   * @param {(problem: Error) => void} failed called once, when changes can no longer be saved
   */
  constructor(handle, blocks, failed) {
    this.#handle = handle;
    this.#failed = failed;
    this.#table = new Uint32Array(blocks);
    this.#start = TABLE + Math.ceil((blocks * ENTRY) / BLOCK) * BLOCK;
    if (handle.getSize() === 0) this.#create(blocks);
    else this.#open(blocks);
  }

  /** @param {number} blocks */
  #create(blocks) {
    this.#handle.truncate(this.#start);
    this.#handle.write(Uint32Array.of(MAGIC, blocks), { at: 0 });
    this.#handle.flush();
  }

  /** @param {number} blocks */
  #open(blocks) {
    const header = new Uint32Array(2);
    this.#handle.read(header, { at: 0 });
    if (header[0] !== MAGIC || header[1] !== blocks) throw new Error("the file with the machine's changes has another format");
    this.#handle.read(this.#table, { at: TABLE });
    for (const place of this.#table) this.#count = Math.max(this.#count, place);
  }

  /** Read a block, and return whether there is one. @param {number} block @param {Uint8Array} into */
  read(block, into) {
    if (this.#unsaved?.read(block, into)) return true;
    const place = this.#table[block];
    if (!place) return false;
    this.#handle.read(into, { at: this.#at(place) });
    return true;
  }

  /** @param {number} block @param {Uint8Array} bytes */
  write(block, bytes) {
    if (this.#unsaved) return this.#unsaved.write(block, bytes);
    try {
      this.#store(block, bytes);
    } catch (error) {
      // From here on nothing is saved, so that the file has the disk as it was at one moment.
      this.#unsaved = new MemoryBlocks();
      this.#unsaved.write(block, bytes);
      this.#failed(/** @type {Error} */ (error));
    }
  }

  /** @param {number} block @param {Uint8Array} bytes */
  #store(block, bytes) {
    const old = this.#table[block];
    const place = old || this.#count + 1;
    this.#handle.write(bytes, { at: this.#at(place) });
    if (old) return;
    this.#handle.write(Uint32Array.of(place), { at: TABLE + block * ENTRY });
    this.#table[block] = place;
    this.#count = place;
  }

  flush() {
    this.#handle.flush();
  }

  close() {
    this.#handle.close();
  }

  /** @param {number} place counted from 1 */
  #at(place) {
    return this.#start + (place - 1) * BLOCK;
  }
}
