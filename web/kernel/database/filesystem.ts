/**
 * An Emscripten filesystem: one flat directory over a pool of files.
 * https://emscripten.org/docs/api_reference/Filesystem-API.html
 */

import type { Attributes, FileSystem, FSNode, FSStream } from "../emscripten.ts";
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
export function mountPool(FS: FileSystem, pool: Pool, folder: string) {
  FS.mkdirTree(folder);
  FS.mount(new PoolFilesystem(FS, pool), {}, folder);
}

interface PoolNode extends FSNode {
  /** null of the directory, and of a removed file */
  slot?: Slot | null;
}

type PoolStream = FSStream & { node: PoolNode };

class PoolFilesystem {
  #FS: FileSystem;
  #pool: Pool;
  #directoryOps;
  #fileOps;
  #directoryStreamOps;
  #fileStreamOps;

  constructor(FS: FileSystem, pool: Pool) {
    this.#FS = FS;
    this.#pool = pool;
    const attributes = {
      getattr: (node: PoolNode) => this.#attributes(node),
      setattr: (node: PoolNode, change: Attributes) => this.#setAttributes(node, change),
    };
    this.#fileOps = this.#guarded(attributes);
    this.#directoryOps = this.#guarded({ ...attributes, ...this.#namesOps() });
    this.#fileStreamOps = this.#guarded(this.#contentsOps());
    this.#directoryStreamOps = this.#guarded({ llseek: seek(() => 0, FS) });
  }

  mount(): PoolNode {
    return this.#node(null, "/", DIRECTORY, null);
  }

  /** Convert all errors to the filesystem's own, because Python can't continue after others. */
  #guarded<Operations extends object>(operations: Operations): Operations {
    const guard =
      (operation: Function) =>
      (...args: unknown[]) => {
        try {
          return operation(...args);
        } catch (error) {
          if (error instanceof this.#FS.ErrnoError) throw error;
          const full = error instanceof Error && error.name === "QuotaExceededError";
          throw new this.#FS.ErrnoError(full ? ENOSPC : EIO);
        }
      };
    const guarded = Object.entries(operations).map(([name, operation]) => [name, guard(operation)]);
    return Object.assign({}, operations, Object.fromEntries(guarded));
  }

  /** @param slot - null for the directory */
  #node(parent: FSNode | null, name: string, mode: number, slot: Slot | null): PoolNode {
    return Object.assign(this.#FS.createNode(parent, name, mode, 0), {
      node_ops: slot ? this.#fileOps : this.#directoryOps,
      stream_ops: slot ? this.#fileStreamOps : this.#directoryStreamOps,
      slot,
    });
  }

  #attributes({ id, mode, slot }: PoolNode) {
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
  #setAttributes(node: PoolNode, { size, mode }: Attributes) {
    if (mode !== undefined && mode !== null) node.mode = mode;
    if (size !== undefined && node.slot) this.#pool.truncate(node.slot, size);
  }

  #namesOps() {
    return {
      lookup: (parent: FSNode, name: string) => this.#node(parent, name, FILE, this.#find(name)),
      mknod: (parent: FSNode, name: string, mode: number) => {
        if (!this.#FS.isFile(mode)) throw new this.#FS.ErrnoError(EPERM);
        const slot = this.#pool.create(name);
        if (!slot) throw new this.#FS.ErrnoError(ENOSPC);
        return this.#node(parent, name, mode, slot);
      },
      unlink: (parent: FSNode, name: string) => {
        const slot = this.#find(name);
        this.#detach(parent, name);
        this.#pool.remove(slot);
      },
      rename: (node: PoolNode, parent: FSNode, name: string) => {
        if (this.#pool.find(name)) this.#FS.hashRemoveNode(this.#detach(parent, name));
        this.#pool.rename(slotOf(node), name);
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
      read: ({ node }: PoolStream, buffer: Uint8Array, offset: number, length: number, position: number) =>
        this.#pool.read(slotOf(node), buffer.subarray(offset, offset + length), position),
      write: ({ node }: PoolStream, buffer: Uint8Array, offset: number, length: number, position: number) =>
        this.#pool.write(slotOf(node), buffer.subarray(offset, offset + length), position),
      llseek: seek((node) => this.#pool.size(slotOf(node)), this.#FS),
      fsync: ({ node }: PoolStream) => {
        this.#pool.flush(slotOf(node));
        return 0;
      },
    };
  }

  /** Detach a removed file from its slot, which is reused. Open streams then get errors. */
  #detach(parent: FSNode, name: string) {
    const node: PoolNode = this.#FS.lookupNode(parent, name);
    node.slot = null;
    return node;
  }

  #find(name: string): Slot {
    const slot = this.#pool.find(name);
    if (!slot) throw new this.#FS.ErrnoError(ENOENT);
    return slot;
  }
}

/** @throws {TypeError} the file was removed */
function slotOf({ slot }: PoolNode): Slot {
  if (!slot) throw new TypeError("The file has no place in the pool any more.");
  return slot;
}

function seek(
  sizeOf: (node: PoolNode) => number,
  FS: FileSystem,
): (stream: FSStream, offset: number, whence: number) => number {
  return ({ node, position }, offset, whence) => {
    const from = whence === 1 ? position : whence === 2 ? sizeOf(node) : 0;
    if (from + offset < 0) throw new FS.ErrnoError(EINVAL);
    return from + offset;
  };
}
