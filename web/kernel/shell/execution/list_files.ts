// The files with what the lists of process substitutions print.
import { BrokenPipe } from "../control.ts";
import { RegularFile } from "./open_files.ts";
import type { ShellFiles } from "./files.ts";

// Of a pipe in Linux, in bytes.
const CAPACITY = 1 << 16;
/** The nodes of those that have only the beginning. */
const beginnings = new WeakSet<object>();

/** A list that never ends is stopped where a pipe would be full. */
export class ListFile extends RegularFile {
  #endless = false;
  #size = 0;

  markEndless() {
    this.#endless = true;
  }
  write(bytes: Uint8Array) {
    if (this.#endless && this.#size >= CAPACITY) {
      beginnings.add(this.file.node);
      throw new BrokenPipe();
    }
    this.#size += bytes.length;
    super.write(bytes);
  }
}

/** Return the place of the file that a path such as `/dev/fd/63` stands for, or null if it is no list's. */
export function placeOfList(files: ShellFiles, path: string): string | null {
  const place = files.place(path);
  return place !== path && files.FS.analyzePath(place).exists ? place : null;
}

/** Return whether a path is that of a list that never ends. */
export function neverEnds(files: ShellFiles, path: string): boolean {
  const place = placeOfList(files, path);
  return place !== null && beginnings.has(files.FS.lookupPath(place, { follow: true }).node);
}
