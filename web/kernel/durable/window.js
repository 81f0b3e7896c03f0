/**
 * Reads a file through a sliding window, so that many small reads cost few calls of the handle and the memory
 * used doesn't follow the file's size.
 */

const SIZE = 1 << 20;

export class Window {
  #handle;
  #from = 0;
  #filled = 0;
  /** What the window holds. */
  bytes = new Uint8Array(SIZE);

  /** @param {FileSystemSyncAccessHandle} handle */
  constructor(handle) {
    this.#handle = handle;
  }

  /**
   * Makes the window hold a part of the file.
   * @param {number} at offset in the file
   * @param {number} atLeast bytes wanted, at most 1 MiB; fewer come only at the file's end
   * @returns {number} where in `bytes` they begin, until the next call
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
   * @returns {Uint8Array} what the window holds from there on, until the next call. It starts at a multiple
   *   of 16 in its buffer when every `at` of this window is a multiple of 16.
   */
  view(at, atLeast) {
    return this.bytes.subarray(this.hold(at, atLeast), this.#filled);
  }

  /**
   * Fills `target` from the file. What is long goes around the window.
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
