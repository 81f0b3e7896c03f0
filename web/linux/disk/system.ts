// The disk with Debian's programs. Its parts are files of the site, each compressed, and loaded when a machine first reads
// from them.
import { Disk, SYSTEM_SIZE } from "./disk.ts";

// Decompressed parts in memory; the machine's own cache has its reads from them.
const MOST_PARTS = 64;

/** the build's record of the disk */
export interface Parts {
  /** the bytes of a part */
  part: number;
  /** the numbers of those that have other bytes than zeros */
  parts: number[];
}

export class SystemDisk extends Disk {
  #listed: Set<number>;
  #part: number;
  #load: (number: number) => Promise<Uint8Array>;
  #zeros: Promise<Uint8Array<ArrayBuffer>>;
  /** The newest last. */
  #loaded = new Map<number, Promise<Uint8Array>>();
  /** The number of reads that wait for parts. */
  waiting = 0;

  /** @param load - returns a decompressed part */
  constructor({ part, parts }: Parts, load: (number: number) => Promise<Uint8Array>) {
    super(SYSTEM_SIZE);
    this.#listed = new Set(parts);
    this.#part = part;
    this.#load = load;
    this.#zeros = Promise.resolve(new Uint8Array(part));
  }

  override get(start: number, length: number, done: (bytes: Uint8Array) => void) {
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

  /** Drop writes: the machine has mounted the disk read-only. */
  override set(_start: number, _bytes: Uint8Array, done: () => void) {
    done();
  }

  #get(number: number): Promise<Uint8Array> {
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
