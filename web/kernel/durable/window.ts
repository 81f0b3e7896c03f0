/**
 * Reads a file through a sliding window, so that many small reads need few calls of the handle and little memory.
 */

const SIZE = 1 << 20;

/** A sliding window over a file. */
export class Window {
  #handle: FileSystemSyncAccessHandle;
  #from = 0;
  #filled = 0;
  /** The contents of the window. */
  bytes = new Uint8Array(SIZE);

  constructor(handle: FileSystemSyncAccessHandle) {
    this.#handle = handle;
  }

  /**
   * Move the window to a part of the file.
   * @param at - offset in the file
   * @param atLeast - required bytes, at most 1 MiB; there are fewer only at the file's end
   * @returns their offset in `bytes`, valid until the next call
   */
  hold(at: number, atLeast: number): number {
    if (at < this.#from || at + atLeast > this.#from + this.#filled) {
      this.#from = at;
      this.#filled = this.#handle.read(this.bytes, { at });
    }
    return at - this.#from;
  }

  /**
   * @param atLeast - as for {@link hold}
   * @returns the window's contents from `at`, valid until the next call. It starts at a multiple of 16 in its buffer if
   * every `at` of this window is a multiple of 16
   */
  view(at: number, atLeast: number): Uint8Array {
    return this.bytes.subarray(this.hold(at, atLeast), this.#filled);
  }

  /** Fill `target` from the file. Long reads bypass the window. */
  copy(at: number, target: Uint8Array) {
    if (target.length >= SIZE >> 2) {
      this.#handle.read(target, { at });
    } else {
      const start = this.hold(at, target.length);
      target.set(this.bytes.subarray(start, start + target.length));
    }
  }
}
