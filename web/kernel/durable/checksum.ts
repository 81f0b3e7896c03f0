/**
 * XXH32, a fast non-cryptographic 32-bit hash, computed piece by piece.
 * Algorithm: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
 */

const P1 = 0x9e3779b1 | 0;
const P2 = 0x85ebca77 | 0;
const P3 = 0xc2b2ae3d | 0;
const P4 = 0x27d4eb2f | 0;
const P5 = 0x165667b1 | 0;
const { imul } = Math;

/** The length of each piece except the last must be a multiple of this many bytes. */
export const STRIPE = 16;

/** A checksum that is computed piece by piece. */
export class Checksum {
  #seed: number;
  #length = 0;
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** @param seed - 32 bits */
  constructor(seed: number) {
    this.#seed = seed | 0;
    this.#a = (seed + P1 + P2) | 0;
    this.#b = (seed + P2) | 0;
    this.#c = seed | 0;
    this.#d = (seed - P1) | 0;
  }

  /** @param bytes - starts at a multiple of 4 in its buffer; its length is a multiple of STRIPE */
  update(bytes: Uint8Array) {
    const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    for (let i = 0; i < words.length; i += 4) {
      a = (a + imul(words[i], P2)) | 0;
      a = imul((a << 13) | (a >>> 19), P1);
      b = (b + imul(words[i + 1], P2)) | 0;
      b = imul((b << 13) | (b >>> 19), P1);
      c = (c + imul(words[i + 2], P2)) | 0;
      c = imul((c << 13) | (c >>> 19), P1);
      d = (d + imul(words[i + 3], P2)) | 0;
      d = imul((d << 13) | (d >>> 19), P1);
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
    this.#length += bytes.length;
  }

  /**
   * @param bytes - the last piece, of any length; starts at a multiple of 4 in its buffer
   * @returns unsigned 32 bits
   */
  finish(bytes: Uint8Array): number {
    const striped = bytes.length & -STRIPE;
    if (striped) this.update(bytes.subarray(0, striped));
    const rest = bytes.subarray(striped);
    let h = (this.#merged() + this.#length + rest.length) | 0;
    const view = new DataView(rest.buffer, rest.byteOffset, rest.length);
    let i = 0;
    for (; i + 4 <= rest.length; i += 4) {
      h = (h + imul(view.getInt32(i, true), P3)) | 0;
      h = imul((h << 17) | (h >>> 15), P4);
    }
    for (; i < rest.length; i++) {
      h = (h + imul(rest[i], P5)) | 0;
      h = imul((h << 11) | (h >>> 21), P1);
    }
    h = imul(h ^ (h >>> 15), P2);
    h = imul(h ^ (h >>> 13), P3);
    return (h ^ (h >>> 16)) >>> 0;
  }

  #merged() {
    if (this.#length === 0) return (this.#seed + P5) | 0;
    const [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    return (
      (((a << 1) | (a >>> 31)) + ((b << 7) | (b >>> 25)) + ((c << 12) | (c >>> 20)) + ((d << 18) | (d >>> 14))) | 0
    );
  }
}

/**
 * Compute the checksum of one piece.
 * @param bytes - starts at a multiple of 4 in its buffer
 * @returns unsigned 32 bits
 */
export function checksum(bytes: Uint8Array, seed: number): number {
  return new Checksum(seed).finish(bytes);
}
