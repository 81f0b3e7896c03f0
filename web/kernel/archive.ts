// Unpacks tar archives (POSIX.1-1988 ustar) into Pyodide's filesystem.

import type { FileSystem } from "./emscripten.ts";

const BLOCK = 512;
// Header fields: offset and length.
const NAME = [0, 100];
const SIZE = [124, 12];
const PREFIX = [345, 155];

/**
 * Unpack an archive without copying. The files share the archive's memory, so callers must not change it afterwards.
 * @param FS - Pyodide's `FS`
 * @param archive - contains plain files only
 * @param folder - absolute path; missing directories are created
 */
export function unpack(FS: FileSystem, archive: ArrayBuffer, folder: string) {
  const bytes = new Uint8Array(archive);
  const decoder = new TextDecoder();
  const created = new Set();
  let at = 0;
  const text = ([offset, length]: number[]) => {
    const field = bytes.subarray(at + offset, at + offset + length);
    const end = field.indexOf(0);
    return decoder.decode(end < 0 ? field : field.subarray(0, end));
  };
  // Blocks of zeros end the archive.
  while (at + BLOCK <= bytes.length && bytes[at]) {
    const prefix = text(PREFIX);
    const path = `${folder}/${prefix && `${prefix}/`}${text(NAME)}`;
    const size = parseInt(text(SIZE), 8);
    const directory = path.slice(0, path.lastIndexOf("/"));
    if (!created.has(directory)) FS.mkdirTree(directory);
    created.add(directory);
    const start = at + BLOCK;
    FS.writeFile(path, bytes.subarray(start, start + size), { canOwn: true });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}
