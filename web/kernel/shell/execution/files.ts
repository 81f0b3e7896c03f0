// The shell's files are in Pyodide's own filesystem, so Python sees the same ones. Git reads and writes by the
// methods that return promises (just-git's `FileSystem`).
import { errnoOf, memoryOf, type FileSystem, type FSNode, type Stats } from "../../emscripten.ts";
import { decode, toBytes } from "../../bytes.ts";
import { ERRORS, SystemError, withErrors } from "../../system_errors.ts";

const WORDS = new Map(Object.values(ERRORS).map(([code, , words]) => [code, words]));

let made = 0;

const failure = (code: string, text: string, operation: string, path: string) =>
  Object.assign(new Error(`${code}: ${text}, ${operation} '${path}'`), { code, path, reason: WORDS.get(code) });

/**
 * Return why the filesystem refused something.
 * @param error - of `ShellFiles.FS`, or of `attempt`
 */
export function reasonOf(error: unknown): string {
  if (error instanceof SystemError) return error.message;
  if (error instanceof Error && "reason" in error && typeof error.reason === "string") return error.reason;
  throw error;
}

/** Return an error in the words of a shell. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `unexpected error: ${String(Object(error).name ?? error)}`;
  const { path, reason }: Error & { path?: string; reason?: string } = error;
  return reason === undefined ? error.message : `${path}: ${reason}`;
}

export class ShellFiles {
  FS: FileSystem;
  /** Permissions that new files and directories don't get. */
  umask = 0o022;
  /** The directory of the files that process substitutions are read from and written to. */
  descriptors: string;
  /** The real paths that stand for paths of descriptors, while a program runs. */
  places: Record<string, string> = {};

  /** @param FS - Emscripten's FS */
  constructor(FS: FileSystem) {
    this.FS = withErrors(FS);
    this.descriptors = `/dev/shm/shell-${++made}`;
  }

  /** A view in which paths stand for others. */
  withPlaces(places: Record<string, string>): ShellFiles {
    return Object.assign(Object.create(this), { places });
  }

  attempt<T>(operation: string, path: string, action: () => T): T {
    if (path.includes("\0")) throw failure("ENOENT", "path contains a null byte", operation, path);
    try {
      return action();
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === undefined) throw error;
      const [code, text] = ERRORS[errno] ?? ["EIO", `i/o error ${errno}`];
      throw failure(code, text, operation, path);
    }
  }

  resolvePath(base: string, path: string): string {
    const pieces = [];
    for (const piece of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
      if (piece === "..") pieces.pop();
      else if (piece !== "" && piece !== ".") pieces.push(piece);
    }
    return `/${pieces.join("/")}`;
  }

  /** The real place of a path: `/dev/fd/63` of a process substitution is a file of this shell. */
  place(path: string) {
    const lent = this.places[path];
    if (lent !== undefined) return lent;
    const number = /^\/dev\/fd\/([1-6]\d)$/.exec(path)?.[1];
    return number ? `${this.descriptors}/${number}` : path;
  }

  async readFileBuffer(path: string) {
    return this.attempt("open", path, () => {
      const place = this.place(path);
      if (this.FS.isDir(this.FS.stat(place).mode)) {
        throw failure("EISDIR", "illegal operation on a directory", "read", path);
      }
      return this.FS.readFile(place);
    });
  }
  async readFile(path: string) {
    return decode(await this.readFileBuffer(path));
  }
  async writeFile(path: string, content: string | Uint8Array) {
    const mode = 0o666 & ~this.umask;
    const place = this.place(path);
    if (place !== path) this.FS.mkdirTree(this.descriptors);
    this.attempt("open", path, () => this.FS.writeFile(place, toBytes(content), { mode }));
  }

  async exists(path: string) {
    return this.FS.analyzePath(this.place(path)).exists;
  }
  describe(stat: Stats) {
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
  async stat(path: string) {
    return this.attempt("stat", path, () => this.describe(this.FS.stat(this.place(path))));
  }
  async lstat(path: string) {
    return this.attempt("lstat", path, () => this.describe(this.FS.lstat(this.place(path))));
  }

  async mkdir(path: string, options?: { recursive?: boolean }) {
    const mode = 0o777 & ~this.umask;
    this.attempt("mkdir", path, () => (options?.recursive ? this.FS.mkdirTree(path, mode) : this.FS.mkdir(path, mode)));
  }
  async readdir(path: string): Promise<string[]> {
    return this.attempt("scandir", path, () => this.entriesOf(path).sort());
  }

  /** Return the names in a directory. */
  entriesOf(path: string): string[] {
    return this.FS.readdir(path).filter((name) => name !== "." && name !== "..");
  }

  /** The node of a path, links not followed; null if there is nothing. */
  nodeAt(path: string): FSNode | null {
    try {
      return this.FS.lookupPath(path).node;
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      return null;
    }
  }
  /** Return whether a file is at a path, links followed. */
  isFile(path: string): boolean {
    const { exists, object } = this.FS.analyzePath(path);
    return exists && object !== null && this.FS.isFile(object.mode);
  }
  /** Return whether a directory is at a path, links followed. */
  isFolder(path: string): boolean {
    return this.FS.analyzePath(path).exists && this.FS.isDir(this.FS.stat(path).mode);
  }
  /** Return a path without links. */
  realPath(path: string): string {
    return this.FS.getPath(this.FS.lookupPath(path, { follow: true }).node);
  }
  /** @returns what changes with a file's content */
  ageOf(node: FSNode): { size: number; time: number } {
    const { size, mtime } = node.node_ops.getattr(node);
    return { size, time: Number(mtime) };
  }
  /**
   * @param path - its place
   * @returns a file's content, or a link's target
   */
  contentOf(node: FSNode, path: string): Uint8Array {
    return this.FS.isLink(node.mode) ? toBytes(this.FS.readlink(path)) : this.FS.readFile(path);
  }
  textAt(path: string): string {
    return decode(this.FS.readFile(path));
  }
  /**
   * @param path - of a directory
   * @returns each name, and whether it is a directory
   */
  namesIn(path: string): [string, boolean][] {
    const { node } = this.FS.lookupPath(path);
    const { contents } = memoryOf(node) ?? {};
    return this.entriesOf(path).map((name) => [
      name,
      this.FS.isDir(contents?.[name]?.mode ?? this.FS.lstat(`${path}/${name}`).mode),
    ]);
  }

  async rm(path: string, options?: { recursive?: boolean; force?: boolean }) {
    this.attempt("rm", path, () => {
      if (options?.force && !this.linkExists(this.place(path))) return;
      if (!this.FS.isDir(this.FS.lstat(this.place(path)).mode)) this.FS.unlink(this.place(path));
      else if (options?.recursive) this.removeTree(path);
      else this.FS.rmdir(path);
    });
  }
  linkExists(path: string) {
    return this.nodeAt(path) !== null;
  }
  removeTree(path: string) {
    if (!this.FS.isDir(this.FS.lstat(path).mode)) return this.FS.unlink(path);
    for (const name of this.entriesOf(path)) this.removeTree(`${path}/${name}`);
    this.FS.rmdir(path);
  }

  async chmod(path: string, mode: number) {
    this.attempt("chmod", path, () => this.FS.chmod(path, mode));
  }
  async symlink(target: string, path: string) {
    this.attempt("symlink", path, () => this.FS.symlink(target, path));
  }
  async readlink(path: string): Promise<string> {
    return this.attempt("readlink", path, () => this.FS.readlink(path));
  }
}
