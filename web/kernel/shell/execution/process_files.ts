// /proc: a folder for each process that `ps` lists, as far as something is known of it, and /proc/self.
import { toBytes } from "../../bytes.ts";
import type { FileSystem, FSNode, NodeOps } from "../../emscripten.ts";
import { openTasks } from "../processes.ts";
import { RegularFile, type OpenFile } from "./open_files.ts";
import type { Task } from "./task.ts";

const FOLDER = 0o040555;
const FILE = 0o100444;
const LINK = 0o120777;
// Of the filesystem (EACCES, ENOENT).
const DENIED = 2;
const MISSING = 44;
// So long is a name in Linux.
const LONGEST_NAME = 15;

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

const FILES: Record<string, (task: Task) => string> = {
  cmdline: (task) => wordsOf(task).map((word) => `${word}\0`).join(""),
  comm: (task) => `${nameOf(task)}\n`,
  status: statusOf,
};
const LINKS: Record<string, (task: Task) => string | undefined> = { cwd: ({ shell }) => shell?.cwd };
const NAMES = [...Object.keys(FILES), ...Object.keys(LINKS), "fd"];

const numbers = new WeakMap<OpenFile, number>();
let lastNumber = 0;

/** What Linux shows of an open file: its path, a terminal, or the number of a pipe. */
function targetOf({ host }: Task, file: OpenFile) {
  if (file instanceof RegularFile && file.file.path) return file.file.path;
  if (file.isTerminal) return `/dev/pts/${host.options.number}`;
  const number = numbers.get(file) ?? ++lastNumber;
  numbers.set(file, number);
  return `pipe:[${number}]`;
}

/** Have a filesystem show processes. Nothing is stored: each look makes the nodes anew. */
export function furnishProcesses(FS: FileSystem) {
  const { dir, file } = FS.filesystems.MEMFS.ops_table;
  const refuse = (errno: number) => () => {
    throw new FS.ErrnoError(errno);
  };
  const fixed = {
    setattr: refuse(DENIED),
    mknod: refuse(MISSING),
    symlink: refuse(MISSING),
    rename: refuse(DENIED),
    unlink: refuse(DENIED),
    rmdir: refuse(DENIED),
  };
  const make = (parent: FSNode, name: string, mode: number, more: Partial<FSNode>) => {
    const node = FS.createNode(parent, name, mode, 0);
    FS.hashRemoveNode(node);
    const now = Date.now();
    return Object.assign(node, { atime: now, mtime: now, ctime: now, ...more });
  };
  const makeFolder = (parent: FSNode, name: string, ops: Pick<NodeOps, "lookup" | "readdir">) =>
    make(parent, name, FOLDER, { node_ops: { ...dir.node, ...fixed, ...ops }, stream_ops: dir.stream });
  const makeLink = (parent: FSNode, name: string, target: string) =>
    make(parent, name, LINK, { link: target, node_ops: { ...dir.node, ...fixed, readlink: () => target } });

  const lookDescriptor = (task: Task) => (parent: FSNode, name: string) => {
    const open = task.shell?.descriptors.table.get(Number(name));
    if (!open || !/^\d+$/.test(name)) throw new FS.ErrnoError(MISSING);
    return makeLink(parent, name, targetOf(task, open));
  };
  const lookInside = (task: Task | null, parent: FSNode, name: string): FSNode => {
    if (task && name === "fd")
      return makeFolder(parent, name, {
        lookup: lookDescriptor(task),
        readdir: () => [".", "..", ...[...(task.shell?.descriptors.table.keys() ?? [])].map(String)],
      });
    const target = task && LINKS[name]?.(task);
    if (target) return makeLink(parent, name, target);
    const text = task && FILES[name]?.(task);
    if (typeof text !== "string") throw new FS.ErrnoError(MISSING);
    const contents = toBytes(text);
    const stream_ops = { ...file.stream, write: refuse(DENIED) };
    return make(parent, name, FILE, {
      contents,
      usedBytes: contents.length,
      node_ops: { ...file.node, ...fixed },
      stream_ops,
    });
  };

  const { node: proc } = FS.lookupPath("/proc");
  const { lookup, readdir } = proc.node_ops;
  const taskOf = (name: string) => openTasks().find(({ pid }) => String(pid) === name);
  proc.node_ops = {
    ...proc.node_ops,
    ...fixed,
    lookup(parent, name) {
      const task = taskOf(name);
      if (!task) return lookup(parent, name);
      return makeFolder(parent, name, {
        lookup: (folder, inner) => lookInside(task, folder, inner),
        readdir: () => [".", "..", ...NAMES],
      });
    },
    readdir: (node) => [...readdir(node), ...openTasks().map(({ pid }) => String(pid))],
  };
  // Emscripten's own links of descriptors lack a mode, so that no listing could show them.
  const { node: own } = FS.lookupPath("/proc/self/fd");
  const { lookup: find } = own.node_ops;
  own.node_ops = {
    ...own.node_ops,
    lookup: (parent, name) => makeLink(parent, name, find(parent, name).node_ops.readlink(parent)),
  };
  const { node: self } = FS.lookupPath("/proc/self");
  self.node_ops = {
    ...self.node_ops,
    ...fixed,
    lookup: (parent, name) => lookInside(current, parent, name),
    readdir: () => [".", "..", ...NAMES],
  };
}
