/**
 * An Emscripten filesystem: one flat directory over a pool of files.
 * https://emscripten.org/docs/api_reference/Filesystem-API.html
 */

import type { Pool, Slot } from "./pool.ts";

// Emscripten uses WASI's error numbers.
const EACCES = 2;
const EINVAL = 28;
const EIO = 29;
const ENOENT = 44;
const ENOSPC = 51;
const EPERM = 63;
const DIRECTORY = 0o40755;
const FILE = 0o100644;

/**
 * Mount a pool's files in a folder.
 * @param FS - Emscripten's FS
 * @param folder - absolute path
 */
export function mountPool(FS: any, pool: Pool, folder: string) {
  FS.mkdirTree(folder);
  FS.mount(new PoolFilesystem(FS, pool), {}, folder);
}

class PoolFilesystem {
  #FS: any;
  #pool: Pool;
  #directoryOps;
  #fileOps;
  #directoryStreamOps;
  #fileStreamOps;

  constructor(FS: any, pool: Pool) {
    this.#FS = FS;
    this.#pool = pool;
    const attributes = {
      getattr: (node: any) => this.#attributes(node),
      setattr: (node: any, change: any) => this.#setAttributes(node, change),
    };
    this.#fileOps = this.#guarded(attributes);
    this.#directoryOps = this.#guarded({ ...attributes, ...this.#namesOps() });
    this.#fileStreamOps = this.#guarded(this.#contentsOps());
    this.#directoryStreamOps = this.#guarded({ llseek: seek(() => 0, FS) });
  }

  mount() {
    return this.#node(null, "/", DIRECTORY, null);
  }

  /** Convert all errors to the filesystem's own, because Python can't continue after others. */
  #guarded(operations: Record<string, (...args: any[]) => any>) {
    const guard =
      (operation: (...args: any[]) => any) =>
      (...args: any[]) => {
        try {
          return operation(...args);
        } catch (error) {
          if (error instanceof this.#FS.ErrnoError) throw error;
          const full = (error as Error).name === "QuotaExceededError";
          throw new this.#FS.ErrnoError(full ? ENOSPC : EIO);
        }
      };
    return Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, guard(operation)]));
  }

  /** @param slot - null for the directory */
  #node(parent: any, name: string, mode: number, slot: Slot | null) {
    const node = this.#FS.createNode(parent, name, mode, 0);
    node.node_ops = slot ? this.#fileOps : this.#directoryOps;
    node.stream_ops = slot ? this.#fileStreamOps : this.#directoryStreamOps;
    node.slot = slot;
    return node;
  }

  #attributes({ id, mode, slot }: any) {
    const size = slot ? this.#pool.size(slot) : 4096;
    const time = new Date(slot?.time ?? Date.now());
    return {
      dev: 1,
      ino: id,
      mode,
      nlink: 1,
      uid: 0,
      gid: 0,
      rdev: 0,
      size,
      atime: time,
      mtime: time,
      ctime: time,
      blksize: 4096,
      blocks: Math.ceil(size / 512),
    };
  }

  /** @param change - modes aren't saved, times aren't set */
  #setAttributes(node: any, { size, mode }: { size?: number; mode?: number }) {
    if (mode !== undefined) node.mode = mode;
    if (size !== undefined && node.slot) this.#pool.truncate(node.slot, size);
  }

  #namesOps() {
    return {
      lookup: (parent: any, name: string) => this.#node(parent, name, FILE, this.#find(name)),
      mknod: (parent: any, name: string, mode: number) => {
        if (!this.#FS.isFile(mode)) throw new this.#FS.ErrnoError(EPERM);
        const slot = this.#pool.create(name);
        if (!slot) throw new this.#FS.ErrnoError(ENOSPC);
        return this.#node(parent, name, mode, slot);
      },
      unlink: (parent: any, name: string) => {
        const slot = this.#find(name);
        this.#detach(parent, name);
        this.#pool.remove(slot);
      },
      rename: (node: any, parent: any, name: string) => {
        if (this.#pool.find(name)) this.#FS.hashRemoveNode(this.#detach(parent, name));
        this.#pool.rename(node.slot, name);
        node.name = name;
      },
      readdir: () => [".", "..", ...this.#pool.files.map(({ name }) => name)],
      rmdir: () => {
        throw new this.#FS.ErrnoError(EACCES);
      },
      symlink: () => {
        throw new this.#FS.ErrnoError(EPERM);
      },
    };
  }

  #contentsOps() {
    return {
      read: ({ node }: any, buffer: Uint8Array, offset: number, length: number, position: number) =>
        this.#pool.read(node.slot, buffer.subarray(offset, offset + length), position),
      write: ({ node }: any, buffer: Uint8Array, offset: number, length: number, position: number) =>
        this.#pool.write(node.slot, buffer.subarray(offset, offset + length), position),
      llseek: seek(({ slot }) => this.#pool.size(slot), this.#FS),
      fsync: ({ node }: any) => {
        this.#pool.flush(node.slot);
        return 0;
      },
    };
  }

  /** Detach a removed file from its slot, which is reused. Open streams then get errors. */
  #detach(parent: any, name: string) {
    const node = this.#FS.lookupNode(parent, name);
    node.slot = null;
    return node;
  }

  #find(name: string): Slot {
    const slot = this.#pool.find(name);
    if (!slot) throw new this.#FS.ErrnoError(ENOENT);
    return slot;
  }
}

function seek(sizeOf: (node: any) => number, FS: any): (stream: any, offset: number, whence: number) => number {
  return ({ node, position }, offset, whence) => {
    const from = whence === 1 ? position : whence === 2 ? sizeOf(node) : 0;
    if (from + offset < 0) throw new FS.ErrnoError(EINVAL);
    return from + offset;
  };
}
