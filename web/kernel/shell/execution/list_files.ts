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

/** Return whether a path is that of a list that never ends. */
export function neverEnds(files: ShellFiles, path: string): boolean {
  const { object } = files.FS.analyzePath(files.place(path));
  return !!object && beginnings.has(object);
}
