// Changes of the index, which is written in version 2 of gitformat-index(5).
import { concat, encode } from "../../bytes.ts";
import { fail } from "../repository/answers.ts";
import { needRepository, type Call } from "../repository/repository.ts";
import { FIELDS, HEADER, readIndex, STAT, type Entry } from "./index_file.ts";

const VERSION = 2;
const LONGEST = 0xfff;
const SUM = 20;

function encoded({ path, mode, hash, stage, stat, flags }: Entry): Uint8Array {
  const name = encode(path);
  const bytes = new Uint8Array(Math.ceil((FIELDS + name.length + 1) / 8) * 8);
  const view = new DataView(bytes.buffer);
  bytes.set(stat);
  view.setUint32(24, mode);
  for (let at = 0; at < SUM; at++) bytes[STAT + at] = parseInt(hash.slice(2 * at, 2 * at + 2), 16);
  view.setUint16(60, (flags & 0x8000) | (stage << 12) | Math.min(name.length, LONGEST));
  bytes.set(name, FIELDS);
  return bytes;
}

/** Order names as git does: by their bytes. */
export function compared(one: Uint8Array, other: Uint8Array) {
  for (let at = 0; at < Math.min(one.length, other.length); at++)
    if (one[at] !== other[at]) return (one[at] ?? 0) - (other[at] ?? 0);
  return one.length - other.length;
}

/** An entry that git compares with its file by content. */
export const entryOf = (path: string, { mode, hash }: { mode: number; hash: string }): Entry => ({
  path,
  mode,
  hash,
  stage: 0,
  stat: new Uint8Array(STAT),
  flags: 0,
});

export async function entriesOf(call: Call): Promise<Entry[]> {
  const entries = await readIndex(needRepository(call), VERSION);
  return entries ?? fail("the index has a version that isn't changed here; use git reset --mixed");
}

/** @param entries - in any order */
export async function writeEntries(call: Call, entries: Entry[]) {
  const { gitDir, fs } = needRepository(call);
  const sorted = entries
    .map((entry) => ({ entry, name: encode(entry.path) }))
    .sort((one, other) => compared(one.name, other.name) || one.entry.stage - other.entry.stage);
  const head = new Uint8Array(HEADER);
  head.set(encode("DIRC"));
  new DataView(head.buffer).setUint32(4, VERSION);
  new DataView(head.buffer).setUint32(8, sorted.length);
  const body = concat([head, ...sorted.map(({ entry }) => encoded(entry))]);
  // No part of it is shared between threads.
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-1", body as Uint8Array<ArrayBuffer>));
  await fs.writeFile(`${gitDir}/index`, concat([body, sum]));
}

/**
 * Replace or remove entries.
 * @param changes - null removes a path
 */
export async function changeIndex(call: Call, changes: Map<string, { mode: number; hash: string } | null>) {
  const others = (await entriesOf(call)).filter(({ path }) => !changes.has(path));
  const added = [...changes].flatMap(([path, version]) => (version === null ? [] : [entryOf(path, version)]));
  await writeEntries(call, [...others, ...added]);
}
