/** Types for the parts of Emscripten's FS and MEMFS that durable files use. */

export interface Node {
  /** itself for the root of a filesystem */
  parent: Node;
  name: string;
  mode: number;
  mtime: number;
  atime: number;
  ctime: number;
  /** a directory's nodes by name, or a file's bytes; only the first `usedBytes` are valid */
  contents: any;
  /** of a file */
  usedBytes: number;
  /** target of a symbolic link */
  link: string;
  node_ops: object;
}

export type Operations = Record<string, (...args: any[]) => any>;

interface Memfs {
  createNode: (parent: Node, name: string, mode: number, device: number) => Node;
  ops_table: Record<"dir" | "file" | "link", { node: Operations; stream: Operations }>;
}

export interface FileSystem {
  filesystems: { MEMFS: Memfs };
  ErrnoError: new (errno: number) => Error;
  mkdirTree: (path: string) => unknown;
  lookupPath: (path: string, options?: { follow?: boolean }) => { node: Node };
  getPath: (node: Node) => string;
  destroyNode: (node: Node) => void;
}
