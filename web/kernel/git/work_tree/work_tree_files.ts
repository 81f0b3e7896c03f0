// The files as git sees them: in the work tree a link is a link, and text has the line ends that settings and attributes
// ask for. just-git reads and writes through this, so that all of its commands know both.
import type { FSNode } from "../../emscripten.ts";
import { toBytes } from "../../bytes.ts";
import { ShellFiles } from "../../shell/execution/files.ts";
import { NAME } from "./attributes.ts";
import { parseIndex } from "../index/index_file.ts";
import type { LineEnds } from "./line_ends.ts";

export type Place = { workTree: string; gitDir: string };

interface Rules {
  lineEnds: LineEnds;
  /** whether files may be executable (`core.fileMode`) */
  hasModes: boolean;
  blobOf: (hash: string) => Promise<Uint8Array>;
}

const LINK = 0o120000;
const EXECUTABLE = 0o111;

export class WorkTreeFiles extends ShellFiles {
  /** The files that a command has written, whose permissions and line ends `finish` checks. */
  #written = new Set<string>();
  /** True for a folder that belongs to another repository, by path. */
  #inner = new Map<string, boolean>();
  /** True if there is a link on the way to a folder. */
  #behind = new Map<string, boolean>();
  /** Files whose place a folder has taken. */
  #replaced = new Set<string>();
  #onlyFiles = false;
  /** Paths that a command shall not see. */
  #absent = new Set<string>();
  /** While files are renamed, the path of each content that was asked for. */
  #moving: Map<unknown, string> | null = null;
  root: string;
  gitDir: string;
  lineEnds: LineEnds;
  hasModes: boolean;
  blobOf: (hash: string) => Promise<Uint8Array>;
  /** True if line ends are converted; a search reads files as they are. */
  converts = true;

  constructor(files: ShellFiles, { workTree, gitDir }: Place, { lineEnds, hasModes, blobOf }: Rules) {
    super(files.FS);
    this.umask = files.umask;
    this.descriptors = files.descriptors;
    this.root = `${workTree}/`;
    this.gitDir = gitDir;
    this.lineEnds = lineEnds;
    this.hasModes = hasModes;
    this.blobOf = blobOf;
  }

  /** The path in the work tree, or null for others, such as git's own files. */
  inside(path: string): string | null {
    if (
      !path.startsWith(this.root) ||
      path.length === this.root.length ||
      path === this.gitDir ||
      path.startsWith(`${this.gitDir}/`)
    )
      return null;
    return this.#isInner(path.slice(0, path.lastIndexOf("/"))) ? null : path.slice(this.root.length);
  }

  /** Return whether a folder belongs to another repository, which may be bare. */
  #isInner(folder: string): boolean {
    if (folder.length < this.root.length) return false;
    const known = this.#inner.get(folder);
    if (known !== undefined) return known;
    const has = (name: string) => this.nodeAt(`${folder}/${name}`) !== null;
    const found =
      folder.endsWith("/.git") ||
      (has("objects") && has("HEAD")) ||
      this.#isInner(folder.slice(0, folder.lastIndexOf("/")));
    this.#inner.set(folder, found);
    return found;
  }

  /** Return whether a folder of a path is a link; files behind it aren't in the work tree. */
  isBehindLink(name: string): boolean {
    const at = name.lastIndexOf("/");
    if (at < 0) return false;
    const folder = name.slice(0, at);
    const known = this.#behind.get(folder);
    if (known !== undefined) return known;
    const node = this.nodeAt(this.root + folder);
    const found = (node !== null && this.FS.isLink(node.mode)) || this.isBehindLink(folder);
    this.#behind.set(folder, found);
    return found;
  }

  override async symlink(target: string, path: string) {
    const name = this.inside(path);
    if (name !== null) this.#clear(name);
    this.#behind.clear();
    return super.symlink(target, path);
  }

  override async lstat(path: string) {
    const name = this.inside(path);
    if (name !== null && this.isBehindLink(name))
      throw Object.assign(new Error(`ENOENT: no such file or directory, lstat '${path}'`), { code: "ENOENT" });
    return super.lstat(path);
  }

  #isFolder(name: string) {
    const node = this.nodeAt(this.root + name);
    return node !== null && this.FS.isDir(node.mode);
  }

  /** Remove a folder whose place a file takes; nothing that isn't tracked is lost. */
  #clear(name: string) {
    if (!this.#isFolder(name)) return;
    const stored = this.#filesBelow(name).filter((path) => !this.lineEnds.index().has(path));
    if (stored.length)
      throw new Error(`error: Updating the following directories would lose untracked files in them:\n\t${name}\n`);
    this.removeTree(this.root + name);
  }

  #filesBelow(name: string): string[] {
    const names = this.namesIn(this.root + name);
    return names.flatMap(([inner, isFolder]) =>
      isFolder ? this.#filesBelow(`${name}/${inner}`) : [`${name}/${inner}`],
    );
  }

  override async mkdir(path: string, options?: { recursive?: boolean }) {
    const name = this.inside(path) ?? "";
    for (let at = name.indexOf("/"); name; at = name.indexOf("/", at + 1)) {
      const part = at < 0 ? name : name.slice(0, at);
      const node = this.nodeAt(this.root + part);
      // A tracked file or link makes room for the folder.
      if (node !== null && !this.FS.isDir(node.mode) && this.lineEnds.index().has(part)) {
        this.FS.unlink(this.root + part);
        this.#replaced.add(part);
        this.#behind.clear();
      }
      if (at < 0) break;
    }
    return super.mkdir(path, options);
  }

  override async stat(path: string) {
    if (this.inside(path) === null) return super.stat(path);
    const found = await this.lstat(path);
    // A link has a content, as a file has.
    return found.isSymbolicLink ? { ...found, isFile: true } : found;
  }

  override async exists(path: string) {
    const name = this.inside(path);
    return name === null
      ? super.exists(path)
      : !this.#absent.has(name) &&
          !(this.#onlyFiles && this.#isFolder(name)) &&
          !this.isBehindLink(name) &&
          this.linkExists(path);
  }

  override async readFileBuffer(path: string) {
    const name = this.inside(path);
    if (name === null) return super.readFileBuffer(path);
    if (this.#moving) return this.#standIn(path, this.#moving);
    if ((await this.lstat(path)).isSymbolicLink) return toBytes(await this.readlink(path));
    return this.#cleaned(name, await super.readFileBuffer(path));
  }

  /** The bytes that git keeps of a file, or a link's target. */
  async storedOf(node: FSNode, path: string) {
    const content = this.contentOf(node, path);
    const name = this.FS.isLink(node.mode) ? null : this.inside(path);
    return name === null ? content : this.#cleaned(name, content);
  }

  async #cleaned(name: string, content: Uint8Array): Promise<Uint8Array> {
    return this.converts ? this.lineEnds.clean(name, content) : content;
  }

  /** Return whether a file has a content already, in line ends that the settings allow; git doesn't write it then. */
  async #isStored(name: string, path: string, bytes: Uint8Array) {
    const node = this.nodeAt(path);
    if (this.lineEnds.action(name) === "binary" || !this.isFile(path) || node === null || this.FS.isLink(node.mode))
      return false;
    const stored = await this.#cleaned(name, await super.readFileBuffer(path));
    return stored.length === bytes.length && stored.every((byte, at) => byte === bytes[at]);
  }

  override async rm(path: string, options?: { recursive?: boolean; force?: boolean }) {
    const name = this.inside(path);
    if (name === null) return super.rm(path, options);
    if (path.endsWith(NAME)) this.lineEnds.changed();
    // It is gone already, or a folder has taken its place.
    if (this.#replaced.has(name) || this.isBehindLink(name)) return;
    this.#behind.clear();
    if (!options?.recursive && this.#isFolder(name)) return this.#clear(name);
    return super.rm(path, this.#moving ? { ...options, force: true } : options);
  }

  /** Rename what a command copies. */
  async renaming<T>(run: () => Promise<T>): Promise<T> {
    this.#moving = new Map();
    try {
      return await run();
    } finally {
      this.#moving = null;
    }
  }

  /** Run a command that doesn't see folders, which may have taken the place of files. */
  async onlyFiles<T>(run: () => Promise<T>): Promise<T> {
    this.#onlyFiles = true;
    try {
      return await run();
    } finally {
      this.#onlyFiles = false;
    }
  }

  /** Run a command for which some paths don't exist. */
  async without<T>(paths: string[], run: () => Promise<T>): Promise<T> {
    this.#absent = new Set(paths);
    try {
      return await run();
    } finally {
      this.#absent = new Set();
    }
  }

  #standIn(path: string, moving: Map<unknown, string>) {
    const content = new Uint8Array();
    moving.set(content, path);
    return content;
  }

  #rename(from: string, to: string) {
    this.attempt("rename", from, () => this.FS.rename(from, to));
  }

  override async writeFile(path: string, content: string | Uint8Array) {
    const name = this.inside(path);
    if (name === null) {
      // What was tracked is asked for after the index has changed.
      if (path === `${this.gitDir}/index`) this.lineEnds.index();
      return super.writeFile(path, content);
    }
    const from = this.#moving?.get(content);
    if (from !== undefined) return this.#rename(from, path);
    this.#clear(name);
    this.#written.add(name);
    const bytes = toBytes(content);
    if (await this.#isStored(name, path, bytes)) return;
    return super.writeFile(path, await this.lineEnds.smudge(name, bytes));
  }

  /** Give the files that were written the permissions of the index, and the line ends of the attributes that came with them. */
  async finish() {
    const written = new Set(this.#written);
    this.#written.clear();
    this.#replaced.clear();
    this.lineEnds.forgetIndex();
    const place = `${this.gitDir}/index`;
    if (written.size === 0 || !(await super.exists(place))) return;
    const renewed = this.lineEnds.renewedBy(written);
    for (const { path, mode, hash, stage } of parseIndex(await super.readFileBuffer(place)) ?? []) {
      if (stage > 0 || !written.has(path) || mode === LINK || !this.linkExists(this.root + path)) continue;
      if (renewed.has(path)) await this.writeFile(this.root + path, await this.blobOf(hash));
      if (this.hasModes) this.#setMode(this.root + path, (mode & 0o100) !== 0);
    }
    this.#written.clear();
  }

  #setMode(path: string, executable: boolean) {
    const { mode } = this.FS.lstat(path);
    if (this.FS.isLink(mode) || Boolean(mode & 0o100) === executable) return;
    this.FS.chmod(path, executable ? (mode | EXECUTABLE) & ~this.umask & 0o7777 : mode & ~EXECUTABLE & 0o7777);
  }
}
