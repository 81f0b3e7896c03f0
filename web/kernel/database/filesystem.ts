/**
 * An Emscripten filesystem: one flat directory over a pool of files.
 * https://emscripten.org/docs/api_reference/Filesystem-API.html
 */

/** @import { Pool, Slot } from "./pool.js" */

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
 * @param {any} FS Emscripten's FS
 * @param {Pool} pool
 * @param {string} folder absolute path
 */
export function mountPool(FS, pool, folder) {
  FS.mkdirTree(folder);
  FS.mount(new PoolFilesystem(FS, pool), {}, folder);
}

class PoolFilesystem {
  #FS;
  #pool;
  #directoryOps;
  #fileOps;
  #directoryStreamOps;
  #fileStreamOps;

  /** @param {any} FS @param {Pool} pool */
  constructor(FS, pool) {
    this.#FS = FS;
    this.#pool = pool;
    const attributes = {
      getattr: (/** @type {any} */ node) => this.#attributes(node),
      setattr: (/** @type {any} */ node, /** @type {any} */ change) => this.#setAttributes(node, change),
    };
    this.#fileOps = this.#guarded(attributes);
    this.#directoryOps = this.#guarded({ ...attributes, ...this.#namesOps() });
    this.#fileStreamOps = this.#guarded(this.#contentsOps());
    this.#directoryStreamOps = this.#guarded({ llseek: seek(() => 0, FS) });
  }

  mount() {
    return this.#node(null, "/", DIRECTORY, null);
  }

  /**
   * Convert all errors to the filesystem's own, because Python can't continue after others.
   * @param {Record<string, (...args: any[]) => any>} operations
   */
  #guarded(operations) {
    const guard = (/** @type {(...args: any[]) => any} */ operation) => (/** @type {any[]} */ ...args) => {
      try {
        return operation(...args);
      } catch (error) {
        if (error instanceof this.#FS.ErrnoError) throw error;
        const full = /** @type {Error} */ (error).name === "QuotaExceededError";
        throw new this.#FS.ErrnoError(full ? ENOSPC : EIO);
      }
    };
    return Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, guard(operation)]));
  }

  /** @param {any} parent @param {string} name @param {number} mode @param {Slot | null} slot null for the directory */
  #node(parent, name, mode, slot) {
    const node = this.#FS.createNode(parent, name, mode, 0);
    node.node_ops = slot ? this.#fileOps : this.#directoryOps;
    node.stream_ops = slot ? this.#fileStreamOps : this.#directoryStreamOps;
    node.slot = slot;
    return node;
  }

  /** @param {any} node */
  #attributes({ id, mode, slot }) {
    const size = slot ? this.#pool.size(slot) : 4096;
    const time = new Date(slot?.time ?? Date.now());
    return {
      dev: 1, ino: id, mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size,
      atime: time, mtime: time, ctime: time, blksize: 4096, blocks: Math.ceil(size / 512),
    };
  }

  /** @param {any} node @param {{size?: number, mode?: number}} change modes aren't saved, times aren't set */
  #setAttributes(node, { size, mode }) {
    if (mode !== undefined) node.mode = mode;
    if (size !== undefined && node.slot) this.#pool.truncate(node.slot, size);
  }

  #namesOps() {
    return {
      lookup: (/** @type {any} */ parent, /** @type {string} */ name) =>
        this.#node(parent, name, FILE, this.#find(name)),
      mknod: (/** @type {any} */ parent, /** @type {string} */ name, /** @type {number} */ mode) => {
        if (!this.#FS.isFile(mode)) throw new this.#FS.ErrnoError(EPERM);
        const slot = this.#pool.create(name);
        if (!slot) throw new this.#FS.ErrnoError(ENOSPC);
        return this.#node(parent, name, mode, slot);
      },
      unlink: (/** @type {any} */ parent, /** @type {string} */ name) => {
        const slot = this.#find(name);
        this.#detach(parent, name);
        this.#pool.remove(slot);
      },
      rename: (/** @type {any} */ node, /** @type {any} */ parent, /** @type {string} */ name) => {
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
      read: (/** @type {any} */ { node }, /** @type {Uint8Array} */ buffer, /** @type {number} */ offset,
        /** @type {number} */ length, /** @type {number} */ position) =>
        this.#pool.read(node.slot, buffer.subarray(offset, offset + length), position),
      write: (/** @type {any} */ { node }, /** @type {Uint8Array} */ buffer, /** @type {number} */ offset,
        /** @type {number} */ length, /** @type {number} */ position) =>
        this.#pool.write(node.slot, buffer.subarray(offset, offset + length), position),
      llseek: seek(({ slot }) => this.#pool.size(slot), this.#FS),
      fsync: (/** @type {any} */ { node }) => {
        this.#pool.flush(node.slot);
        return 0;
      },
    };
  }

  /** Detach a removed file from its slot, which is reused. Open streams then get errors. @param {any} parent @param {string} name */
  #detach(parent, name) {
    const node = this.#FS.lookupNode(parent, name);
    node.slot = null;
    return node;
  }

  /** @param {string} name @returns {Slot} */
  #find(name) {
    const slot = this.#pool.find(name);
    if (!slot) throw new this.#FS.ErrnoError(ENOENT);
    return slot;
  }
}

/**
 * @param {(node: any) => number} sizeOf
 * @param {any} FS
 * @returns {(stream: any, offset: number, whence: number) => number}
 */
function seek(sizeOf, FS) {
  return ({ node, position }, offset, whence) => {
    const from = whence === 1 ? position : whence === 2 ? sizeOf(node) : 0;
    if (from + offset < 0) throw new FS.ErrnoError(EINVAL);
    return from + offset;
  };
}
