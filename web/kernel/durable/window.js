/**
 * Reads a file through a sliding window, so that many small reads cost few calls of the handle and the memory
 * used doesn't follow the file's size.
 */

const SIZE = 1 << 20;

export class Window {
  #handle;
  #bytes = new Uint8Array(SIZE);
  #from = 0;
  #filled = 0;

  /** @param {FileSystemSyncAccessHandle} handle */
  constructor(handle) {
    this.#handle = handle;
  }

  /**
   * A view that later calls overwrite.
   * @param {number} at offset in the file
   * @param {number} atLeast bytes wanted, at most 1 MiB; fewer come only at the file's end
   * @returns {Uint8Array} what the window holds from there on. It starts at a multiple of 16 in its buffer
   *   when every `at` of this window is a multiple of 16.
   */
  view(at, atLeast) {
    const held = at >= this.#from && at + atLeast <= this.#from + this.#filled;
    if (!held) {
      this.#from = at;
      this.#filled = this.#handle.read(this.#bytes, { at });
    }
    return this.#bytes.subarray(at - this.#from, this.#filled);
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
      target.set(this.view(at, target.length).subarray(0, target.length));
    }
  }
}
