// Serves one folder of Python's filesystem to the machine, by 9P2000.L. It trusts the machine with that folder alone: names
// are single names, symbolic links are never followed here, `..` of the folder is the folder, and what Python moves out of
// it leads nowhere.
import { EBADF, EEXIST, EINVAL, EIO, EISDIR, ELOOP, ENOTDIR, EOPNOTSUPP, EPERM, ESTALE, FileError, numberOf } from "./errors.js";
import { isWithin, restoreFids, saveFids } from "./fids.js";
import { Reply, Request } from "./messages.js";

/**
 * @typedef {object} Fid a file that the guest refers to by a number
 * @property {any} node of Emscripten's FS
 * @property {any} [stream]
 * @property {boolean} [appends]
 * @property {string[]} [names] of a directory that is being read
 */

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

/** The handlers of requests, by type. @type {Record<number, (server: FileServer, request: Request) => Reply>} */
const HANDLERS = {
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
  /** @type {Map<number, Fid>} */
  #fids = new Map();
  #most = 8192;

  /** @param {any} FS Emscripten's FS @param {string} root absolute @param {() => void} commit saves all changes */
  constructor(FS, root, commit) {
    this.FS = FS;
    this.root = root;
    this.commit = commit;
  }

  /** Return the open files as JSON, for a copy of the machine. */
  save() {
    return { most: this.#most, fids: saveFids(this.FS, this.root, this.#fids) };
  }

  /** @param {ReturnType<FileServer["save"]>} saved */
  restore({ most, fids }) {
    this.#most = most;
    this.#fids = restoreFids(this.FS, this.root, fids);
  }

  /** @param {Uint8Array} bytes @returns {Uint8Array<ArrayBuffer>} */
  answer(bytes) {
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

  /** @param {Request} request */
  #reply(request) {
    const handler = HANDLERS[request.type];
    if (request.type === REFUSED.link || request.type === REFUSED.mknod) throw new FileError(EPERM);
    if (!handler) throw new FileError(EOPNOTSUPP);
    return handler(this, request);
  }

  /** @param {any} error @param {Request} request */
  #numberOf(error, request) {
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

  /** @param {Request} request @returns {Fid} */
  fid(request) {
    const found = this.#fids.get(request.u32());
    if (!found) throw new FileError(EBADF);
    return found;
  }

  /** @param {Fid} fid */
  #closeStream(fid) {
    if (fid.stream) this.FS.close(fid.stream);
    fid.stream = undefined;
  }

  get #rootNode() {
    return this.FS.lookupPath(this.root, { follow: true }).node;
  }

  /** The path of a node in the folder. @param {any} node @returns {string} */
  #path(node) {
    if (!isWithin(this.#rootNode, node)) throw new FileError(ESTALE);
    return this.FS.getPath(node);
  }

  /** @param {Fid} fid @param {string} name */
  #place(fid, name) {
    if (!name || name === "." || name === ".." || /[/\0]/.test(name)) throw new FileError(EINVAL);
    if ((fid.node.mode & KIND) !== DIRECTORY) throw new FileError(ENOTDIR);
    const path = this.#path(fid.node);
    return path === "/" ? `/${name}` : `${path}/${name}`;
  }

  /** @param {string} path */
  #look(path) {
    return this.FS.lookupPath(path, { follow: false }).node;
  }

  /** @param {number} most @param {string} version */
  version(most, version) {
    this.close();
    this.#most = Math.min(most, MOST);
    return new Reply().u32(this.#most).text(version === "9P2000.L" ? version : "unknown");
  }

  /** @param {number} number */
  attach(number) {
    const node = this.#rootNode;
    this.#fids.set(number, { node });
    return new Reply().qid(node);
  }

  /** @param {Fid} fid @param {number} number @param {number} count @param {Request} request */
  walk(fid, number, count, request) {
    let { node } = fid;
    const nodes = [];
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

  /** @param {any} node @param {string} name */
  #step(node, name) {
    if (name === ".") return node;
    if (name === "..") {
      this.#path(node);
      return node === this.#rootNode ? node : node.parent;
    }
    return this.#look(this.#place({ node }, name));
  }

  /** @param {number} number */
  clunk(number) {
    const fid = this.#fids.get(number);
    if (fid) this.#closeStream(fid);
    this.#fids.delete(number);
    return new Reply();
  }

  /** @param {number} number */
  remove(number) {
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

  /** @param {Fid} fid @param {number} flags */
  open(fid, flags) {
    const kind = fid.node.mode & KIND;
    if (kind === LINK) throw new FileError(ELOOP);
    if (kind !== DIRECTORY) {
      fid.stream = this.FS.open(this.#path(fid.node), (flags & (3 | TRUNCATE)) | NO_FOLLOW);
      fid.appends = (flags & APPEND) !== 0;
    }
    return new Reply().qid(fid.node).u32(0);
  }

  /** @param {Fid} fid of the directory, then of the file @param {string} name @param {number} flags @param {number} mode */
  create(fid, name, flags, mode) {
    const path = this.#place(fid, name);
    const exists = this.FS.analyzePath(path, true).exists;
    if (exists && flags & EXCLUSIVE) throw new FileError(EEXIST);
    const stream = this.FS.open(path, (flags & (3 | TRUNCATE)) | CREATE | NO_FOLLOW, mode & PERMISSIONS);
    Object.assign(fid, { node: stream.node, stream, appends: (flags & APPEND) !== 0 });
    if (!exists) this.#setMode(stream.node, mode);
    return new Reply().qid(fid.node).u32(0);
  }

  /** The surface's umask may have changed it. @param {any} node @param {number} mode */
  #setMode(node, mode) {
    const wanted = (mode & PERMISSIONS) | (node.mode & KIND);
    if (node.mode !== wanted) node.node_ops.setattr(node, { mode: wanted });
  }

  /** @param {Fid} fid @param {string} name @param {string} target */
  symlink(fid, name, target) {
    const path = this.#place(fid, name);
    this.FS.symlink(target, path);
    return new Reply().qid(this.#look(path));
  }

  /** @param {Fid} fid @param {string} name @param {number} mode */
  mkdir(fid, name, mode) {
    const path = this.#place(fid, name);
    this.FS.mkdir(path, mode & PERMISSIONS);
    const node = this.#look(path);
    this.#setMode(node, mode);
    return new Reply().qid(node);
  }

  /** @param {Fid} fid */
  readlink(fid) {
    if ((fid.node.mode & KIND) !== LINK) throw new FileError(EINVAL);
    return new Reply(8192).text(fid.node.link);
  }

  /** @param {Fid} fid @param {Fid} directory @param {string} name */
  rename(fid, directory, name) {
    this.FS.rename(this.#path(fid.node), this.#place(directory, name));
    return new Reply();
  }

  /** @param {Fid} from @param {string} name @param {Fid} to @param {string} renamed */
  renameAt(from, name, to, renamed) {
    this.FS.rename(this.#place(from, name), this.#place(to, renamed));
    return new Reply();
  }

  /** @param {Fid} fid @param {string} name @param {number} flags */
  unlinkAt(fid, name, flags) {
    const path = this.#place(fid, name);
    const node = this.#look(path);
    const isDirectory = (node.mode & KIND) === DIRECTORY;
    if (isDirectory && !(flags & REMOVE_DIRECTORY)) throw new FileError(EISDIR);
    if (!isDirectory && flags & REMOVE_DIRECTORY) throw new FileError(ENOTDIR);
    this.#unlink(path, node);
    return new Reply();
  }

  /** @param {string} path @param {any} node */
  #unlink(path, node) {
    if ((node.mode & KIND) === DIRECTORY) this.FS.rmdir(path);
    else this.FS.unlink(path);
  }

  /** @param {Fid} fid @param {number} position @param {number} count */
  read(fid, position, count) {
    if (!fid.stream) throw new FileError(EBADF);
    const most = Math.min(count, this.#most - OVERHEAD);
    return new Reply(4 + most).filled(most, (bytes) => this.FS.read(fid.stream, bytes, 0, most, position));
  }

  /** @param {Fid} fid @param {number} position @param {Uint8Array} bytes */
  write(fid, position, bytes) {
    if (!fid.stream) throw new FileError(EBADF);
    const at = fid.appends ? fid.node.node_ops.getattr(fid.node).size : position;
    return new Reply().u32(bytes.length ? this.FS.write(fid.stream, bytes, 0, bytes.length, at) : 0);
  }

  /** @param {Fid} fid @param {number} position @param {number} count */
  list(fid, position, count) {
    // `readdir` would follow a link.
    if ((fid.node.mode & KIND) !== DIRECTORY) throw new FileError(ENOTDIR);
    const path = this.#path(fid.node);
    if (position === 0 || !fid.names) fid.names = /** @type {string[]} */ (this.FS.readdir(path));
    const most = Math.min(count, this.#most - OVERHEAD);
    const entries = new Reply(most);
    for (let i = position; i < fid.names.length; i++) {
      const name = fid.names[i] ?? "";
      const bytes = encoder.encode(name);
      if (entries.length + OVERHEAD + bytes.length > most) break;
      const node = this.#entry(fid.node, path, name);
      if (node) entries.qid(node).u64(i + 1).u8((node.mode & KIND) >> 12).u16(bytes.length).data(bytes);
    }
    return new Reply(4 + entries.length).u32(entries.length).data(entries.fields());
  }

  /** @param {any} node @param {string} path @param {string} name @returns {any} null if it has gone meanwhile */
  #entry(node, path, name) {
    if (name === "." || name === "..") return this.#step(node, name);
    const at = path === "/" ? `/${name}` : `${path}/${name}`;
    return this.FS.analyzePath(at, true).object ?? null;
  }

  /** @param {Fid} fid */
  attributes({ node }) {
    const { mode, size, atime, mtime, ctime } = node.node_ops.getattr(node);
    const links = (mode & KIND) === DIRECTORY ? 2 : 1;
    const reply = new Reply().u64(BASIC_ATTRIBUTES).qid(node).u32(mode).u32(0).u32(0).u64(links).u64(0);
    reply.u64(size).u64(4096).u64(Math.ceil(size / 512));
    for (const time of [atime, mtime, ctime, 0]) {
      const ms = Number(time);
      const seconds = Math.floor(ms / 1000);
      reply.u64(seconds).u64(Math.round((ms - seconds * 1000) * 1e6));
    }
    return reply.u64(0).u64(0);
  }

  /** @param {Fid} fid @param {Request} request */
  setAttributes(fid, request) {
    const valid = request.u32();
    const mode = request.u32();
    // Python's filesystem has no owners.
    request.u64();
    const size = request.u64();
    const times = [request, request].map((each) => each.u64() * 1000 + each.u64() / 1e6);
    const { node } = fid;
    const now = Date.now();
    /** @type {Record<string, number>} */
    const changes = {};
    if (valid & 1) changes.mode = (mode & PERMISSIONS) | (node.mode & KIND);
    if (valid & 8) this.#resize(fid, size);
    if (valid & 16) changes.atime = valid & 128 ? (times[0] ?? now) : now;
    if (valid & 32) changes.mtime = valid & 256 ? (times[1] ?? now) : now;
    if (valid & 0b1000111) changes.ctime = now;
    if (Object.keys(changes).length) node.node_ops.setattr(node, changes);
    return new Reply();
  }

  /** @param {Fid} fid @param {number} size */
  #resize(fid, size) {
    if ((fid.node.mode & KIND) === DIRECTORY) throw new FileError(EISDIR);
    fid.node.node_ops.setattr(fid.node, { size, timestamp: Date.now(), mtime: Date.now() });
  }

  flush() {
    this.commit();
    return new Reply();
  }

  statfs() {
    const blocks = 262144;
    const reply = new Reply().u32(0x01021997).u32(4096).u64(2 * blocks).u64(blocks).u64(blocks);
    return reply.u64(1_000_000).u64(900_000).u64(0).u32(255);
  }
}

/** Answer that a region of a file isn't locked. @param {Request} request */
function unlocked(request) {
  request.u32();
  request.u8();
  const rest = request.rest();
  return new Reply(1 + rest.length).u8(UNLOCKED).data(rest);
}
