// node:crypto, as far as it is synchronous and common: hashes, HMAC and random values.
import type { CHash } from "@noble/hashes/utils.js";
import { hmac } from "@noble/hashes/hmac.js";
import { md5, ripemd160, sha1 } from "@noble/hashes/legacy.js";
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { Buffer } from "buffer";

import { encoded } from "./fs.ts";

const HASHES: Record<string, CHash> = { md5, ripemd160, sha1, sha224, sha256, sha384, sha512 };
const MOST_RANDOM = 65536;

function hashOf(name: string) {
  const found = HASHES[String(name).toLowerCase().replace("-", "")];
  if (!found) throw Object.assign(new Error("Digest method not supported"), { code: "ERR_CRYPTO_INVALID_DIGEST" });
  return found;
}

class Digest {
  _state: ReturnType<CHash["create"]>;

  /** @param state - of the library's */
  constructor(state: ReturnType<CHash["create"]>) {
    this._state = state;
  }
  update(data: unknown, encoding?: unknown) {
    this._state.update(Uint8Array.from(encoded(data, encoding)));
    return this;
  }
  digest(encoding?: BufferEncoding | "buffer") {
    const bytes = Buffer.from(this._state.digest());
    return encoding && encoding !== "buffer" ? bytes.toString(encoding) : bytes;
  }
}

function randomBytes(size: number) {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += MOST_RANDOM)
    globalThis.crypto.getRandomValues(bytes.subarray(at, at + MOST_RANDOM));
  return bytes;
}

function randomInt(first: number, last?: number) {
  const [low, high] = last === undefined ? [0, first] : [first, last];
  const range = high - low;
  // The same chance for each number.
  const limit = 2 ** 48 - (2 ** 48 % range);
  for (;;) {
    const value = randomBytes(6).readUIntBE(0, 6);
    if (value < limit) return low + (value % range);
  }
}

export const crypto = {
  createHash: (name: string) => new Digest(hashOf(name).create()),
  createHmac: (name: string, key: unknown) => new Digest(hmac.create(hashOf(name), Uint8Array.from(encoded(key)))),
  getHashes: () => Object.keys(HASHES),
  randomBytes,
  randomInt,
  randomUUID: () => globalThis.crypto.randomUUID(),
  getRandomValues: (array: ArrayBufferView<ArrayBuffer>) => globalThis.crypto.getRandomValues(array),
  timingSafeEqual: (a: Uint8Array, b: Uint8Array) => Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0,
  webcrypto: globalThis.crypto,
  subtle: globalThis.crypto.subtle,
};
