// The disk with Debian's programs. Its parts are files of the site, each compressed, and loaded when a machine first reads
// from them.
import { Disk, SYSTEM_SIZE } from "./disk.js";

// Decompressed parts in memory; the machine's own cache has what it read from them.
const MOST_PARTS = 64;

/**
 * @typedef {object} Parts what the build writes about the disk
 * @property {number} part the bytes of a part
 * @property {number[]} parts the numbers of those that have other bytes than zeros
 */

export class SystemDisk extends Disk {
  #listed;
  #part;
  #load;
  #zeros;
  /** The newest last. @type {Map<number, Promise<Uint8Array>>} */
  #loaded = new Map();
  /** The number of reads that wait for parts. */
  waiting = 0;

  /** @param {Parts} parts @param {(number: number) => Promise<Uint8Array>} load returns a decompressed part */
  constructor({ part, parts }, load) {
    super(SYSTEM_SIZE);
    this.#listed = new Set(parts);
    this.#part = part;
    this.#load = load;
    this.#zeros = Promise.resolve(new Uint8Array(part));
  }

  /** @override @param {number} start @param {number} length @param {(bytes: Uint8Array) => void} done */
  get(start, length, done) {
    const first = Math.floor(start / this.#part);
    const last = Math.floor((start + length - 1) / this.#part);
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    this.waiting++;
    Promise.all(numbers.map((number) => this.#get(number))).then((parts) => {
      const bytes = new Uint8Array(length);
      for (const [index, part] of parts.entries()) {
        const at = (first + index) * this.#part - start;
        bytes.set(part.subarray(Math.max(0, -at), Math.min(part.length, length - at)), Math.max(0, at));
      }
      this.waiting--;
      done(bytes);
    });
  }

  /** Drop what is written: the machine has mounted the disk read-only. @override @param {number} _start @param {Uint8Array} _bytes @param {() => void} done */
  set(_start, _bytes, done) {
    done();
  }

  /** @param {number} number @returns {Promise<Uint8Array>} */
  #get(number) {
    if (!this.#listed.has(number)) return this.#zeros;
    const part = this.#loaded.get(number) ?? this.#load(number);
    this.#loaded.delete(number);
    this.#loaded.set(number, part);
    for (const old of this.#loaded.keys()) {
      if (this.#loaded.size <= MOST_PARTS) break;
      this.#loaded.delete(old);
    }
    return part;
  }
}
