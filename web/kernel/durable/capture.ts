/**
 * Saves earlier versions of changed files, so that changes can be undone.
 *
 * {@link watch} reports each operation before or after it happens. Earlier versions go to a separate folder, which is a
 * root of the journal, so a commit saves a change together with the earlier version. Full contents are never copied:
 * the new file takes over the array and the id in the journal, so deleting or overwriting a large file writes no more
 * than without capture. For writes inside a file, the changed chunks are copied. Python moves the folder's files into
 * its database (py/gemini/computer/history/). Format: docs/history.md.
 */

import type { Attributes, FileSystem, FSNode } from "../emscripten.ts";
import { isDirectory, isFile, isLink } from "./records.ts";
import { CHUNK, childrenOf, trackOf } from "./track.ts";
import type { Tracker } from "./tracker.ts";

const MARK = Symbol("captured");
const HELD = Symbol("held");
/** If a larger part is cut off, the full file is saved. */
const LARGEST_TAIL = 1 << 20;
const PERMISSIONS = 0o7777;
/** Contents up to this size are written again, together, because a file for each would take longer. */
const SMALL = CHUNK;
/** Not captured: Python creates these folders from the files next to them. */
const DERIVED = "__pycache__";

/** The state of one file before its first change in a batch. */
interface Entry {
  /**
   * "made": it was created; "whole": all contents are saved; "part": the changed chunks are saved; "lost": it was too
   * large to save; "mode": only its permissions are saved; "link": a link's target is saved; "dir": it was a directory;
   * "moved": it was moved to `detail`; "none": nothing has changed in the end
   */
  kind: "made" | "whole" | "part" | "lost" | "mode" | "link" | "dir" | "moved" | "none";
  /** at that time */
  path: string;
  /** permissions */
  mode: number;
  size: number;
  /** a link's target, or the path that it was moved to */
  detail?: string;
  /** the name of the file with the contents */
  blob?: string;
  /** small contents, which have no separate file */
  contents?: Uint8Array;
  /** by their numbers */
  chunks?: Map<number, Uint8Array>;
}

/** the changes between two commits or turns */
type Batch = { entries: Entry[] };

declare module "../emscripten.ts" {
  interface FSNode {
    [MARK]?: { batch: Batch; entry: Entry };
    [HELD]?: Uint8Array;
  }
}

/** The recorder of earlier versions. */
export class Capture {
  #FS: FileSystem;
  #tracker: Tracker;
  #folder: FSNode;
  #who = "";
  #batch: Batch = { entries: [] };
  #ended: { who: string; at: number; entries: Entry[] }[] = [];
  #stamp = Date.now().toString(36);
  #created = 0;
  /** The largest contents that are saved, in bytes. Python sets it. */
  mostBytes = 64 << 20;
  folder: string;

  /** @param folder - an absolute path; a root of the journal */
  constructor(FS: FileSystem, tracker: Tracker, folder: string) {
    this.#FS = FS;
    this.#tracker = tracker;
    this.folder = folder;
    this.#folder = FS.lookupPath(folder, { follow: true }).node;
  }

  /**
   * Attribute the following changes to another author.
   * @param who - JSON for Python; empty to save nothing
   */
  turn(who: string) {
    if (who === this.#who) return;
    this.#end();
    this.#who = who;
  }

  /** Write the captured entries and their authors into the folder. A commit follows. */
  flush() {
    this.#end();
    for (const { who, at, entries } of this.#ended) {
      const pieces: Uint8Array[] = [];
      const rows = rowsOf(
        entries.filter(({ kind }) => kind !== "none"),
        pieces,
      );
      if (rows.length === 0) continue;
      // One line of JSON, followed by all small contents.
      pieces.unshift(new TextEncoder().encode(`${JSON.stringify({ who: JSON.parse(who), at, rows })}\n`));
      this.#save(joined(pieces), ".batch");
    }
    this.#ended = [];
  }

  /** Capture the data that a write will overwrite. */
  writes(node: FSNode, position: number, length: number) {
    const held = node[HELD];
    if (held && held === node.contents) node.contents = held.slice();
    if (length === 0 || !this.#isCaptured(node)) return;
    const entry = this.#entry(node);
    if (entry.kind === "mode") this.#become(entry, "part");
    if (entry.kind === "part") this.#copy(entry, node, position, Math.min(position + length, entry.size));
  }

  /** Capture the state before a change of attributes. */
  sets(node: FSNode, { mode, size }: Attributes) {
    const resized = size !== undefined && size !== node.usedBytes;
    const changed = mode != null && ((mode ^ node.mode) & PERMISSIONS) !== 0;
    if (!(resized || changed) || !this.#isCaptured(node)) return;
    const entry = this.#entry(node);
    if (!resized || (entry.kind !== "mode" && entry.kind !== "part")) return;
    const tail = node.usedBytes - size;
    if (size > 0 && tail <= LARGEST_TAIL) {
      this.#become(entry, "part");
      this.#copy(entry, node, size, Math.min(node.usedBytes, entry.size));
    } else {
      this.#saveWhole(entry, node);
    }
  }

  /** Record that a file, directory or link was created. */
  makes(node: FSNode, parent: FSNode) {
    if (this.#capturesIn(parent)) this.#arrive(node, this.#path(parent, node.name));
  }

  /** Record a node that was created, or moved here from outside the roots, with its descendants. */
  #arrive(node: FSNode, path: string) {
    this.#add(node, { kind: "made", path, mode: 0, size: 0 });
    if (!isDirectory(node.mode)) return;
    for (const child of childrenOf(node)) this.#arrive(child, `${path}/${child.name}`);
  }

  /** Capture a file, directory or link that was just removed and whose node still has its parent and name. */
  removes(node: FSNode, path: string = this.#capturesIn(node.parent) ? this.#path(node.parent, node.name) : "") {
    if (path === "") return;
    const known = this.#known(node);
    if (known?.kind === "made") this.#become(known, "none");
    else if (isDirectory(node.mode)) this.#leave(node, path);
    else if (isLink(node.mode)) this.#add(node, { kind: "link", path, mode: 0, size: 0, detail: node.link });
    else if (!known) this.#saveWhole(this.#add(node, contentsOf(node, path)), node);
    else if (known.kind === "mode" || known.kind === "part") this.#saveWhole(known, node);
  }

  /** Prepare for a rename. Call the returned function after it. */
  renames(node: FSNode, directory: FSNode, name: string, replaced: FSNode | undefined): () => void {
    const from = this.#capturesIn(node.parent) ? this.#path(node.parent, node.name) : "";
    const to = this.#capturesIn(directory) ? this.#path(directory, name) : "";
    return () => {
      if (replaced && to) this.removes(replaced, to);
      if (from && to) this.#moves(node, from, to, replaced);
      else if (from) this.removes(node, from);
      else if (to) this.#arrive(node, to);
    };
  }

  #moves(node: FSNode, from: string, to: string, replaced: FSNode | undefined) {
    const known = this.#known(node);
    const before = replaced && this.#known(replaced);
    if (known?.kind === "made" && !isDirectory(node.mode)) {
      this.#become(known, "none");
      // Replacing a file by a new one is a change of that file, as editors save it.
      const isChange = before?.path === to && before.kind !== "none";
      this.#add(node, { kind: isChange ? "none" : "made", path: to, mode: 0, size: 0 });
    } else {
      // Its entry remains: undoing restores the contents after undoing the move.
      this.#batch.entries.push({ kind: "moved", path: from, mode: node.mode & PERMISSIONS, size: 0, detail: to });
    }
  }

  /** Record that an empty directory was removed, or a directory was moved out of the roots. */
  #leave(node: FSNode, path: string) {
    for (const child of childrenOf(node)) this.removes(child, `${path}/${child.name}`);
    this.#add(node, { kind: "dir", path, mode: node.mode & PERMISSIONS, size: 0 });
  }

  /**
   * Walk up to the root, because a node that just left the roots still has a track, and one that entered has none.
   * @returns whether changes in it are captured
   */
  #capturesIn(directory: FSNode): boolean {
    if (this.#who === "" || directory.name === DERIVED) return false;
    let top = directory;
    while (top.parent !== top && !trackOf(top)?.root) top = top.parent;
    return top !== this.#folder && Boolean(trackOf(top)?.root);
  }

  #isCaptured(node: FSNode) {
    return trackOf(node) !== null && this.#capturesIn(node.parent);
  }

  /** @returns the node's entry in this batch */
  #known(node: FSNode): Entry | null {
    const mark = node[MARK];
    return mark?.batch === this.#batch ? mark.entry : null;
  }

  /** Return the node's entry in this batch, or a new one without contents. */
  #entry(node: FSNode): Entry {
    const known = this.#known(node);
    if (known) return known;
    return this.#add(node, contentsOf(node, this.#path(node.parent, node.name)));
  }

  #add(node: FSNode, entry: Entry) {
    node[MARK] = { batch: this.#batch, entry };
    this.#batch.entries.push(entry);
    return entry;
  }

  #become(entry: Entry, kind: Entry["kind"]) {
    entry.kind = kind;
    if (kind === "part") entry.chunks ??= new Map();
    else entry.chunks = undefined;
  }

  #copy(entry: Entry, node: FSNode, start: number, end: number) {
    const { chunks = new Map(), size } = entry;
    for (let chunk = Math.floor(start / CHUNK); chunk * CHUNK < end; chunk++) {
      if (chunks.has(chunk)) continue;
      chunks.set(chunk, node.contents.slice(chunk * CHUNK, Math.min((chunk + 1) * CHUNK, size)));
    }
    if (chunks.size * CHUNK > this.mostBytes) this.#become(entry, "lost");
  }

  #saveWhole(entry: Entry, node: FSNode) {
    if (entry.size > this.mostBytes) return this.#become(entry, "lost");
    const { chunks, size } = entry;
    this.#become(entry, "whole");
    if (chunks?.size || node.usedBytes < size) {
      const contents = new Uint8Array(size);
      contents.set(node.contents.subarray(0, Math.min(size, node.usedBytes)));
      for (const [chunk, bytes] of chunks ?? []) contents.set(bytes, chunk * CHUNK);
      if (size > SMALL) entry.blob = this.#save(contents);
      else entry.contents = contents;
    } else {
      const contents = node.contents.subarray(0, size);
      node[HELD] = node.contents;
      if (size > SMALL) entry.blob = this.#save(contents, "", size === node.usedBytes ? node : null);
      else entry.contents = contents;
    }
  }

  /**
   * @param from - the node whose id in the journal it takes over
   * @returns the name of the file
   */
  #save(contents: Uint8Array, ending = "", from: FSNode | null = null): string {
    const name = `${this.#stamp}-${(++this.#created).toString().padStart(9, "0")}${ending}`;
    const node = this.#FS.filesystems.MEMFS.createNode(this.#folder, name, 0o100600, 0);
    node.contents = contents;
    node.usedBytes = contents.length;
    if (from) this.#tracker.handOver(from, node);
    else this.#tracker.touch(node);
    return name;
  }

  #end() {
    const { entries } = this.#batch;
    if (entries.length === 0) return;
    this.#ended.push({ who: this.#who, at: Date.now(), entries });
    this.#batch = { entries: [] };
  }

  #path(directory: FSNode, name: string) {
    return `${this.#FS.getPath(directory)}/${name}`;
  }
}

function contentsOf(node: FSNode, path: string): Entry {
  return { kind: "mode", path, mode: node.mode & PERMISSIONS, size: isFile(node.mode) ? node.usedBytes : 0 };
}

/**
 * Convert entries to the rows that Python reads.
 * @param pieces - receives their small contents, in which each row has a span
 */
function rowsOf(entries: Entry[], pieces: Uint8Array[]): object[] {
  let end = 0;
  return entries.map(({ chunks, contents, ...row }) => {
    const start = end;
    for (const piece of contents ? [contents] : (chunks?.values() ?? [])) {
      pieces.push(piece);
      end += piece.length;
    }
    const numbers = chunks?.size ? { chunks: [...chunks.keys()] } : {};
    return end > start ? { ...row, ...numbers, span: [start, end] } : row;
  });
}

function joined(pieces: Uint8Array[]) {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const piece of pieces) {
    all.set(piece, end);
    end += piece.length;
  }
  return all;
}
