import { checksum } from "./durable/checksum.ts";

const PIECE = 4 * 1024 * 1024;
const SEED = 0;

/** Compute the checksum of a blob piece by piece, without loading all of it into memory. */
export async function blobChecksum(blob: Blob) {
  let sum = SEED;
  for (let at = 0; at < blob.size; at += PIECE) {
    sum = checksum(new Uint8Array(await blob.slice(at, at + PIECE).arrayBuffer()), sum);
  }
  return sum;
}
