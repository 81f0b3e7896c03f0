// What node:fs returns of a file.
const TYPES = {
  File: 0o100000,
  Directory: 0o040000,
  SymbolicLink: 0o120000,
  CharacterDevice: 0o020000,
  BlockDevice: 0o060000,
  FIFO: 0o010000,
  Socket: 0o140000,
};
const MASK = 0o170000;

/** in milliseconds; the rest is Linux's `stat` */
interface Fields {
  mode: number;
  size: number;
  atimeMs: number;
  mtimeMs: number;
  ctimeMs: number;
}

/** Its methods are defined below. */
export class Stats {
  declare mode: number;
  declare size: number;
  declare isFile: () => boolean;
  declare isDirectory: () => boolean;
  declare isSymbolicLink: () => boolean;

  /** @param fields - as web/kernel/node/files.ts answers them */
  constructor(fields: Fields) {
    const { atimeMs, mtimeMs, ctimeMs, ...rest } = fields;
    Object.assign(this, rest, { atimeMs, mtimeMs, ctimeMs, birthtimeMs: ctimeMs });
    const times = { atime: atimeMs, mtime: mtimeMs, ctime: ctimeMs, birthtime: ctimeMs };
    for (const [name, ms] of Object.entries(times)) Object.assign(this, { [name]: new Date(ms) });
  }
}

export class Dirent {
  declare name: string;
  declare parentPath: string;
  declare isDirectory: () => boolean;

  constructor(name: string, parentPath: string, mode: number) {
    Object.assign(this, { name, parentPath, path: parentPath });
    Object.defineProperty(this, "mode", { value: mode, enumerable: false });
  }
}

for (const owner of [Stats, Dirent]) {
  for (const [name, type] of Object.entries(TYPES)) {
    const value = function (this: { mode: number }) {
      return (this.mode & MASK) === type;
    };
    Object.defineProperty(owner.prototype, `is${name}`, { value, configurable: true, writable: true });
  }
}
