// Unpacks archives of files (POSIX.1-1988 ustar) into Pyodide's filesystem.

const BLOCK = 512;
// Where the fields of a header are, as offset and length.
const NAME = [0, 100];
const SIZE = [124, 12];
const PREFIX = [345, 155];

/**
 * The files share the archive's memory, which costs no copy: nobody else may change it from now on.
 * @param {any} FS Pyodide's `FS`
 * @param {ArrayBuffer} archive of plain files
 * @param {string} folder absolute path; directories are made as they are needed
 */
export function unpack(FS, archive, folder) {
  const bytes = new Uint8Array(archive);
  const decoder = new TextDecoder();
  const made = new Set();
  let at = 0;
  const text = (/** @type {number[]} */ [offset, length]) => {
    const field = bytes.subarray(at + offset, at + offset + length);
    const end = field.indexOf(0);
    return decoder.decode(end < 0 ? field : field.subarray(0, end));
  };
  // Blocks of zeros end it.
  while (at + BLOCK <= bytes.length && bytes[at]) {
    const prefix = text(PREFIX);
    const path = `${folder}/${prefix && `${prefix}/`}${text(NAME)}`;
    const size = parseInt(text(SIZE), 8);
    const directory = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(directory)) FS.mkdirTree(directory);
    made.add(directory);
    const start = at + BLOCK;
    FS.writeFile(path, bytes.subarray(start, start + size), { canOwn: true });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}
