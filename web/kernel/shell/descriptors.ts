// The table of a shell's file descriptors.

/** @typedef {import("./open_files.js").OpenFile} OpenFile */

// `{name}>file` takes the first free number from here on.
const FIRST_CHOSEN = 10;

export class Descriptors {
  /** @type {Map<number, OpenFile>} */
  table = new Map();

  /** A table of its own that refers to the same open files. */
  fork() {
    const copy = new Descriptors();
    for (const [number, file] of this.table) copy.table.set(number, file.retain());
    return copy;
  }

  /** @param {number} number @returns {OpenFile} */
  get(number) {
    const file = this.table.get(number);
    if (!file) throw new Error("Bad file descriptor");
    return file;
  }

  /** @param {number} number @param {OpenFile | null} file null closes it */
  set(number, file) {
    const before = this.table.get(number);
    file?.retain();
    if (file) this.table.set(number, file);
    else this.table.delete(number);
    before?.release();
  }

  /** The open files of some descriptors, for `restore`. @param {number[]} numbers @returns {Map<number, OpenFile | null>} */
  save(numbers) {
    return new Map(numbers.map((number) => [number, this.table.get(number)?.retain() ?? null]));
  }

  /** @param {Map<number, OpenFile | null>} saved */
  restore(saved) {
    for (const [number, file] of saved) {
      this.set(number, file);
      file?.release();
    }
  }

  firstFree() {
    let number = FIRST_CHOSEN;
    while (this.table.has(number)) number++;
    return number;
  }

  closeAll() {
    for (const file of this.table.values()) file.release();
    this.table.clear();
  }
}
