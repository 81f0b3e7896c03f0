// The index, as gitformat-index(5) describes versions 2 and 3, read only.
import { decode } from "../../bytes.ts";
import type { Repository } from "../repository/repository.ts";

/** `stat` has the times, numbers and sizes that git compares before it reads a file; zeros make it read */
export type Entry = { path: string; mode: number; hash: string; stage: number; stat: Uint8Array; flags: number };

const SIGNATURE = 0x44495243;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
export const HEADER = 12;
export const STAT = 40;
export const FIELDS = 62;
const LATEST = 3;
const ascii = new TextDecoder();

/** The bytes of a repository's index; null if it has none. */
export async function indexBytes({ fs, gitDir }: Repository): Promise<Uint8Array | null> {
  const place = `${gitDir}/index`;
  return (await fs.exists(place)) ? fs.readFileBuffer(place) : null;
}

/**
 * The entries of a repository's index, none if it has no index.
 * @param latest - version
 * @returns null for a later version
 */
export async function readIndex(repository: Repository, latest: number = LATEST): Promise<Entry[] | null> {
  const bytes = await indexBytes(repository);
  return bytes === null ? [] : parseIndex(bytes, latest);
}

/** @returns null for a version that isn't known */
export function parseIndex(bytes: Uint8Array, latest: number = LATEST): Entry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER || view.getUint32(0) !== SIGNATURE || view.getUint32(4) > latest) return null;
  const count = view.getUint32(8);
  const entries: Entry[] = [];
  for (let at = HEADER; entries.length < count; ) {
    const flags = view.getUint16(at + 60);
    const start = at + FIELDS + (flags & 0x4000 ? 2 : 0);
    const end = bytes.indexOf(0, start);
    let hash = "";
    for (let byte = at + STAT; byte < at + 60; byte++) hash += HEX[bytes[byte] ?? 0];
    const name = bytes.subarray(start, end);
    entries.push({
      path: isAscii(name) ? ascii.decode(name) : decode(name),
      mode: view.getUint32(at + 24),
      hash,
      stage: (flags >> 12) & 3,
      stat: bytes.subarray(at, at + STAT),
      flags,
    });
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return entries;
}

const isAscii = (name: Uint8Array) => name.every((byte) => byte < 128);
