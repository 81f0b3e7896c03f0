/**
 * Types for the parts of Emscripten that the kernel uses: FS with its nodes and streams, MEMFS and the module. Its own types
 * lack most of them. https://emscripten.org/docs/api_reference/Filesystem-API.html
 */

/** of a file, with times as dates */
export interface Stats {
  dev: number;
  ino: number;
  mode: number;
  nlink: number;
  uid: number;
  gid: number;
  rdev: number;
  size: number;
  blksize: number;
  blocks: number;
  atime: Date;
  mtime: Date;
  ctime: Date;
}

/** what `setattr` changes; times in milliseconds */
export interface Attributes {
  mode?: number | null;
  size?: number;
  atime?: number | null;
  mtime?: number | null;
  ctime?: number | null;
  timestamp?: number;
}

export interface FSNode {
  id: number;
  /** itself for the root of a filesystem */
  parent: FSNode;
  name: string;
  mode: number;
  mtime: number;
  atime: number;
  ctime: number;
  mount: Mount;
  /** the mount here */
  mounted: Mount | null;
  /** in MEMFS, of a file: only the first `usedBytes` are valid */
  contents: Uint8Array;
  /** of a file in MEMFS */
  usedBytes: number;
  /** target of a symbolic link in MEMFS */
  link: string;
  node_ops: NodeOps;
  stream_ops: Partial<StreamOps>;
}

/** a directory in MEMFS */
export interface Folder extends Omit<FSNode, "contents"> {
  /** by name */
  contents: Record<string, FSNode>;
}

export interface Mount {
  type: object;
  opts: { root?: string };
  mountpoint: string;
  root: FSNode;
}

export interface FSStream {
  node: FSNode;
  path: string;
  fd: number;
  flags: number;
  position: number;
  seekable: boolean;
  /** by all streams of one open file */
  shared: { refcount?: number };
}

export interface NodeOps {
  getattr(node: FSNode): Stats;
  setattr(node: FSNode, attributes: Attributes): void;
  lookup(parent: FSNode, name: string): FSNode;
  mknod(parent: FSNode, name: string, mode: number, device?: number): FSNode;
  rename(node: FSNode, parent: FSNode, name: string): void;
  unlink(parent: FSNode, name: string): void;
  rmdir(parent: FSNode, name: string): void;
  readdir(node: FSNode): string[];
  symlink(parent: FSNode, name: string, target: string): FSNode;
  readlink(node: FSNode): string;
}

export interface StreamOps {
  open(stream: FSStream): void;
  close(stream: FSStream): void;
  dup(stream: FSStream): void;
  read(stream: FSStream, buffer: Uint8Array | Int8Array, offset: number, length: number, position: number): number;
  write(
    stream: FSStream,
    buffer: Uint8Array | Int8Array,
    offset: number,
    length: number,
    position: number,
    canOwn?: boolean,
  ): number;
  llseek(stream: FSStream, offset: number, whence: number): number;
  mmap(stream: FSStream, length: number, position: number): { ptr: number; allocated: boolean };
  msync(stream: FSStream, buffer: Uint8Array | Int8Array, offset: number, length: number, flags: number): number;
  fsync(stream: FSStream): number;
}

interface Memfs {
  createNode(parent: FSNode | null, name: string, mode: number, device: number): FSNode;
  ops_table: Record<"dir" | "file" | "link", { node: NodeOps; stream: StreamOps }>;
}

/** A filesystem that `FS.mount` takes. */
export interface FilesystemType {
  mount(mount: Mount): FSNode;
}

export interface FileSystem {
  filesystems: { MEMFS: Memfs };
  ErrnoError: new (errno: number) => Error & { errno: number };
  ignorePermissions: boolean;
  streams: (FSStream | null | undefined)[];
  mount(type: FilesystemType, options: object, path: string): FSNode;
  lookupPath(path: string, options?: { follow?: boolean }): { path: string; node: FSNode };
  /** @param noFollow - for the last name */
  analyzePath(path: string, noFollow?: boolean): { exists: boolean; object: FSNode | null };
  getPath(node: FSNode): string;
  createNode(parent: FSNode | null, name: string, mode: number, device: number): FSNode;
  lookupNode(parent: FSNode, name: string): FSNode;
  destroyNode(node: FSNode): void;
  hashAddNode(node: FSNode): void;
  hashRemoveNode(node: FSNode): void;
  isFile(mode: number): boolean;
  isDir(mode: number): boolean;
  isLink(mode: number): boolean;
  isFIFO(mode: number): boolean;
  isChrdev(mode: number): boolean;
  isMountpoint(node: FSNode): boolean;
  cwd(): string;
  chdir(path: string): void;
  mkdir(path: string, mode?: number): unknown;
  mkdirTree(path: string, mode?: number): unknown;
  rmdir(path: string): void;
  readdir(path: string): string[];
  rename(from: string, to: string): void;
  unlink(path: string): void;
  symlink(target: string, path: string): unknown;
  readlink(path: string): string;
  stat(path: string): Stats;
  lstat(path: string): Stats;
  fstat?(number: number): Stats;
  chmod(path: string, mode: number): void;
  utime(path: string, atime: number, mtime: number): void;
  truncate(path: string, length: number): void;
  ftruncate(number: number, length: number): void;
  open(path: string, flags: string | number, mode?: number): FSStream;
  close(stream: FSStream): void;
  read(stream: FSStream, buffer: Uint8Array, offset: number, length: number, position?: number): number;
  write(stream: FSStream, buffer: Uint8Array, offset: number, length: number, position?: number): number;
  llseek(stream: FSStream, offset: number, whence: number): number;
  dupStream(stream: FSStream): FSStream;
  getStreamChecked(number: number): FSStream;
  readFile(path: string, options: { encoding: "utf8" }): string;
  readFile(path: string): Uint8Array;
  writeFile(path: string, content: string | Uint8Array, options?: { canOwn?: boolean; mode?: number }): void;
  makedev(major: number, minor: number): number;
  registerDevice(device: number, ops: Partial<StreamOps>): void;
  mkdev(path: string, mode: number, device: number): FSNode;
  init(
    input: (() => number | null) | null,
    output: ((byte: number | null) => void) | null,
    error: ((byte: number | null) => void) | null,
  ): void;
}

/** a program in WebAssembly */
export interface EmscriptenModule {
  FS: FileSystem;
  ENV: Record<string, string>;
  HEAP8: Int8Array;
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  _emscripten_resize_heap(size: number): number;
  _malloc(size: number): number;
  _free(pointer: number): void;
}

/** Return a node that is known to be a directory of MEMFS: it has its nodes where a file has its bytes. */
export const asFolder = (node: FSNode) => node as FSNode | Folder as Folder;

/** Return a node as a directory of MEMFS, which has its nodes on itself; null for files and other filesystems. */
export function memoryOf(node: FSNode): Folder | null {
  return node.contents && !ArrayBuffer.isView(node.contents) ? asFolder(node) : null;
}

/** Return the number of an error that Emscripten's FS has thrown, or undefined of others. */
export function errnoOf(error: unknown): number | undefined {
  const isNumbered = typeof error === "object" && error !== null && "errno" in error;
  return isNumbered && typeof error.errno === "number" ? error.errno : undefined;
}
