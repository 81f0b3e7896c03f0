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

/** @import {FrameReader} from "./frame_reader.js" */
/** @import {FrameWriter} from "./frame_writer.js" */

const PUT = 1;
const DATA = 2;
const REMOVE = 3;

/** POSIX file types, as in a mode. */
const TYPE = 0o170000;
const FILE = 0o100000;
const DIRECTORY = 0o040000;
const LINK = 0o120000;

/** @param {number} mode */
export const isFile = (mode) => (mode & TYPE) === FILE;
/** @param {number} mode */
export const isDirectory = (mode) => (mode & TYPE) === DIRECTORY;
/** @param {number} mode */
export const isLink = (mode) => (mode & TYPE) === LINK;

/**
 * Times are milliseconds since 1970.
 * @typedef {object} Entry
 * @property {number} id positive
 * @property {number} parent its directory's id, 0 for a root
 * @property {string} name
 * @property {number} mode includes the file type
 * @property {number} mtime
 * @property {number} atime
 * @property {number} ctime
 * @property {number} size bytes of a file, else 0
 * @property {number} cut the smallest size since the last frame; Infinity if it only grew
 * @property {string} target of a symbolic link, else empty
 */

/**
 * @param {FrameWriter} out
 * @param {Entry} entry
 */
export function writePut(out, entry) {
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

/**
 * @param {FrameWriter} out
 * @param {number} id
 * @param {number} offset
 * @param {Uint8Array} bytes
 */
export function writeData(out, id, offset, bytes) {
  out.varint(DATA);
  out.varint(id);
  out.varint(offset);
  out.varint(bytes.length);
  out.bytes(bytes);
}

/**
 * @param {FrameWriter} out
 * @param {number} id
 */
export function writeRemove(out, id) {
  out.varint(REMOVE);
  out.varint(id);
}

/**
 * @param {FrameReader} reader
 * @returns {Entry}
 */
function readPut(reader) {
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
 * @param {FrameReader} reader
 * @param {{
 *   put(entry: Entry): void,
 *   data(id: number, offset: number, length: number, read: (target: Uint8Array) => void): void,
 *   remove(id: number): void,
 * }} into `data` must call `read` once, with a target of `length` bytes
 */
export function readRecords(reader, into) {
  const read = (/** @type {Uint8Array} */ target) => reader.bytes(target);
  while (!reader.done) {
    const kind = reader.varint();
    if (kind === PUT) into.put(readPut(reader));
    else if (kind === DATA) into.data(reader.varint(), reader.varint(), reader.varint(), read);
    else if (kind === REMOVE) into.remove(reader.varint());
    else throw new Error(`unknown kind of record: ${kind}`);
  }
}
