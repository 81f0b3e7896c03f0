/**
 * Reads a file through a sliding window, so that many small reads need few calls of the handle and little memory.
 */

const SIZE = 1 << 20;

/** A sliding window over a file. */
export class Window {
  #handle;
  #from = 0;
  #filled = 0;
  /** The contents of the window. */
  bytes = new Uint8Array(SIZE);

  /** @param {FileSystemSyncAccessHandle} handle */
  constructor(handle) {
    this.#handle = handle;
  }

  /**
   * Move the window to a part of the file.
   * @param {number} at offset in the file
   * @param {number} atLeast required bytes, at most 1 MiB; there are fewer only at the file's end
   * @returns {number} their offset in `bytes`, valid until the next call
   */
  hold(at, atLeast) {
    if (at < this.#from || at + atLeast > this.#from + this.#filled) {
      this.#from = at;
      this.#filled = this.#handle.read(this.bytes, { at });
    }
    return at - this.#from;
  }

  /**
   * @param {number} at
   * @param {number} atLeast as for {@link hold}
   * @returns {Uint8Array} the window's contents from `at`, valid until the next call. It starts at a multiple of
   *   16 in its buffer if every `at` of this window is a multiple of 16
   */
  view(at, atLeast) {
    return this.bytes.subarray(this.hold(at, atLeast), this.#filled);
  }

  /**
   * Fill `target` from the file. Long reads bypass the window.
   * @param {number} at
   * @param {Uint8Array} target
   */
  copy(at, target) {
    if (target.length >= SIZE >> 2) {
      this.#handle.read(target, { at });
    } else {
      const start = this.hold(at, target.length);
      target.set(this.bytes.subarray(start, start + target.length));
    }
  }
}
