// The table of a shell's file descriptors.

import type { OpenFile } from "./open_files.ts";

// `{name}>file` takes the first free number from here on.
const FIRST_CHOSEN = 10;

export class Descriptors {
  table = new Map<number, OpenFile>();

  /** A separate table that refers to the same open files. */
  fork() {
    const copy = new Descriptors();
    for (const [number, file] of this.table) copy.table.set(number, file.retain());
    return copy;
  }

  get(number: number): OpenFile {
    const file = this.table.get(number);
    if (!file) throw new Error("Bad file descriptor");
    return file;
  }

  /** @param file - null closes it */
  set(number: number, file: OpenFile | null) {
    const before = this.table.get(number);
    file?.retain();
    if (file) this.table.set(number, file);
    else this.table.delete(number);
    before?.release();
  }

  /** The open files of some descriptors, for `restore`. */
  save(numbers: number[]): Map<number, OpenFile | null> {
    return new Map(numbers.map((number) => [number, this.table.get(number)?.retain() ?? null]));
  }

  restore(saved: Map<number, OpenFile | null>) {
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
