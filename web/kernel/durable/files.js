/**
 * Files of Pyodide's MEMFS that survive the worker.
 *
 * MEMFS stays what programs work on; {@link DurableFiles.commit} appends what changed to a journal in the
 * origin private file system. Guarantees and format: docs/durability.md.
 */

/** @import {FrameWriter} from "./frame_writer.js" */
/** @import {FileSystem} from "./memfs.js" */
/** @import {Change, Changes} from "./tracker.js" */

import { Capture } from "./capture.js";
import { ChangesNotSaved, StorageFull, isQuotaError } from "./errors.js";
import { Journal } from "./journal.js";
import { mount } from "./mount.js";
import { isFile, isLink, writeData, writePut, writeRemove } from "./records.js";
import { Storage } from "./storage.js";
import { extents, trackOf } from "./track.js";
import { Tracker } from "./tracker.js";
import { watch } from "./watch.js";

/** Garbage that a journal may have beside as much garbage as live data, in bytes. */
const SLACK = 32 << 20;
/** A killed worker that was busy takes about two seconds to let go of its handles. */
const WAIT_MS = 5000;

/**
 * @typedef {object} Options
 * @property {string[]} roots absolute paths of directories, none inside another; made where they are missing
 * @property {string} [captured] a folder like the roots, for what files were before they changed
 * @property {string} [name] of the journal's directory in the origin private file system
 * @property {number} [waitMs] how long to wait for files that somebody else holds
 * @property {number} [slack] bytes of garbage that are never worth a rewrite
 *
 * @typedef {object} Report what opening found
 * @property {boolean} fresh nothing was kept under this name yet
 * @property {{files: number, bytes: number, ms: number}} mounted directories and links count as files; `ms`
 *   is all of opening but the wait for the storage
 * @property {boolean} torn a commit that was never acknowledged had been cut short, and was dropped
 * @property {{setAside: string[], reason: string} | null} damaged what was readable is mounted; the damaged
 *   journal stands beside the new one under these names, none when there was no room for a new one yet
 *
 * @typedef {object} Commit
 * @property {number} frames 0 when nothing had changed
 * @property {number} bytes written
 * @property {number} files written or removed; directories and links count
 */

/**
 * Mounts what was kept and starts to follow changes.
 * @param {FileSystem} FS Pyodide's `FS`
 * @param {Options} options
 * @returns {Promise<DurableFiles>}
 * @throws {import("./errors.js").StorageUnavailable} files can't be kept; its `reason` says why
 */
export async function openDurableFiles(FS, { roots, captured = "", name = "files", waitMs = WAIT_MS, slack = SLACK }) {
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

export class DurableFiles {
  #journal;
  #tracker;
  #unwatch;
  #slack;
  /** Size of the journal under which no rewrite is tried again after one failed. */
  #rewriteAbove = 0;
  /** @type {Report} */
  report = { fresh: false, mounted: { files: 0, bytes: 0, ms: 0 }, torn: false, damaged: null };

  /**
   * @param {Journal} journal
   * @param {Tracker} tracker
   * @param {Capture | null} capture
   * @param {() => void} unwatch
   * @param {number} slack
   */
  constructor(journal, tracker, capture, unwatch, slack) {
    this.#journal = journal;
    this.#tracker = tracker;
    this.capture = capture;
    this.#unwatch = unwatch;
    this.#slack = slack;
  }

  /** Whether a commit would write something. */
  get changed() {
    return this.#tracker.changed || this.#journal.mustRewrite;
  }

  /**
   * @param {() => void} fn called at the first change after each commit, tried or done, from inside of the
   *   operation on the file: it must not throw, nor commit, only plan to. One at a time.
   */
  onChange(fn) {
    this.#tracker.onChange = fn;
  }

  /**
   * Saves everything that changed, all or nothing. On return it is on disk.
   * @returns {Commit}
   * @throws {ChangesNotSaved} the changes are still there for the next commit
   */
  commit() {
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

  /** Replaces a damaged journal by what was readable of it. What fails here, the next commit tries again. */
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

  /** Lets go of the storage. What was not committed is not kept; the files stay in memory. */
  close() {
    this.#unwatch();
    this.#tracker.release();
    this.#journal.close();
  }

  /**
   * @param {Changes} changes
   * @returns {number} bytes
   */
  #save(changes) {
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

  /** Nothing depends on a rewrite in time: the journal is complete without it. */
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

  /** @param {FrameWriter} out */
  #writeEverything(out) {
    for (const change of this.#tracker.everything()) {
      const { node } = change;
      writeEntry(out, change, Infinity);
      if (isFile(node.mode) && node.usedBytes) writeContents(out, change, [[0, node.usedBytes]]);
    }
  }
}

/**
 * @param {FrameWriter} out
 * @param {Changes} changes
 */
function writeChanges(out, { puts, removes }) {
  for (const id of removes) writeRemove(out, id);
  for (const change of puts) {
    const { node, track } = change;
    writeEntry(out, change, track.cut);
    if (isFile(node.mode)) writeContents(out, change, extents(track, node.usedBytes));
  }
}

/**
 * @param {FrameWriter} out
 * @param {Change} change
 * @param {number} cut
 */
function writeEntry(out, { node, track }, cut) {
  writePut(out, {
    id: track.id,
    parent: track.root ? 0 : trackOf(node.parent)?.id ?? 0,
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

/**
 * @param {FrameWriter} out
 * @param {Change} change
 * @param {[number, number][]} ranges
 */
function writeContents(out, { node, track }, ranges) {
  for (const [start, end] of ranges) writeData(out, track.id, start, node.contents.subarray(start, end));
}
