/**
 * Types for the parts of Emscripten's FS and MEMFS that durable files use.
 *
 * @typedef {object} Node
 * @property {Node} parent itself for the root of a filesystem
 * @property {string} name
 * @property {number} mode
 * @property {number} mtime
 * @property {number} atime
 * @property {number} ctime
 * @property {any} contents a directory's nodes by name, or a file's bytes; only the first `usedBytes` are valid
 * @property {number} usedBytes of a file
 * @property {string} link target of a symbolic link
 * @property {object} node_ops
 *
 * @typedef {Record<string, (...args: any[]) => any>} Operations
 *
 * @typedef {object} Memfs
 * @property {(parent: Node, name: string, mode: number, device: number) => Node} createNode
 * @property {Record<"dir" | "file" | "link", {node: Operations, stream: Operations}>} ops_table
 *
 * @typedef {object} FileSystem
 * @property {{MEMFS: Memfs}} filesystems
 * @property {new (errno: number) => Error} ErrnoError
 * @property {(path: string) => unknown} mkdirTree
 * @property {(path: string, options?: {follow?: boolean}) => {node: Node}} lookupPath
 * @property {(node: Node) => string} getPath
 * @property {(node: Node) => void} destroyNode
 */

export {};
