// Serves one folder of Python's filesystem to the machine, by 9P2000.L. It trusts the machine with that folder alone: names
// are single names, symbolic links are never followed here, `..` of the folder is the folder, and what Python moves out of
// it leads nowhere.
import type { FileSystem, FSNode, FSStream } from "../../kernel/emscripten.ts";
import {
  EBADF,
  EEXIST,
  EINVAL,
  EIO,
  EISDIR,
  ELOOP,
  ENOTDIR,
  EOPNOTSUPP,
  EPERM,
  ESTALE,
  FileError,
  numberOf,
} from "./errors.ts";
import { isWithin, restoreFids, saveFids } from "./fids.ts";
import { Reply, Request } from "./messages.ts";

/** a file that the guest refers to by a number */
export interface Fid {
  /** of Emscripten's FS */
  node: FSNode;
  stream?: FSStream;
  appends?: boolean;
  /** of a directory that is being read */
  names?: string[];
}

const DIRECTORY = 0o040000;
const LINK = 0o120000;
const KIND = 0o170000;
const PERMISSIONS = 0o7777;
const CREATE = 0o100;
const EXCLUSIVE = 0o200;
const TRUNCATE = 0o1000;
const APPEND = 0o2000;
const NO_FOLLOW = 0o400000;
const REMOVE_DIRECTORY = 0x200;
const RERROR = 7;
// The most bytes of a message.
export const MOST = 512 * 1024;
const OVERHEAD = 24;
const BASIC_ATTRIBUTES = 0x7ff;
const UNLOCKED = 2;
const encoder = new TextEncoder();

/** The handlers of requests, by type. */
const HANDLERS: Record<number, (server: FileServer, request: Request) => Reply> = {
  8: (server) => server.statfs(),
  12: (server, request) => server.open(server.fid(request), request.u32()),
  14: (server, request) => server.create(server.fid(request), request.text(), request.u32(), request.u32()),
  16: (server, request) => server.symlink(server.fid(request), request.text(), request.text()),
  20: (server, request) => server.rename(server.fid(request), server.fid(request), request.text()),
  22: (server, request) => server.readlink(server.fid(request)),
  24: (server, request) => server.attributes(server.fid(request)),
  26: (server, request) => server.setAttributes(server.fid(request), request),
  40: (server, request) => server.list(server.fid(request), request.u64(), request.u32()),
  50: (server) => server.flush(),
  52: () => new Reply().u8(0),
  54: (_, request) => unlocked(request),
  72: (server, request) => server.mkdir(server.fid(request), request.text(), request.u32()),
  74: (server, request) => server.renameAt(server.fid(request), request.text(), server.fid(request), request.text()),
  76: (server, request) => server.unlinkAt(server.fid(request), request.text(), request.u32()),
  100: (server, request) => server.version(request.u32(), request.text()),
  104: (server, request) => server.attach(request.u32()),
  108: () => new Reply(),
  110: (server, request) => server.walk(server.fid(request), request.u32(), request.u16(), request),
  116: (server, request) => server.read(server.fid(request), request.u64(), request.u32()),
  118: (server, request) => server.write(server.fid(request), request.u64(), request.data(request.u32())),
  120: (server, request) => server.clunk(request.u32()),
  122: (server, request) => server.remove(request.u32()),
};
// Python's filesystem has neither.
const REFUSED = { link: 70, mknod: 18 };

export class FileServer {
  #fids = new Map<number, Fid>();
  #most = 8192;
  FS: FileSystem;
  root: string;
  commit: () => void;

  /**
   * @param FS - Emscripten's FS
   * @param root - absolute
   * @param commit - saves all changes
   */
  constructor(FS: FileSystem, root: string, commit: () => void) {
    this.FS = FS;
    this.root = root;
    this.commit = commit;
  }

  /** Return the open files as JSON, for a copy of the machine. */
  save() {
    return { most: this.#most, fids: saveFids(this.FS, this.root, this.#fids) };
  }

  restore({ most, fids }: ReturnType<FileServer["save"]>) {
    this.#most = most;
    this.#fids = restoreFids(this.FS, this.root, fids);
  }

  answer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const request = new Request(bytes);
    const { FS } = this;
    // The guest checks permissions itself: its root may read and write all files.
    const { ignorePermissions } = FS;
    FS.ignorePermissions = true;
    try {
      return this.#reply(request).finish(request.type + 1, request.tag);
    } catch (error) {
      return new Reply().u32(this.#numberOf(error, request)).finish(RERROR, request.tag);
    } finally {
      FS.ignorePermissions = ignorePermissions;
    }
  }

  #reply(request: Request) {
    const handler = HANDLERS[request.type];
    if (request.type === REFUSED.link || request.type === REFUSED.mknod) throw new FileError(EPERM);
    if (!handler) throw new FileError(EOPNOTSUPP);
    return handler(this, request);
  }

  #numberOf(error: unknown, request: Request) {
    try {
      return numberOf(error);
    } catch {
      console.error(`9P request ${request.type}:`, error);
      return EIO;
    }
  }

  close() {
    for (const fid of this.#fids.values()) this.#closeStream(fid);
    this.#fids.clear();
  }

  fid(request: Request): Fid {
    const found = this.#fids.get(request.u32());
    if (!found) throw new FileError(EBADF);
    return found;
  }

  #closeStream(fid: Fid) {
    if (fid.stream) this.FS.close(fid.stream);
    fid.stream = undefined;
  }

  get #rootNode() {
    return this.FS.lookupPath(this.root, { follow: true }).node;
  }

  /** The path of a node in the folder. */
  #path(node: FSNode): string {
    if (!isWithin(this.#rootNode, node)) throw new FileError(ESTALE);
    return this.FS.getPath(node);
  }

  #place(fid: Fid, name: string) {
    if (!name || name === "." || name === ".." || /[/\0]/.test(name)) throw new FileError(EINVAL);
    if ((fid.node.mode & KIND) !== DIRECTORY) throw new FileError(ENOTDIR);
    const path = this.#path(fid.node);
    return path === "/" ? `/${name}` : `${path}/${name}`;
  }

  #look(path: string) {
    return this.FS.lookupPath(path, { follow: false }).node;
  }

  version(most: number, version: string) {
    this.close();
    this.#most = Math.min(most, MOST);
    return new Reply().u32(this.#most).text(version === "9P2000.L" ? version : "unknown");
  }

  attach(number: number) {
    const node = this.#rootNode;
    this.#fids.set(number, { node });
    return new Reply().qid(node);
  }

  walk(fid: Fid, number: number, count: number, request: Request) {
    let { node } = fid;
    const nodes: FSNode[] = [];
    for (let i = 0; i < count; i++) {
      const name = request.text();
      try {
        node = this.#step(node, name);
      } catch (error) {
        if (i === 0) throw error;
        break;
      }
      nodes.push(node);
    }
    if (nodes.length === count) this.#fids.set(number, { node });
    const reply = new Reply(2 + 13 * nodes.length).u16(nodes.length);
    for (const found of nodes) reply.qid(found);
    return reply;
  }

  #step(node: FSNode, name: string): FSNode {
    if (name === ".") return node;
    if (name === "..") {
      this.#path(node);
      return node === this.#rootNode ? node : node.parent;
    }
    return this.#look(this.#place({ node }, name));
  }

  clunk(number: number) {
    const fid = this.#fids.get(number);
    if (fid) this.#closeStream(fid);
    this.#fids.delete(number);
    return new Reply();
  }

  remove(number: number) {
    const fid = this.#fids.get(number);
    if (!fid) throw new FileError(EBADF);
    try {
      if (fid.node === this.#rootNode) throw new FileError(EPERM);
      this.#unlink(this.#path(fid.node), fid.node);
    } finally {
      this.clunk(number);
    }
    return new Reply();
  }

  open(fid: Fid, flags: number) {
    const kind = fid.node.mode & KIND;
    if (kind === LINK) throw new FileError(ELOOP);
    if (kind !== DIRECTORY) {
      fid.stream = this.FS.open(this.#path(fid.node), (flags & (3 | TRUNCATE)) | NO_FOLLOW);
      fid.appends = (flags & APPEND) !== 0;
    }
    return new Reply().qid(fid.node).u32(0);
  }

  /** @param fid - of the directory, then of the file */
  create(fid: Fid, name: string, flags: number, mode: number) {
    const path = this.#place(fid, name);
    const exists = this.FS.analyzePath(path, true).exists;
    if (exists && flags & EXCLUSIVE) throw new FileError(EEXIST);
    const stream = this.FS.open(path, (flags & (3 | TRUNCATE)) | CREATE | NO_FOLLOW, mode & PERMISSIONS);
    Object.assign(fid, { node: stream.node, stream, appends: (flags & APPEND) !== 0 });
    if (!exists) this.#setMode(stream.node, mode);
    return new Reply().qid(fid.node).u32(0);
  }

  /** The surface's umask may have changed it. */
  #setMode(node: FSNode, mode: number) {
    const wanted = (mode & PERMISSIONS) | (node.mode & KIND);
    if (node.mode !== wanted) node.node_ops.setattr(node, { mode: wanted });
  }

  symlink(fid: Fid, name: string, target: string) {
    const path = this.#place(fid, name);
    this.FS.symlink(target, path);
    return new Reply().qid(this.#look(path));
  }

  mkdir(fid: Fid, name: string, mode: number) {
    const path = this.#place(fid, name);
    this.FS.mkdir(path, mode & PERMISSIONS);
    const node = this.#look(path);
    this.#setMode(node, mode);
    return new Reply().qid(node);
  }

  readlink(fid: Fid) {
    if ((fid.node.mode & KIND) !== LINK) throw new FileError(EINVAL);
    return new Reply(8192).text(fid.node.link);
  }

  rename(fid: Fid, directory: Fid, name: string) {
    this.FS.rename(this.#path(fid.node), this.#place(directory, name));
    return new Reply();
  }

  renameAt(from: Fid, name: string, to: Fid, renamed: string) {
    this.FS.rename(this.#place(from, name), this.#place(to, renamed));
    return new Reply();
  }

  unlinkAt(fid: Fid, name: string, flags: number) {
    const path = this.#place(fid, name);
    const node = this.#look(path);
    const isDirectory = (node.mode & KIND) === DIRECTORY;
    if (isDirectory && !(flags & REMOVE_DIRECTORY)) throw new FileError(EISDIR);
    if (!isDirectory && flags & REMOVE_DIRECTORY) throw new FileError(ENOTDIR);
    this.#unlink(path, node);
    return new Reply();
  }

  #unlink(path: string, node: FSNode) {
    if ((node.mode & KIND) === DIRECTORY) this.FS.rmdir(path);
    else this.FS.unlink(path);
  }

  read(fid: Fid, position: number, count: number) {
    if (!fid.stream) throw new FileError(EBADF);
    const { stream } = fid;
    const most = Math.min(count, this.#most - OVERHEAD);
    return new Reply(4 + most).filled(most, (bytes) => this.FS.read(stream, bytes, 0, most, position));
  }

  write(fid: Fid, position: number, bytes: Uint8Array) {
    if (!fid.stream) throw new FileError(EBADF);
    const at = fid.appends ? fid.node.node_ops.getattr(fid.node).size : position;
    return new Reply().u32(bytes.length ? this.FS.write(fid.stream, bytes, 0, bytes.length, at) : 0);
  }

  list(fid: Fid, position: number, count: number) {
    // `readdir` would follow a link.
    if ((fid.node.mode & KIND) !== DIRECTORY) throw new FileError(ENOTDIR);
    const path = this.#path(fid.node);
    if (position === 0 || !fid.names) fid.names = this.FS.readdir(path);
    const most = Math.min(count, this.#most - OVERHEAD);
    const entries = new Reply(most);
    for (let i = position; i < fid.names.length; i++) {
      const name = fid.names[i] ?? "";
      const bytes = encoder.encode(name);
      if (entries.length + OVERHEAD + bytes.length > most) break;
      const node = this.#entry(fid.node, path, name);
      if (node)
        entries
          .qid(node)
          .u64(i + 1)
          .u8((node.mode & KIND) >> 12)
          .u16(bytes.length)
          .data(bytes);
    }
    return new Reply(4 + entries.length).u32(entries.length).data(entries.fields());
  }

  /** @returns null if it has gone meanwhile */
  #entry(node: FSNode, path: string, name: string): FSNode | null {
    if (name === "." || name === "..") return this.#step(node, name);
    const at = path === "/" ? `/${name}` : `${path}/${name}`;
    return this.FS.analyzePath(at, true).object ?? null;
  }

  attributes({ node }: Fid) {
    const { mode, size, atime, mtime, ctime } = node.node_ops.getattr(node);
    const links = (mode & KIND) === DIRECTORY ? 2 : 1;
    const reply = new Reply().u64(BASIC_ATTRIBUTES).qid(node).u32(mode).u32(0).u32(0).u64(links).u64(0);
    reply
      .u64(size)
      .u64(4096)
      .u64(Math.ceil(size / 512));
    for (const time of [atime, mtime, ctime, 0]) {
      const ms = Number(time);
      const seconds = Math.floor(ms / 1000);
      reply.u64(seconds).u64(Math.round((ms - seconds * 1000) * 1e6));
    }
    return reply.u64(0).u64(0);
  }

  setAttributes(fid: Fid, request: Request) {
    const valid = request.u32();
    const mode = request.u32();
    // Python's filesystem has no owners.
    request.u64();
    const size = request.u64();
    const times = [request, request].map((each) => each.u64() * 1000 + each.u64() / 1e6);
    const { node } = fid;
    const now = Date.now();
    const changes: Record<string, number> = {};
    if (valid & 1) changes.mode = (mode & PERMISSIONS) | (node.mode & KIND);
    if (valid & 8) this.#resize(fid, size);
    if (valid & 16) changes.atime = valid & 128 ? (times[0] ?? now) : now;
    if (valid & 32) changes.mtime = valid & 256 ? (times[1] ?? now) : now;
    if (valid & 0b1000111) changes.ctime = now;
    if (Object.keys(changes).length) node.node_ops.setattr(node, changes);
    return new Reply();
  }

  #resize(fid: Fid, size: number) {
    if ((fid.node.mode & KIND) === DIRECTORY) throw new FileError(EISDIR);
    fid.node.node_ops.setattr(fid.node, { size, timestamp: Date.now(), mtime: Date.now() });
  }

  flush() {
    this.commit();
    return new Reply();
  }

  statfs() {
    const blocks = 262144;
    const reply = new Reply()
      .u32(0x01021997)
      .u32(4096)
      .u64(2 * blocks)
      .u64(blocks)
      .u64(blocks);
    return reply.u64(1_000_000).u64(900_000).u64(0).u32(255);
  }
}

/** Answer that a region of a file isn't locked. */
function unlocked(request: Request) {
  request.u32();
  request.u8();
  const rest = request.rest();
  return new Reply(1 + rest.length).u8(UNLOCKED).data(rest);
}
