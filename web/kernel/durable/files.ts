/**
 * Files in Pyodide's MEMFS that survive the worker.
 *
 * Programs use MEMFS; {@link DurableFiles.commit} appends the changes to a journal in the origin private file
 * system. Guarantees and format: docs/durability.md.
 */

import type { FileSystem } from "../emscripten.ts";
import { Capture } from "./capture.ts";
import { ChangesNotSaved, StorageFull, isQuotaError } from "./errors.ts";
import type { FrameWriter } from "./frame_writer.ts";
import { Journal } from "./journal.ts";
import { mount } from "./mount.ts";
import { isFile, isLink, writeData, writePut, writeRemove } from "./records.ts";
import { Storage } from "./storage.ts";
import { extents, trackOf } from "./track.ts";
import { Tracker, type Change, type Changes } from "./tracker.ts";
import { watch } from "./watch.ts";

/** A journal may be larger than twice the live data by this many bytes. */
const SLACK = 32 << 20;
/** A busy worker that was terminated takes about two seconds to release its handles. */
const WAIT_MS = 5000;

interface Options {
  /** absolute paths of directories, none inside another; missing ones are created */
  roots: string[];
  /** an additional root for earlier versions of changed files */
  captured?: string;
  /** of the journal's directory in the origin private file system */
  name?: string;
  /** how long to wait for files that another tab or worker holds */
  waitMs?: number;
  /** see SLACK */
  slack?: number;
}

/** the result of opening */
interface Report {
  /** true if nothing was saved under this name before */
  fresh: boolean;
  /** `files` includes directories and links; `ms` excludes the wait for the storage */
  mounted: { files: number; bytes: number; ms: number };
  /** true if an interrupted, unacknowledged commit was dropped */
  torn: boolean;
  /**
   * null if nothing was damaged. The readable part is mounted. `setAside` has the new names of damaged journals, none
   * if there was no space for a new journal
   */
  damaged: { setAside: string[]; reason: string } | null;
}

interface Commit {
  /** 0 if nothing had changed */
  frames: number;
  /** written */
  bytes: number;
  /** written or removed, including directories and links */
  files: number;
}

/**
 * Mount the saved files and start tracking changes.
 * @param FS - Pyodide's `FS`
 * @throws {import("./errors.ts").StorageUnavailable} files can't be saved, see `reason`
 */
export async function openDurableFiles(
  FS: FileSystem,
  { roots, captured = "", name = "files", waitMs = WAIT_MS, slack = SLACK }: Options,
): Promise<DurableFiles> {
  const storage = await Storage.open(name, waitMs);
  const tracker = new Tracker(FS);
  let unwatch = () => {};
  try {
    const started = performance.now();
    const { journal, tree, fresh, torn } = await Journal.open(storage);
    const mounted = mount(FS, tree, tracker, captured ? [...roots, captured] : roots);
    const capture = captured ? new Capture(FS, tracker, captured) : null;
    unwatch = watch(FS, tracker, capture);
    const durable = new DurableFiles(journal, tracker, capture, unwatch, slack);
    await durable.repair();
    const damaged = journal.damage ? { setAside: journal.setAside, reason: journal.damage } : null;
    durable.report = { fresh, mounted: { ...mounted, ms: performance.now() - started }, torn, damaged };
    return durable;
  } catch (error) {
    unwatch();
    tracker.release();
    storage.close();
    throw error;
  }
}

/** The open durable files. */
export class DurableFiles {
  #journal: Journal;
  #tracker: Tracker;
  #unwatch: () => void;
  #slack: number;
  /** After a failed rewrite, the size that the journal must exceed before the next attempt. */
  #rewriteAbove = 0;
  report: Report = { fresh: false, mounted: { files: 0, bytes: 0, ms: 0 }, torn: false, damaged: null };
  capture: Capture | null;

  constructor(journal: Journal, tracker: Tracker, capture: Capture | null, unwatch: () => void, slack: number) {
    this.#journal = journal;
    this.#tracker = tracker;
    this.capture = capture;
    this.#unwatch = unwatch;
    this.#slack = slack;
  }

  /** True if a commit would write something. */
  get changed() {
    return this.#tracker.changed || this.#journal.mustRewrite;
  }

  /**
   * Set the callback for changes, replacing the previous one.
   * @param fn - called at the first change after each commit, successful or not, during the file operation. It must
   * neither throw nor commit, but may schedule a commit.
   */
  onChange(fn: () => void) {
    this.#tracker.onChange = fn;
  }

  /**
   * Save all changes atomically. They are on disk on return.
   * @throws {ChangesNotSaved} the changes remain for the next commit
   */
  commit(): Commit {
    this.capture?.flush();
    const changes = this.#tracker.collect();
    const files = changes.puts.length + changes.removes.length;
    if (files === 0 && !this.#journal.mustRewrite) {
      this.#tracker.done(changes);
      return { frames: 0, bytes: 0, files: 0 };
    }
    const bytes = this.#save(changes);
    this.#tracker.done(changes);
    this.#compact();
    return { frames: 1, bytes, files };
  }

  /** Replace a damaged journal by its readable part. If that fails, the next commit retries it. */
  async repair() {
    if (!this.#journal.mustRewrite) return;
    try {
      this.commit();
    } catch (error) {
      if (error instanceof ChangesNotSaved) return;
      throw error;
    }
    await this.#journal.settleDamage();
  }

  /** Release the storage. Uncommitted changes aren't saved; the files stay in memory. */
  close() {
    this.#unwatch();
    this.#tracker.release();
    this.#journal.close();
  }

  /** @returns bytes */
  #save(changes: Changes): number {
    try {
      if (this.#journal.mustRewrite) return this.#journal.rewrite((out) => this.#writeEverything(out));
      return this.#journal.append((out) => writeChanges(out, changes));
    } catch (error) {
      const paths = this.#tracker.paths(changes);
      if (isQuotaError(error)) throw new StorageFull("The browser's storage is full.", paths, error);
      if (!(error instanceof DOMException)) throw error;
      throw new ChangesNotSaved(`The storage failed: ${error.message}`, paths, error);
    }
  }

  /** Rewrite a journal with much garbage. A failure is harmless, because the journal is complete. */
  #compact() {
    const { size, canRewrite } = this.#journal;
    if (!canRewrite || size <= Math.max(2 * this.#tracker.live + this.#slack, this.#rewriteAbove)) return;
    try {
      this.#journal.rewrite((out) => this.#writeEverything(out));
      this.#rewriteAbove = 0;
    } catch (error) {
      if (!isQuotaError(error)) throw error;
      this.#rewriteAbove = size + this.#slack;
    }
  }

  #writeEverything(out: FrameWriter) {
    for (const change of this.#tracker.everything()) {
      const { node } = change;
      writeEntry(out, change, Infinity);
      if (isFile(node.mode) && node.usedBytes) writeContents(out, change, [[0, node.usedBytes]]);
    }
  }
}

function writeChanges(out: FrameWriter, { puts, removes }: Changes) {
  for (const id of removes) writeRemove(out, id);
  for (const change of puts) {
    const { node, track } = change;
    writeEntry(out, change, track.cut);
    if (isFile(node.mode)) writeContents(out, change, extents(track, node.usedBytes));
  }
}

function writeEntry(out: FrameWriter, { node, track }: Change, cut: number) {
  writePut(out, {
    id: track.id,
    parent: track.root ? 0 : (trackOf(node.parent)?.id ?? 0),
    name: track.root || node.name,
    mode: node.mode,
    mtime: Number(node.mtime),
    atime: Number(node.atime),
    ctime: Number(node.ctime),
    size: isFile(node.mode) ? node.usedBytes : 0,
    cut,
    target: isLink(node.mode) ? node.link : "",
  });
}

function writeContents(out: FrameWriter, { node, track }: Change, ranges: [number, number][]) {
  for (const [start, end] of ranges) writeData(out, track.id, start, node.contents.subarray(start, end));
}
