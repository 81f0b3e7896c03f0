// The files of a program of `node`: calls of node:fs on Pyodide's filesystem. Paths are absolute.
import { ERRORS } from "../system_errors.js";

/** @typedef {import("./memory.js").Answer} Answer */

/** @param {any} stat of Emscripten's FS */
const plain = ({ dev, ino, mode, nlink, uid, gid, rdev, size, blksize, blocks, atime, mtime, ctime }) => ({
  ...{ dev, ino, mode, nlink, uid, gid, rdev, size, blksize, blocks },
  ...{ atimeMs: Number(atime), mtimeMs: Number(mtime), ctimeMs: Number(ctime) },
});

/** Describe an error of Emscripten's FS. @param {any} error @returns {{ code: string, text: string }} @throws any other error */
export function problemOf(error) {
  if (typeof error?.errno !== "number") throw error;
  const [code, text] = ERRORS[error.errno] ?? ["EIO", `i/o error ${error.errno}`];
  return { code, text };
}

export class ProgramFiles {
  /** @param {any} FS @param {number} umask */
  constructor(FS, umask) {
    this.FS = FS;
    this.umask = umask;
    /** The open files, by number. @type {Map<number, any>} */
    this.opened = new Map();
    this.last = 2;
  }

  /** @param {number} number */
  stream(number) {
    const stream = this.opened.get(number);
    if (!stream) throw new this.FS.ErrnoError(8);
    return stream;
  }

  closeAll() {
    for (const number of [...this.opened.keys()]) this.close(number);
  }

  /** @param {string} path @param {number} flags @param {number} mode */
  open(path, flags, mode) {
    const stream = this.FS.open(path, flags, mode & ~this.umask);
    let number = 3;
    while (this.opened.has(number)) number++;
    this.opened.set(number, stream);
    return { value: number };
  }
  /** @param {number} number */
  close(number) {
    this.FS.close(this.stream(number));
    this.opened.delete(number);
    return {};
  }
  /** @param {number} number @param {number} count @param {number | undefined} position */
  read(number, count, position) {
    const bytes = new Uint8Array(count);
    return { bytes: bytes.subarray(0, this.FS.read(this.stream(number), bytes, 0, count, position)) };
  }
  /** @param {number} number @param {Uint8Array} bytes @param {number | undefined} position */
  write(number, bytes, position) {
    return { value: bytes.length ? this.FS.write(this.stream(number), bytes, 0, bytes.length, position) : 0 };
  }
  /** @param {string} path */
  readFile(path) {
    if (this.FS.isDir(this.FS.stat(path).mode)) throw new this.FS.ErrnoError(31);
    return { bytes: this.FS.readFile(path) };
  }
  /** @param {string} path @param {boolean} follows */
  stat(path, follows) {
    return { value: plain(follows ? this.FS.stat(path) : this.FS.lstat(path)) };
  }
  /** @param {number} number */
  fstat(number) {
    return { value: plain(this.FS.fstat?.(this.stream(number).fd) ?? this.FS.stat(this.stream(number).path)) };
  }
  /** @param {string} path */
  readdir(path) {
    const names = this.FS.readdir(path).filter((/** @type {string} */ name) => name !== "." && name !== "..").sort();
    return { value: names.map((/** @type {string} */ name) => [name, this.FS.lstat(`${path}/${name}`).mode]) };
  }
  /** @param {string} path @param {number} mode */
  mkdir(path, mode) {
    this.FS.mkdir(path, mode & ~this.umask);
    return {};
  }
  /** @param {string} path */
  rmdir(path) {
    this.FS.rmdir(path);
    return {};
  }
  /** @param {string} path */
  unlink(path) {
    this.FS.unlink(path);
    return {};
  }
  /** @param {string} from @param {string} to */
  rename(from, to) {
    this.FS.rename(from, to);
    return {};
  }
  /** @param {string} path */
  readlink(path) {
    return { value: this.FS.readlink(path) };
  }
  /** @param {string} target @param {string} path */
  symlink(target, path) {
    this.FS.symlink(target, path);
    return {};
  }
  /** @param {string} path @param {number} mode */
  chmod(path, mode) {
    this.FS.chmod(path, mode);
    return {};
  }
  /** @param {string} path @param {number} atime in milliseconds @param {number} mtime */
  utimes(path, atime, mtime) {
    this.FS.utime(path, atime, mtime);
    return {};
  }
  /** @param {string} path @param {number} length */
  truncate(path, length) {
    this.FS.truncate(path, length);
    return {};
  }
  /** @param {number} number @param {number} length */
  ftruncate(number, length) {
    this.FS.ftruncate(this.stream(number).fd, length);
    return {};
  }
  /** @param {string} path */
  realpath(path) {
    return { value: this.FS.lookupPath(path, { follow: true }).path };
  }
  /** @param {string} path @param {number} mode */
  access(path, mode) {
    const stat = this.FS.stat(path);
    if (((stat.mode >> 6) & mode) !== mode) throw new this.FS.ErrnoError(2);
    return {};
  }
}
