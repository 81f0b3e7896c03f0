/**
 * The records of a frame's payload. Each is a kind and its fields:
 *
 *     PUT     id, parent id, name, mode, mtime, atime, ctime, then for a file its size and "cut" (0, or 1 +
 *             its smallest size since the last frame), for a symbolic link its target
 *     DATA    id, offset, length, bytes
 *     REMOVE  id
 *
 * A file, directory or link has the same id until it is removed, so a rename is one PUT. A root has the parent
 * 0 and its absolute path as its name. The parts of a file without DATA are zeros.
 */

import type { FrameReader } from "./frame_reader.ts";
import type { FrameWriter } from "./frame_writer.ts";

const PUT = 1;
const DATA = 2;
const REMOVE = 3;

/** POSIX file types, as in a mode. */
const TYPE = 0o170000;
const FILE = 0o100000;
const DIRECTORY = 0o040000;
const LINK = 0o120000;

export const isFile = (mode: number) => (mode & TYPE) === FILE;
export const isDirectory = (mode: number) => (mode & TYPE) === DIRECTORY;
export const isLink = (mode: number) => (mode & TYPE) === LINK;

/** Times are milliseconds since 1970. */
export interface Entry {
  /** positive */
  id: number;
  /** its directory's id, 0 for a root */
  parent: number;
  name: string;
  /** includes the file type */
  mode: number;
  mtime: number;
  atime: number;
  ctime: number;
  /** bytes of a file, else 0 */
  size: number;
  /** the smallest size since the last frame; Infinity if it only grew */
  cut: number;
  /** of a symbolic link, else empty */
  target: string;
}

export function writePut(out: FrameWriter, entry: Entry) {
  out.varint(PUT);
  out.varint(entry.id);
  out.varint(entry.parent);
  out.text(entry.name);
  out.varint(entry.mode);
  out.float(entry.mtime);
  out.float(entry.atime);
  out.float(entry.ctime);
  if (isFile(entry.mode)) {
    out.varint(entry.size);
    out.varint(entry.cut < Infinity ? entry.cut + 1 : 0);
  } else if (isLink(entry.mode)) {
    out.text(entry.target);
  }
}

export function writeData(out: FrameWriter, id: number, offset: number, bytes: Uint8Array) {
  out.varint(DATA);
  out.varint(id);
  out.varint(offset);
  out.varint(bytes.length);
  out.bytes(bytes);
}

export function writeRemove(out: FrameWriter, id: number) {
  out.varint(REMOVE);
  out.varint(id);
}

function readPut(reader: FrameReader): Entry {
  const entry = {
    id: reader.varint(),
    parent: reader.varint(),
    name: reader.text(),
    mode: reader.varint(),
    mtime: reader.float(),
    atime: reader.float(),
    ctime: reader.float(),
    size: 0,
    cut: Infinity,
    target: "",
  };
  if (isFile(entry.mode)) {
    entry.size = reader.varint();
    entry.cut = (reader.varint() || Infinity) - 1;
  } else if (isLink(entry.mode)) {
    entry.target = reader.text();
  }
  return entry;
}

/**
 * Read all records of a frame in order.
 * @param into - `data` must call `read` once, with a target of `length` bytes
 */
export function readRecords(
  reader: FrameReader,
  into: {
    put(entry: Entry): void;
    data(id: number, offset: number, length: number, read: (target: Uint8Array) => void): void;
    remove(id: number): void;
  },
) {
  const read = (target: Uint8Array) => reader.bytes(target);
  while (!reader.done) {
    const kind = reader.varint();
    if (kind === PUT) into.put(readPut(reader));
    else if (kind === DATA) into.data(reader.varint(), reader.varint(), reader.varint(), read);
    else if (kind === REMOVE) into.remove(reader.varint());
    else throw new Error(`unknown kind of record: ${kind}`);
  }
}
