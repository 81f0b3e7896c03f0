// The shell's files, which are those of Pyodide's own filesystem, so that Python sees the same. Git reads and writes by the
// methods that return promises (just-git's `FileSystem`).
import { decode, toBytes } from "../bytes.js";
import { ERRORS, SystemError, withErrors } from "../system_errors.js";

const WORDS = new Map(Object.values(ERRORS).map(([code, , words]) => [code, words]));

let made = 0;

/** @param {string} code @param {string} text @param {string} operation @param {string} path */
const failure = (code, text, operation, path) =>
  Object.assign(new Error(`${code}: ${text}, ${operation} '${path}'`), { code, path, reason: WORDS.get(code) });

/** Return why the filesystem refused something. @param {any} error of `ShellFiles.FS`, or of `attempt` @returns {string} */
export function reasonOf(error) {
  if (error instanceof SystemError) return error.message;
  if (typeof error?.reason === "string") return error.reason;
  throw error;
}

/** Return an error in the words of a shell. @param {unknown} error @returns {string} */
export function messageOf(error) {
  if (!(error instanceof Error)) return `unexpected error: ${String(/** @type {any} */ (error)?.name ?? error)}`;
  const { path, reason } = /** @type {Error & { path?: string, reason?: string }} */ (error);
  return reason === undefined ? error.message : `${path}: ${reason}`;
}

export class ShellFiles {
  /** @param {any} FS Emscripten's FS */
  constructor(FS) {
    this.FS = withErrors(FS);
    /** Permissions that new files and directories don't get. */
    this.umask = 0o022;
    /** The directory of the files that process substitutions are read from and written to. */
    this.descriptors = `/dev/shm/shell-${++made}`;
    /** The real paths that stand for paths of descriptors, while a program runs. @type {Record<string, string>} */
    this.places = {};
  }

  /** A view in which paths stand for others. @param {Record<string, string>} places @returns {ShellFiles} */
  withPlaces(places) {
    return Object.assign(Object.create(this), { places });
  }

  /** @template T @param {string} operation @param {string} path @param {() => T} action @returns {T} */
  attempt(operation, path, action) {
    if (path.includes("\0")) throw failure("ENOENT", "path contains a null byte", operation, path);
    try {
      return action();
    } catch (error) {
      const errno = /** @type {{ errno?: number }} */ (error)?.errno;
      if (typeof errno !== "number") throw error;
      const [code, text] = ERRORS[errno] ?? ["EIO", `i/o error ${errno}`];
      throw failure(code, text, operation, path);
    }
  }

  /** @param {string} base @param {string} path @returns {string} */
  resolvePath(base, path) {
    const pieces = [];
    for (const piece of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
      if (piece === "..") pieces.pop();
      else if (piece !== "" && piece !== ".") pieces.push(piece);
    }
    return `/${pieces.join("/")}`;
  }

  /** The real place of a path: `/dev/fd/63` of a process substitution is a file of this shell. @param {string} path */
  place(path) {
    const lent = this.places[path];
    if (lent !== undefined) return lent;
    const number = /^\/dev\/fd\/([1-6]\d)$/.exec(path)?.[1];
    return number ? `${this.descriptors}/${number}` : path;
  }

  /** @param {string} path */
  async readFileBuffer(path) {
    return this.attempt("open", path, () => {
      const place = this.place(path);
      if (this.FS.isDir(this.FS.stat(place).mode)) {
        throw failure("EISDIR", "illegal operation on a directory", "read", path);
      }
      return /** @type {Uint8Array} */ (this.FS.readFile(place));
    });
  }
  /** @param {string} path */
  async readFile(path) {
    return decode(await this.readFileBuffer(path));
  }
  /** @param {string} path @param {string | Uint8Array} content */
  async writeFile(path, content) {
    const mode = 0o666 & ~this.umask;
    const place = this.place(path);
    if (place !== path) this.FS.mkdirTree(this.descriptors);
    this.attempt("open", path, () => this.FS.writeFile(place, toBytes(content), { mode }));
  }

  /** @param {string} path */
  async exists(path) {
    return this.FS.analyzePath(this.place(path)).exists;
  }
  /** @param {any} stat */
  describe(stat) {
    const { FS } = this;
    return {
      isFile: FS.isFile(stat.mode) || FS.isChrdev(stat.mode),
      isDirectory: FS.isDir(stat.mode),
      isSymbolicLink: FS.isLink(stat.mode),
      mode: stat.mode & 0o7777,
      size: stat.size,
      mtime: new Date(stat.mtime),
    };
  }
  /** @param {string} path */
  async stat(path) {
    return this.attempt("stat", path, () => this.describe(this.FS.stat(this.place(path))));
  }
  /** @param {string} path */
  async lstat(path) {
    return this.attempt("lstat", path, () => this.describe(this.FS.lstat(this.place(path))));
  }

  /** @param {string} path @param {{ recursive?: boolean }} [options] */
  async mkdir(path, options) {
    const mode = 0o777 & ~this.umask;
    this.attempt("mkdir", path, () => (options?.recursive ? this.FS.mkdirTree(path, mode) : this.FS.mkdir(path, mode)));
  }
  /** @param {string} path @returns {Promise<string[]>} */
  async readdir(path) {
    return this.attempt("scandir", path, () =>
      this.FS.readdir(path)
        .filter((/** @type {string} */ name) => name !== "." && name !== "..")
        .sort(),
    );
  }

  /** The node of a path, links not followed; null if there is nothing. @param {string} path @returns {any} */
  nodeAt(path) {
    try {
      return this.FS.lookupPath(path).node;
    } catch (error) {
      if (/** @type {{ errno?: number }} */ (error).errno === undefined) throw error;
      return null;
    }
  }
  /** Return whether a file is at a path, links followed. @param {string} path @returns {boolean} */
  isFile(path) {
    const { exists, object } = this.FS.analyzePath(path);
    return exists && this.FS.isFile(object.mode);
  }
  /** @param {any} node @returns {{ size: number, time: number }} what changes with a file's content */
  ageOf(node) {
    const { size, mtime } = node.node_ops.getattr(node);
    return { size, time: Number(mtime) };
  }
  /** @param {any} node @param {string} path its place @returns {Uint8Array} a file's content, or a link's target */
  contentOf(node, path) {
    return this.FS.isLink(node.mode) ? toBytes(this.FS.readlink(path)) : this.FS.readFile(path);
  }
  /** @param {string} path @returns {string} */
  textAt(path) {
    return decode(this.FS.readFile(path));
  }
  /** @param {string} path of a directory @returns {[string, boolean][]} each name, and whether it is a directory */
  namesIn(path) {
    const { node } = this.FS.lookupPath(path);
    const { contents } = node;
    const names = this.FS.readdir(path).filter((/** @type {string} */ name) => name !== "." && name !== "..");
    return names.map((/** @type {string} */ name) => [name, this.FS.isDir(contents?.[name]?.mode ?? this.FS.lstat(`${path}/${name}`).mode)]);
  }

  /** @param {string} path @param {{ recursive?: boolean, force?: boolean }} [options] */
  async rm(path, options) {
    this.attempt("rm", path, () => {
      if (options?.force && !this.linkExists(this.place(path))) return;
      if (!this.FS.isDir(this.FS.lstat(this.place(path)).mode)) this.FS.unlink(this.place(path));
      else if (options?.recursive) this.removeTree(path);
      else this.FS.rmdir(path);
    });
  }
  /** @param {string} path */
  linkExists(path) {
    try {
      this.FS.lstat(path);
      return true;
    } catch (error) {
      if (/** @type {{ errno?: number }} */ (error).errno === undefined) throw error;
      return false;
    }
  }
  /** @param {string} path */
  removeTree(path) {
    if (!this.FS.isDir(this.FS.lstat(path).mode)) return this.FS.unlink(path);
    for (const name of this.FS.readdir(path)) {
      if (name !== "." && name !== "..") this.removeTree(`${path}/${name}`);
    }
    this.FS.rmdir(path);
  }

  /** @param {string} path @param {number} mode */
  async chmod(path, mode) {
    this.attempt("chmod", path, () => this.FS.chmod(path, mode));
  }
  /** @param {string} target @param {string} path */
  async symlink(target, path) {
    this.attempt("symlink", path, () => this.FS.symlink(target, path));
  }
  /** @param {string} path @returns {Promise<string>} */
  async readlink(path) {
    return this.attempt("readlink", path, () => this.FS.readlink(path));
  }
}
