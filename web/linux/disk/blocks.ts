// Blocks of a disk in one file of the browser's storage, or in memory: a header, a table with the place of each block, and
// the blocks in the order of their first write.
//
// A new file begins with the blocks of the empty filesystem, because each build of the machine makes another one, whose
// checksums don't fit the first one's.
//
// A block is written before its entry, and an entry never changes, so a worker that is killed at any moment leaves either
// the old or the new block. After a power failure that holds for what was flushed.

export type Readable = Pick<FileSystemSyncAccessHandle, "getSize" | "read">;

export const BLOCK = 4096;
const MAGIC = 0x314b5344; // "DSK1"
const TABLE = BLOCK;
const ENTRY = 4;
// The header's words: MAGIC, the number of blocks, the number of the saved state that has the same blocks (0 once one was
// written), and 1 if the file has the blocks of the empty filesystem.
const MARK = 8;
const CHUNK = 1 << 20;

/** Blocks that end with the machine. */
export class MemoryBlocks {
  written = new Map<number, Uint8Array>();

  /** Read a block, and return whether there is one. */
  read(block: number, into: Uint8Array) {
    const bytes = this.written.get(block);
    if (bytes) into.set(bytes);
    return bytes !== undefined;
  }

  write(block: number, bytes: Uint8Array) {
    this.written.set(block, bytes.slice());
  }

  flush() {}

  get size() {
    return this.written.size * BLOCK;
  }

  /** No saved state can have them. */
  get mark() {
    return 0;
  }
}

/** Blocks in a file. */
export class StoredBlocks {
  #table: Uint32Array;
  #start: number;
  #count = 0;
  #failed: (problem: Error) => void;
  /** The blocks written after the storage has failed; the file then stays as it is. */
  #unsaved: MemoryBlocks | null = null;
  #mark = 0;
  handle: FileSystemSyncAccessHandle;

  /**
   * @param blocks - of the disk
   * @param empty - the blocks of the empty filesystem that aren't zeros
   * @param failed - called once, when changes can no longer be saved
   */
  constructor(
    handle: FileSystemSyncAccessHandle,
    blocks: number,
    empty: Map<number, Uint8Array>,
    failed: (problem: Error) => void,
  ) {
    this.handle = handle;
    this.#failed = failed;
    this.#table = new Uint32Array(blocks);
    this.#start = TABLE + Math.ceil((blocks * ENTRY) / BLOCK) * BLOCK;
    const header = new Uint32Array(4);
    handle.read(header, { at: 0 });
    const [magic, count, mark = 0, seeded] = header;
    // A kill while it was made leaves it without its number.
    if (magic === 0) handle.truncate(0);
    if (magic === 0) handle.truncate(this.#start);
    else if (magic !== MAGIC || count !== blocks)
      throw new Error("the file with the machine's changes has another format");
    this.#mark = mark;
    handle.read(this.#table, { at: TABLE });
    for (const place of this.#table) this.#count = Math.max(this.#count, place);
    if (!seeded) this.#seed(empty);
  }

  #seed(empty: Map<number, Uint8Array>) {
    for (const [block, bytes] of empty) if (!this.#table[block]) this.#put(block, bytes);
    this.handle.flush();
    this.handle.write(Uint32Array.of(MAGIC, this.#table.length, this.#mark, 1), { at: 0 });
    this.handle.flush();
  }

  /** Return whether a file has all of a disk, not a part of a copy. */
  static isComplete(handle: FileSystemSyncAccessHandle) {
    const header = new Uint32Array(1);
    handle.read(header, { at: 0 });
    return header[0] === MAGIC;
  }

  /** The number of the saved state that has the same blocks, 0 if there is none. */
  get mark() {
    return this.#mark;
  }

  set mark(number) {
    this.handle.write(Uint32Array.of(number), { at: MARK });
    this.#mark = number;
  }

  /** True if blocks were written that the file doesn't have. */
  get isFull() {
    return this.#unsaved !== null;
  }

  /** The bytes of the file. */
  get size() {
    return this.handle.getSize();
  }

  /** Read a block, and return whether there is one. */
  read(block: number, into: Uint8Array) {
    if (this.#unsaved?.read(block, into)) return true;
    const place = this.#table[block];
    if (!place) return false;
    this.handle.read(into, { at: this.#at(place) });
    return true;
  }

  write(block: number, bytes: Uint8Array) {
    if (this.#unsaved) return this.#unsaved.write(block, bytes);
    try {
      this.#store(block, bytes);
    } catch (error) {
      // From here on nothing is saved, so that the file has the disk as it was at one moment.
      this.#unsaved = new MemoryBlocks();
      this.#unsaved.write(block, bytes);
      this.#failed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #store(block: number, bytes: Uint8Array) {
    if (this.#mark) this.mark = 0;
    this.#put(block, bytes);
  }

  #put(block: number, bytes: Uint8Array) {
    const old = this.#table[block];
    const place = old || this.#count + 1;
    this.handle.write(bytes, { at: this.#at(place) });
    if (old) return;
    this.handle.write(Uint32Array.of(place), { at: TABLE + block * ENTRY });
    this.#table[block] = place;
    this.#count = place;
  }

  flush() {
    this.handle.flush();
  }

  close() {
    this.handle.close();
  }

  /** @param place - counted from 1 */
  #at(place: number) {
    return this.#start + (place - 1) * BLOCK;
  }
}

/** Copy a file with blocks, its header last. */
export function copyHandle(from: Readable, to: FileSystemSyncAccessHandle) {
  const bytes = new Uint8Array(CHUNK);
  to.truncate(0);
  for (let at = BLOCK; at < from.getSize(); at += CHUNK) to.write(bytes.subarray(0, from.read(bytes, { at })), { at });
  const header = bytes.subarray(0, from.read(bytes.subarray(0, BLOCK), { at: 0 }));
  to.flush();
  to.write(header, { at: 0 });
  to.flush();
}

/** Read the blocks of an empty filesystem by their numbers, each of which stands before its block. */
export function unpackBlocks(packed: ArrayBuffer) {
  const view = new DataView(packed);
  const blocks = new Map<number, Uint8Array>();
  for (let at = 0; at < packed.byteLength; at += 4 + BLOCK) {
    blocks.set(view.getUint32(at, true), new Uint8Array(packed, at + 4, BLOCK));
  }
  return blocks;
}
