// The files in /bin and /usr/bin that stand for programs, which scripts look for, and `/dev/zero`, which Emscripten lacks.
import { programNames } from "./programs.js";

/** @typedef {import("./host.js").Host} Host */

const FOLDERS = ["/bin", "/usr/bin"];
/** Filesystems that have these files. @type {WeakSet<object>} */
const furnished = new WeakSet();

/** Write the files that a filesystem lacks. @param {Host} host */
export function furnish(host) {
  const { FS } = host.files;
  if (furnished.has(FS)) return;
  furnished.add(FS);
  makeZero(FS);
  for (const folder of FOLDERS) {
    FS.mkdirTree(folder);
    for (const name of programNames(host)) writeStub(FS, `${folder}/${name}`, name);
  }
}

// Of Emscripten's device; its own have smaller numbers.
const ZERO = 91;
// What a program that reads all of it gets, before it is out of memory (ENOMEM).
const MOST = 1 << 29;
const OUT_OF_MEMORY = 48;

/** @param {any} FS */
function makeZero(FS) {
  if (FS.analyzePath("/dev/zero").exists) return;
  const device = FS.makedev(ZERO, 0);
  FS.registerDevice(device, {
    open: (/** @type {any} */ stream) => void (stream.seekable = false),
    close() {},
    read(/** @type {any} */ stream, /** @type {Uint8Array} */ buffer, /** @type {number} */ offset, /** @type {number} */ length) {
      stream.given = (stream.given ?? 0) + length;
      if (stream.given > MOST) throw new FS.ErrnoError(OUT_OF_MEMORY);
      buffer.fill(0, offset, offset + length);
      return length;
    },
    write: (/** @type {any} */ _stream, /** @type {Uint8Array} */ _buffer, /** @type {number} */ _offset, /** @type {number} */ length) => length,
  });
  FS.mkdev("/dev/zero", 0o666, device);
}

/** @param {any} FS @param {string} path @param {string} name */
function writeStub(FS, path, name) {
  if (FS.analyzePath(path).exists) return;
  FS.writeFile(path, `#!/bin/bash\n# Built into the shell: ${name}\n`);
  FS.chmod(path, 0o755);
}
