/**
 * The kernel's files in an interpreter of an agent's own: an Emscripten filesystem whose operations the kernel performs,
 * since only one worker may own the files. https://emscripten.org/docs/api_reference/Filesystem-API.html
 *
 * @typedef {(call: string, ...args: any[]) => import("../node/memory.js").Answer} Ask asks the kernel, and waits
 */

import { ERRORS } from "../system_errors.js";

const NUMBERS = new Map(Object.entries(ERRORS).map(([number, [code]]) => [code, Number(number)]));
const EINVAL = 28;
const EIO = 29;
const ENODEV = 43;
const DIRECTORY = 0o40755;
const APPEND = 0o2000;
// O_CREAT, O_EXCL and O_TRUNC: Emscripten has handled them when it opens the stream.
const ONCE = 0o100 | 0o200 | 0o1000;
const NEW_FILE = 0o301;

export class KernelFiles {
  /** @param {any} module Emscripten's @param {any} FS @param {Ask} ask */
  constructor(module, FS, ask) {
    this.module = module;
    this.FS = FS;
    this.ask = ask;
    this.nodeOps = this.#nodeOps();
    this.streamOps = this.#streamOps();
  }

  /** Show the kernel's folders at the same places. @param {string[]} roots absolute paths */
  mountAll(roots) {
    const { FS } = this;
    // The kernel and other interpreters change files, too, so no name is remembered.
    const { hashAddNode, rename } = FS;
    FS.hashAddNode = (/** @type {any} */ node) => node.mount?.type === this || hashAddNode(node);
    for (const root of roots) {
      FS.mkdirTree(root);
      FS.mount(this, { root }, root);
    }
    // Emscripten refuses to move files from one of the folders to another.
    const rootOf = (/** @type {string} */ path) => roots.find((root) => path.startsWith(`${root}/`));
    FS.rename = (/** @type {string} */ from, /** @type {string} */ to) => {
      const [whole, target] = [this.#absolute(from), this.#absolute(to)];
      const [root, other] = [rootOf(whole), rootOf(target)];
      if (root === undefined || other === undefined || root === other) return rename(from, to);
      return void this.#call("rename", whole, target);
    };
  }

  /** @param {string} path @returns {string} without `.` and `..` */
  #absolute(path) {
    /** @type {string[]} */
    const names = [];
    for (const part of (path.startsWith("/") ? path : `${this.FS.cwd()}/${path}`).split("/")) {
      if (part === "..") names.pop();
      else if (part !== "" && part !== ".") names.push(part);
    }
    return `/${names.join("/")}`;
  }

  /** @param {any} mount */
  mount(mount) {
    return this.#node(null, "/", DIRECTORY, mount);
  }

  /** @param {any} parent @param {string} name @param {number} mode @param {any} [mount] */
  #node(parent, name, mode, mount) {
    const node = this.FS.createNode(parent, name, mode, 0);
    node.node_ops = this.nodeOps;
    node.stream_ops = this.streamOps;
    if (mount) node.mount = mount;
    return node;
  }

  /** @param {any} node @param {string} [name] of an entry @returns {string} the path in the kernel */
  #path(node, name) {
    const names = name === undefined ? [] : [name];
    let at = node;
    for (; at !== at.parent; at = at.parent) names.unshift(at.name);
    return [at.mount.opts.root, ...names].join("/");
  }

  /** @param {string} call @param {...any} args @throws {FS.ErrnoError} */
  #call(call, ...args) {
    const { problem, ...answer } = this.ask(call, ...args);
    if (problem) throw new this.FS.ErrnoError(NUMBERS.get(problem.code) ?? EIO);
    return answer;
  }

  /** @param {any} node */
  #attributes(node) {
    const { atimeMs, mtimeMs, ctimeMs, ...rest } = this.#call("stat", this.#path(node), false).value;
    node.mode = rest.mode;
    return { ...rest, atime: new Date(atimeMs), mtime: new Date(mtimeMs), ctime: new Date(ctimeMs) };
  }

  #nodeOps() {
    const path = (/** @type {any} */ node, /** @type {string | undefined} */ name = undefined) => this.#path(node, name);
    return {
      getattr: (/** @type {any} */ node) => this.#attributes(node),
      // The kernel sets the times of what it changes.
      setattr: (/** @type {any} */ node, /** @type {any} */ { mode, size, atime, mtime }) => {
        if (mode !== undefined && mode !== null) {
          this.#call("chmod", path(node), mode & 0o7777);
          node.mode = mode;
        }
        if (atime !== undefined && mtime !== undefined) this.#call("utimes", path(node), Number(atime), Number(mtime));
        if (size !== undefined) this.#call("truncate", path(node), size);
      },
      lookup: (/** @type {any} */ parent, /** @type {string} */ name) =>
        this.#node(parent, name, this.#call("stat", path(parent, name), false).value.mode),
      mknod: (/** @type {any} */ parent, /** @type {string} */ name, /** @type {number} */ mode) => {
        if (this.FS.isDir(mode)) this.#call("mkdir", path(parent, name), mode & 0o7777);
        else if (this.FS.isFile(mode)) this.#call("close", this.#call("open", path(parent, name), NEW_FILE, mode & 0o7777).value);
        else throw new this.FS.ErrnoError(ENODEV);
        return this.#node(parent, name, mode);
      },
      rename: (/** @type {any} */ node, /** @type {any} */ parent, /** @type {string} */ name) => {
        this.#call("rename", path(node), path(parent, name));
        node.name = name;
      },
      unlink: (/** @type {any} */ parent, /** @type {string} */ name) => void this.#call("unlink", path(parent, name)),
      rmdir: (/** @type {any} */ parent, /** @type {string} */ name) => void this.#call("rmdir", path(parent, name)),
      readdir: (/** @type {any} */ node) =>
        [".", "..", ...this.#call("readdir", path(node)).value.map((/** @type {[string, number]} */ [name]) => name)],
      symlink: (/** @type {any} */ parent, /** @type {string} */ name, /** @type {string} */ target) => {
        this.#call("symlink", target, path(parent, name));
        return this.#node(parent, name, 0o120777);
      },
      readlink: (/** @type {any} */ node) => this.#call("readlink", path(node)).value,
    };
  }

  #streamOps() {
    return {
      open: (/** @type {any} */ stream) => {
        if (!this.FS.isFile(stream.node.mode)) return;
        stream.number = this.#call("open", this.#path(stream.node), stream.flags & ~ONCE, 0).value;
        stream.shared.refcount = 1;
      },
      dup: (/** @type {any} */ stream) => void stream.shared.refcount++,
      close: (/** @type {any} */ stream) => {
        if (stream.number !== undefined && --stream.shared.refcount === 0) this.#call("close", stream.number);
      },
      read: (/** @type {any} */ stream, /** @type {Int8Array} */ buffer, /** @type {number} */ offset, /** @type {number} */ length,
        /** @type {number} */ position) => {
        const bytes = /** @type {Uint8Array} */ (this.#call("read", stream.number, length, position).bytes);
        buffer.set(bytes, offset);
        return bytes.length;
      },
      // The kernel has all bytes of a call, or none, so that an interpreter that ends leaves no part of it.
      write: (/** @type {any} */ stream, /** @type {Int8Array} */ buffer, /** @type {number} */ offset, /** @type {number} */ length,
        /** @type {number} */ position) => {
        const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length).slice();
        return this.#call("write", stream.number, bytes, stream.flags & APPEND ? undefined : position).value;
      },
      llseek: (/** @type {any} */ stream, /** @type {number} */ offset, /** @type {number} */ whence) => {
        const size = () => (stream.number === undefined ? 0 : this.#call("fstat", stream.number).value.size);
        const place = offset + (whence === 1 ? stream.position : whence === 2 ? size() : 0);
        if (place < 0) throw new this.FS.ErrnoError(EINVAL);
        return place;
      },
      mmap: (/** @type {any} */ stream, /** @type {number} */ length, /** @type {number} */ position) => {
        const ptr = this.module._malloc(length);
        this.module.HEAPU8.fill(0, ptr, ptr + length);
        this.streamOps.read(stream, this.module.HEAP8, ptr, length, position);
        return { ptr, allocated: true };
      },
      msync: (/** @type {any} */ stream, /** @type {Int8Array} */ buffer, /** @type {number} */ offset, /** @type {number} */ length) => {
        this.streamOps.write(stream, buffer, 0, length, offset);
        return 0;
      },
    };
  }
}
