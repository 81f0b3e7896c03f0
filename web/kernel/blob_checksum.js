import { checksum } from "./durable/checksum.js";

const PIECE = 4 * 1024 * 1024;
const SEED = 0;

/** The checksum of a blob's contents, without holding all of it in memory. @param {Blob} blob */
export async function blobChecksum(blob) {
  let sum = SEED;
  for (let at = 0; at < blob.size; at += PIECE) {
    sum = checksum(new Uint8Array(await blob.slice(at, at + PIECE).arrayBuffer()), sum);
  }
  return sum;
}
