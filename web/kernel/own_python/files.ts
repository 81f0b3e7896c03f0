/**
 * The kernel's files in an interpreter of an agent's own: an Emscripten filesystem whose operations the kernel performs,
 * since only one worker may own the files. https://emscripten.org/docs/api_reference/Filesystem-API.html
 */

import type { Attributes, EmscriptenModule, FileSystem, FSNode, FSStream, Mount } from "../emscripten.ts";
import type { Answer } from "../node/memory.ts";
import { ERRORS } from "../system_errors.ts";

/** asks the kernel, and waits */
type Ask = (call: string, ...args: unknown[]) => Answer;

const NUMBERS = new Map(Object.entries(ERRORS).map(([number, [code]]) => [code, Number(number)]));
const EINVAL = 28;
const EIO = 29;
const ENODEV = 43;
const DIRECTORY = 0o40755;
const APPEND = 0o2000;
// O_CREAT, O_EXCL and O_TRUNC: Emscripten has handled them when it opens the stream.
const ONCE = 0o100 | 0o200 | 0o1000;
const NEW_FILE = 0o301;

interface KernelStream extends FSStream {
  /** of the file that is open in the kernel */
  number?: number;
  shared: { refcount: number };
}

export class KernelFiles {
  module: EmscriptenModule;
  FS: FileSystem;
  ask: Ask;
  nodeOps;
  streamOps;

  /** @param module - Emscripten's */
  constructor(module: EmscriptenModule, FS: FileSystem, ask: Ask) {
    this.module = module;
    this.FS = FS;
    this.ask = ask;
    this.nodeOps = this.#nodeOps();
    this.streamOps = this.#streamOps();
  }

  /**
   * Show the kernel's folders at the same places.
   * @param roots - absolute paths
   */
  mountAll(roots: string[]) {
    const { FS } = this;
    // The kernel and other interpreters change files, too, so no name is remembered.
    const { hashAddNode, rename } = FS;
    FS.hashAddNode = (node: FSNode) => node.mount?.type === this || hashAddNode(node);
    for (const root of roots) {
      FS.mkdirTree(root);
      FS.mount(this, { root }, root);
    }
    // Emscripten refuses to move files from one of the folders to another.
    const rootOf = (path: string) => roots.find((root) => path.startsWith(`${root}/`));
    FS.rename = (from: string, to: string) => {
      const [whole, target] = [this.#absolute(from), this.#absolute(to)];
      const [root, other] = [rootOf(whole), rootOf(target)];
      if (root === undefined || other === undefined || root === other) return rename(from, to);
      return void this.#call("rename", whole, target);
    };
  }

  /** @returns without `.` and `..` */
  #absolute(path: string): string {
    const names: string[] = [];
    for (const part of (path.startsWith("/") ? path : `${this.FS.cwd()}/${path}`).split("/")) {
      if (part === "..") names.pop();
      else if (part !== "" && part !== ".") names.push(part);
    }
    return `/${names.join("/")}`;
  }

  mount(mount: Mount) {
    return this.#node(null, "/", DIRECTORY, mount);
  }

  #node(parent: FSNode | null, name: string, mode: number, mount?: Mount) {
    const node = this.FS.createNode(parent, name, mode, 0);
    node.node_ops = this.nodeOps;
    node.stream_ops = this.streamOps;
    if (mount) node.mount = mount;
    return node;
  }

  /**
   * @param name - of an entry
   * @returns the path in the kernel
   */
  #path(node: FSNode, name?: string): string {
    const names = name === undefined ? [] : [name];
    let at = node;
    for (; at !== at.parent; at = at.parent) names.unshift(at.name);
    return [at.mount.opts.root, ...names].join("/");
  }

  /** @throws {FS.ErrnoError} */
  #call(call: string, ...args: unknown[]) {
    const { problem, ...answer } = this.ask(call, ...args);
    if (problem) throw new this.FS.ErrnoError(NUMBERS.get(problem.code) ?? EIO);
    return answer;
  }

  #attributes(node: FSNode) {
    const { atimeMs, mtimeMs, ctimeMs, ...rest } = this.#call("stat", this.#path(node), false).value;
    node.mode = rest.mode;
    return { ...rest, atime: new Date(atimeMs), mtime: new Date(mtimeMs), ctime: new Date(ctimeMs) };
  }

  #nodeOps() {
    const path = (node: FSNode, name: string | undefined = undefined) => this.#path(node, name);
    return {
      getattr: (node: FSNode) => this.#attributes(node),
      // The kernel sets the times of files it changes.
      setattr: (node: FSNode, { mode, size, atime, mtime }: Attributes) => {
        if (mode !== undefined && mode !== null) {
          this.#call("chmod", path(node), mode & 0o7777);
          node.mode = mode;
        }
        if (atime !== undefined && mtime !== undefined) this.#call("utimes", path(node), Number(atime), Number(mtime));
        if (size !== undefined) this.#call("truncate", path(node), size);
      },
      lookup: (parent: FSNode, name: string) =>
        this.#node(parent, name, this.#call("stat", path(parent, name), false).value.mode),
      mknod: (parent: FSNode, name: string, mode: number) => {
        if (this.FS.isDir(mode)) this.#call("mkdir", path(parent, name), mode & 0o7777);
        else if (this.FS.isFile(mode))
          this.#call("close", this.#call("open", path(parent, name), NEW_FILE, mode & 0o7777).value);
        else throw new this.FS.ErrnoError(ENODEV);
        return this.#node(parent, name, mode);
      },
      rename: (node: FSNode, parent: FSNode, name: string) => {
        this.#call("rename", path(node), path(parent, name));
        node.name = name;
      },
      unlink: (parent: FSNode, name: string) => void this.#call("unlink", path(parent, name)),
      rmdir: (parent: FSNode, name: string) => void this.#call("rmdir", path(parent, name)),
      readdir: (node: FSNode) => [
        ".",
        "..",
        ...this.#call("readdir", path(node)).value.map(([name]: [string, number]) => name),
      ],
      symlink: (parent: FSNode, name: string, target: string) => {
        this.#call("symlink", target, path(parent, name));
        return this.#node(parent, name, 0o120777);
      },
      readlink: (node: FSNode) => this.#call("readlink", path(node)).value,
    };
  }

  #streamOps() {
    return {
      open: (stream: KernelStream) => {
        if (!this.FS.isFile(stream.node.mode)) return;
        stream.number = this.#call("open", this.#path(stream.node), stream.flags & ~ONCE, 0).value;
        stream.shared.refcount = 1;
      },
      dup: (stream: KernelStream) => void stream.shared.refcount++,
      close: (stream: KernelStream) => {
        if (stream.number !== undefined && --stream.shared.refcount === 0) this.#call("close", stream.number);
      },
      read: (stream: KernelStream, buffer: Int8Array, offset: number, length: number, position: number) => {
        const bytes = this.#call("read", stream.number, length, position).bytes ?? new Uint8Array();
        buffer.set(bytes, offset);
        return bytes.length;
      },
      // The kernel has all bytes of a call, or none, so that an interpreter that ends leaves no part of it.
      write: (stream: KernelStream, buffer: Int8Array, offset: number, length: number, position: number) => {
        const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length).slice();
        return this.#call("write", stream.number, bytes, stream.flags & APPEND ? undefined : position).value;
      },
      llseek: (stream: KernelStream, offset: number, whence: number) => {
        const size = () => (stream.number === undefined ? 0 : this.#call("fstat", stream.number).value.size);
        const place = offset + (whence === 1 ? stream.position : whence === 2 ? size() : 0);
        if (place < 0) throw new this.FS.ErrnoError(EINVAL);
        return place;
      },
      mmap: (stream: KernelStream, length: number, position: number) => {
        const ptr = this.module._malloc(length);
        this.module.HEAPU8.fill(0, ptr, ptr + length);
        this.streamOps.read(stream, this.module.HEAP8, ptr, length, position);
        return { ptr, allocated: true };
      },
      msync: (stream: KernelStream, buffer: Int8Array, offset: number, length: number) => {
        this.streamOps.write(stream, buffer, 0, length, offset);
        return 0;
      },
    };
  }
}
