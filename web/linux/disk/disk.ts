// A disk as v86 reads and writes it. The sizes are part of a saved machine, whose kernel has measured its disks.

/** The bytes of the disk with Debian's programs, which machines only read. */
export const SYSTEM_SIZE = 1024 * 1024 * 1024;
/** The bytes of the disk with a machine's changes. */
export const CHANGES_SIZE = 2 * 1024 * 1024 * 1024;

export class Disk {
  /** v86 sets it, and waits for its call. */
  onload: () => void = () => {};
  byteLength: number;

  constructor(byteLength: number) {
    this.byteLength = byteLength;
  }

  load() {
    this.onload();
  }

  /** Read; the answer may come later. */
  get(_start: number, _length: number, _done: (bytes: Uint8Array) => void) {
    throw new Error("this disk can't be read");
  }

  /** v86 looks for a partition table before a cold start, which these disks don't have. */
  get_and_cache(_start: number, _length: number, done: () => void) {
    done();
  }

  get_from_cache() {
    return undefined;
  }

  /** Write. */
  set(_start: number, _bytes: Uint8Array, _done: () => void) {
    throw new Error("this disk can't be written");
  }

  /** Put on permanent storage what was written. */
  flush() {}

  // A saved machine has nothing of its disks.
  get_state() {
    return [];
  }

  set_state() {}
}
