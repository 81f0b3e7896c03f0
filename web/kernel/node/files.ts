// The files of a program of `node`: calls of node:fs on Pyodide's filesystem. Paths are absolute.
import { errnoOf, type FileSystem, type FSStream, type Stats } from "../emscripten.ts";
import type { Answer } from "./memory.ts";
import { ERRORS } from "../system_errors.ts";

/** @param stat - of Emscripten's FS */
const plain = ({ dev, ino, mode, nlink, uid, gid, rdev, size, blksize, blocks, atime, mtime, ctime }: Stats) => ({
  ...{ dev, ino, mode, nlink, uid, gid, rdev, size, blksize, blocks },
  ...{ atimeMs: Number(atime), mtimeMs: Number(mtime), ctimeMs: Number(ctime) },
});

/**
 * Describe an error of Emscripten's FS.
 * @throws any other error
 */
export function problemOf(error: unknown): { code: string; text: string } {
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  const [code, text] = ERRORS[errno] ?? ["EIO", `i/o error ${errno}`];
  return { code, text };
}

export class ProgramFiles {
  FS: FileSystem;
  umask: number;
  /** The open files, by number. */
  opened = new Map<number, FSStream>();
  last = 2;

  constructor(FS: FileSystem, umask: number) {
    this.FS = FS;
    this.umask = umask;
  }

  stream(number: number) {
    const stream = this.opened.get(number);
    if (!stream) throw new this.FS.ErrnoError(8);
    return stream;
  }

  /** Perform the operation that another worker asks for by its name. */
  perform(call: string, args: unknown[]): Answer {
    const operation: unknown = Reflect.get(this, call);
    if (typeof operation !== "function") throw new TypeError(`There is no operation ${call}.`);
    return Reflect.apply(operation, this, args);
  }

  closeAll() {
    for (const number of [...this.opened.keys()]) this.close(number);
  }

  open(path: string, flags: number, mode: number) {
    const stream = this.FS.open(path, flags, mode & ~this.umask);
    let number = 3;
    while (this.opened.has(number)) number++;
    this.opened.set(number, stream);
    return { value: number };
  }
  close(number: number) {
    this.FS.close(this.stream(number));
    this.opened.delete(number);
    return {};
  }
  read(number: number, count: number, position: number | undefined) {
    const bytes = new Uint8Array(count);
    return { bytes: bytes.subarray(0, this.FS.read(this.stream(number), bytes, 0, count, position)) };
  }
  write(number: number, bytes: Uint8Array, position: number | undefined) {
    return { value: bytes.length ? this.FS.write(this.stream(number), bytes, 0, bytes.length, position) : 0 };
  }
  readFile(path: string) {
    if (this.FS.isDir(this.FS.stat(path).mode)) throw new this.FS.ErrnoError(31);
    return { bytes: this.FS.readFile(path) };
  }
  stat(path: string, follows: boolean) {
    return { value: plain(follows ? this.FS.stat(path) : this.FS.lstat(path)) };
  }
  fstat(number: number) {
    return { value: plain(this.FS.fstat?.(this.stream(number).fd) ?? this.FS.stat(this.stream(number).path)) };
  }
  readdir(path: string) {
    const names = this.FS.readdir(path)
      .filter((name: string) => name !== "." && name !== "..")
      .sort();
    return { value: names.map((name: string) => [name, this.FS.lstat(`${path}/${name}`).mode]) };
  }
  mkdir(path: string, mode: number) {
    this.FS.mkdir(path, mode & ~this.umask);
    return {};
  }
  rmdir(path: string) {
    this.FS.rmdir(path);
    return {};
  }
  unlink(path: string) {
    this.FS.unlink(path);
    return {};
  }
  rename(from: string, to: string) {
    this.FS.rename(from, to);
    return {};
  }
  readlink(path: string) {
    return { value: this.FS.readlink(path) };
  }
  symlink(target: string, path: string) {
    this.FS.symlink(target, path);
    return {};
  }
  chmod(path: string, mode: number) {
    this.FS.chmod(path, mode);
    return {};
  }
  /** @param atime - in milliseconds */
  utimes(path: string, atime: number, mtime: number) {
    this.FS.utime(path, atime, mtime);
    return {};
  }
  truncate(path: string, length: number) {
    this.FS.truncate(path, length);
    return {};
  }
  ftruncate(number: number, length: number) {
    this.FS.ftruncate(this.stream(number).fd, length);
    return {};
  }
  realpath(path: string) {
    return { value: this.FS.lookupPath(path, { follow: true }).path };
  }
  access(path: string, mode: number) {
    const stat = this.FS.stat(path);
    if (((stat.mode >> 6) & mode) !== mode) throw new this.FS.ErrnoError(2);
    return {};
  }
}
