// The index, as gitformat-index describes version 2, read only.
import { decode } from "../../bytes.ts";

export type Entry = { path: string; mode: number; hash: string; stage: number };

const SIGNATURE = 0x44495243;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const HEADER = 12;
const FIELDS = 62;
const ascii = new TextDecoder();

/** @returns null for a version that isn't known */
export function parseIndex(bytes: Uint8Array): Entry[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER || view.getUint32(0) !== SIGNATURE || view.getUint32(4) > 3) return null;
  const count = view.getUint32(8);
  const entries: Entry[] = [];
  for (let at = HEADER; entries.length < count; ) {
    const flags = view.getUint16(at + 60);
    const start = at + FIELDS + (flags & 0x4000 ? 2 : 0);
    const end = bytes.indexOf(0, start);
    let hash = "";
    for (let byte = at + 40; byte < at + 60; byte++) hash += HEX[bytes[byte] ?? 0];
    const name = bytes.subarray(start, end);
    entries.push({
      path: isAscii(name) ? ascii.decode(name) : decode(name),
      mode: view.getUint32(at + 24),
      hash,
      stage: (flags >> 12) & 3,
    });
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return entries;
}

const isAscii = (name: Uint8Array) => name.every((byte) => byte < 128);
