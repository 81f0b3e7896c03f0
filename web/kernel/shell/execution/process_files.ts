// /proc: a folder for each process that `ps` lists, as far as something is known of it, and /proc/self.
import { toBytes } from "../../bytes.ts";
import type { FileSystem, FSNode, NodeOps } from "../../emscripten.ts";
import { RegularFile, type OpenFile } from "./open_files.ts";
import type { Task } from "./task.ts";
import { tableOf } from "../../tables.ts";

const FOLDER = 0o040555;
const FILE = 0o100444;
const LINK = 0o120777;
// Of the filesystem (EACCES, ENOENT).
const DENIED = 2;
const MISSING = 44;
// So long is a name in Linux.
const LONGEST_NAME = 15;

let listed: () => Task[] = () => [];

/** @param list - returns the processes that have folders */
export function listBy(list: () => Task[]) {
  listed = list;
}

/** The process that /proc/self is. */
let current: Task | null = null;

/** Note that a process does something, so that /proc/self is its folder. */
export function noteRunning(task: Task) {
  current = task;
}

/** The path of /proc/self or of something in it by the number of a process; null of other paths and of descriptors. */
export function numbered({ pid }: Task, path: string): string | null {
  const rest = /^\/proc\/self(?!\/fd\/\d)(\/.*)?$/s.exec(path);
  return rest && `/proc/${pid}${rest[1] ?? ""}`;
}

/** The terminal's shell runs programs in its own process. */
const wordsOf = (task: Task) => (task === task.host.root ? ["bash"] : task.words);
const nameOf = (task: Task) => [...(wordsOf(task)[0] ?? "").replace(/^.*\//s, "")].slice(0, LONGEST_NAME).join("");

function statusOf(task: Task) {
  const rows = {
    Name: nameOf(task),
    State: "S (sleeping)",
    Tgid: task.pid,
    Pid: task.pid,
    PPid: task.parent?.pid ?? 1,
    TracerPid: 0,
    Threads: 1,
    NSpgid: task.group,
    NSsid: task.session,
  };
  return Object.entries(rows)
    .map(([name, value]) => `${name}:\t${value}\n`)
    .join("");
}

const FILES: Record<string, (task: Task) => string> = tableOf({
  cmdline: (task) =>
    wordsOf(task)
      .map((word) => `${word}\0`)
      .join(""),
  comm: (task) => `${nameOf(task)}\n`,
  status: statusOf,
});
const LINKS: Record<string, (task: Task) => string | undefined> = tableOf({ cwd: ({ shell }) => shell?.cwd });
const NAMES = [...Object.keys(FILES), ...Object.keys(LINKS), "fd"];

const numbers = new WeakMap<OpenFile, number>();
let lastNumber = 0;

/** The target of an open file's link, as in Linux: its path, a terminal, or the number of a pipe. */
function targetOf({ host }: Task, file: OpenFile) {
  if (file instanceof RegularFile && file.file.path) return file.file.path;
  if (file.isTerminal) return `/dev/pts/${host.options.number}`;
  const number = numbers.get(file) ?? ++lastNumber;
  numbers.set(file, number);
  return `pipe:[${number}]`;
}

/** Nodes that are made for each look, so nothing is stored. */
class ProcessFolders {
  FS: FileSystem;
  /** The changes that all nodes refuse. */
  fixed: Pick<NodeOps, "setattr" | "mknod" | "symlink" | "rename" | "unlink" | "rmdir">;

  constructor(FS: FileSystem) {
    this.FS = FS;
    const denied = () => this.refuse(DENIED);
    const missing = () => this.refuse(MISSING);
    this.fixed = { setattr: denied, mknod: missing, symlink: missing, rename: denied, unlink: denied, rmdir: denied };
  }

  refuse(errno: number): never {
    throw new this.FS.ErrnoError(errno);
  }

  make(parent: FSNode, name: string, mode: number, more: Partial<FSNode>) {
    const node = this.FS.createNode(parent, name, mode, 0);
    this.FS.hashRemoveNode(node);
    const now = Date.now();
    return Object.assign(node, { atime: now, mtime: now, ctime: now, ...more });
  }
  folder(parent: FSNode, name: string, ops: Pick<NodeOps, "lookup" | "readdir">) {
    const { dir } = this.FS.filesystems.MEMFS.ops_table;
    const node_ops = { ...dir.node, ...this.fixed, ...ops };
    return this.make(parent, name, FOLDER, { node_ops, stream_ops: dir.stream });
  }
  link(parent: FSNode, name: string, target: string) {
    const { dir } = this.FS.filesystems.MEMFS.ops_table;
    const node_ops = { ...dir.node, ...this.fixed, readlink: () => target };
    return this.make(parent, name, LINK, { link: target, node_ops });
  }
  file(parent: FSNode, name: string, text: string) {
    const { file } = this.FS.filesystems.MEMFS.ops_table;
    const contents = toBytes(text);
    return this.make(parent, name, FILE, {
      contents,
      usedBytes: contents.length,
      node_ops: { ...file.node, ...this.fixed },
      stream_ops: { ...file.stream, write: () => this.refuse(DENIED) },
    });
  }

  /** The folder of the links to a process's open files. */
  descriptors(task: Task, parent: FSNode) {
    const table = () => task.shell?.descriptors.table ?? new Map<number, OpenFile>();
    return this.folder(parent, "fd", {
      lookup: (folder, name) => {
        const open = /^\d+$/.test(name) ? table().get(Number(name)) : undefined;
        return open ? this.link(folder, name, targetOf(task, open)) : this.refuse(MISSING);
      },
      readdir: () => [".", "..", ...[...table().keys()].map(String)],
    });
  }

  /** A file, link or folder in the folder of a process. */
  inside(task: Task | null, parent: FSNode, name: string): FSNode {
    if (!task) return this.refuse(MISSING);
    if (name === "fd") return this.descriptors(task, parent);
    const target = LINKS[name]?.(task);
    if (target !== undefined) return this.link(parent, name, target);
    const text = FILES[name]?.(task);
    return text === undefined ? this.refuse(MISSING) : this.file(parent, name, text);
  }

  process(task: Task, parent: FSNode) {
    return this.folder(parent, String(task.pid), {
      lookup: (folder, name) => this.inside(task, folder, name),
      readdir: () => [".", "..", ...NAMES],
    });
  }
}

/** Have a filesystem show processes. */
export function furnishProcesses(FS: FileSystem) {
  const folders = new ProcessFolders(FS);
  const { node: proc } = FS.lookupPath("/proc");
  const { lookup, readdir } = proc.node_ops;
  change(proc, {
    ...folders.fixed,
    lookup(parent, name) {
      const task = listed().find(({ pid }) => String(pid) === name);
      return task ? folders.process(task, parent) : lookup(parent, name);
    },
    readdir: (node) => [...readdir(node), ...listed().map(({ pid }) => String(pid))],
  });
  change(FS.lookupPath("/proc/self").node, {
    ...folders.fixed,
    lookup: (parent, name) => folders.inside(current, parent, name),
    readdir: () => [".", "..", ...NAMES],
  });
  // Emscripten's own links of descriptors lack a mode, so that no listing could show them.
  const { node: own } = FS.lookupPath("/proc/self/fd");
  const { lookup: find } = own.node_ops;
  change(own, { lookup: (parent, name) => folders.link(parent, name, find(parent, name).node_ops.readlink(parent)) });
}

function change(node: FSNode, ops: Partial<NodeOps>) {
  node.node_ops = { ...node.node_ops, ...ops };
}
