/**
 * An append-only journal in two segments. One is active; a rewrite fills the other, which becomes active when
 * it is complete. So one complete segment exists whenever the worker ends.
 */

import { StorageUnavailable, isQuotaError } from "./errors.ts";
import { FrameReader } from "./frame_reader.ts";
import { STAGE_SIZE, type FrameWriter } from "./frame_writer.ts";
import { readRecords } from "./records.ts";
import { Segment, VERSION, type Scan } from "./segment.ts";
import type { Storage } from "./storage.ts";
import { Tree } from "./tree.ts";

interface Opened {
  journal: Journal;
  tree: Tree;
  /** true if the journal is new */
  fresh: boolean;
  /** true if an incomplete, unacknowledged last frame was dropped */
  torn: boolean;
}

/** A journal of two segments. */
export class Journal {
  #storage: Storage;
  #stage = new Uint8Array(STAGE_SIZE);
  #segments: Segment[];
  #current = 0;
  #otherHasDamage = false;
  /** True if the active segment is damaged, so that only a rewrite is possible. */
  mustRewrite = false;
  /** New names of damaged files. */
  setAside: string[] = [];
  /** Sentences that describe the damage, or empty. */
  damage = "";

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#segments = storage.handles.map((handle) => new Segment(handle, this.#stage));
  }

  /** @throws {StorageUnavailable} with the reason `newer-format` or `full` */
  static async open(storage: Storage): Promise<Opened> {
    const journal = new Journal(storage);
    const scans = journal.#segments.map((segment) => segment.scan());
    if (scans.some(({ header }) => header && header.version > VERSION)) {
      throw new StorageUnavailable(
        "newer-format",
        "The files were saved by a newer version of this page. Reload the page.",
      );
    }
    const tree = new Tree();
    const fresh = scans.every(({ size }) => size === 0);
    if (fresh) {
      journal.#begin();
      return { journal, tree, fresh, torn: false };
    }
    const current = rank(scans[1]) > rank(scans[0]) ? 1 : 0;
    journal.#replay(current, scans[current], tree);
    journal.#resume(current, scans[current]);
    await journal.#settleOther(scans[1 - current], scans[current]);
    return { journal, tree, fresh, torn: scans[current].verdict === "torn" };
  }

  /** Size of the active segment, in bytes. */
  get size() {
    return this.#segments[this.#current].end;
  }

  /** False while the inactive segment holds damaged data that must not be overwritten. */
  get canRewrite() {
    return !this.#otherHasDamage;
  }

  /** @returns bytes written and flushed */
  append(write: (out: FrameWriter) => void): number {
    return this.#segments[this.#current].append(write);
  }

  /**
   * Replace the journal by one frame that contains everything.
   * @returns bytes written and flushed
   */
  rewrite(write: (out: FrameWriter) => void): number {
    const [old, next] = [this.#segments[this.#current], this.#segments[1 - this.#current]];
    next.replace({ generation: old.generation + 1, keepsOther: this.mustRewrite }, write);
    this.#current = 1 - this.#current;
    this.#otherHasDamage = this.mustRewrite;
    this.mustRewrite = false;
    if (!this.#otherHasDamage) old.clear();
    return next.end;
  }

  /** Rename the damaged segment after a rewrite. */
  async settleDamage() {
    if (!this.#otherHasDamage) return;
    await this.#setAside(1 - this.#current);
    this.#otherHasDamage = false;
  }

  close() {
    this.#storage.close();
  }

  #begin() {
    try {
      this.#segments[0].replace({ generation: 1, keepsOther: false }, null);
    } catch (error) {
      if (!isQuotaError(error)) throw error;
      throw new StorageUnavailable("full", "There is no space left to save files.", error);
    }
  }

  #replay(index: number, { frames }: Scan, tree: Tree) {
    const window = this.#segments[index].window();
    for (const frame of frames) readRecords(new FrameReader(window, frame), tree);
  }

  #resume(index: number, scan: Scan) {
    this.#current = index;
    this.mustRewrite = !scan.header || scan.verdict === "damaged";
    if (this.mustRewrite) {
      this.#segments[index].generation = scan.header?.generation ?? 0;
      this.damage = scan.reason || "The beginning of the journal is missing.";
    } else {
      this.#segments[index].resume(scan);
    }
  }

  /** Empty the inactive segment, unless it may contain data that exists nowhere else. */
  async #settleOther(other: Scan, current: Scan) {
    if (other.size === 0) return;
    const index = 1 - this.#current;
    const copy = other.verdict === "unfinished";
    const old = other.header && current.header && other.header.generation < current.header.generation;
    if (current.header && !current.header.keepsOther && (copy || old)) {
      this.#segments[index].clear();
    } else {
      this.damage ||= other.reason || "It was left by an interrupted repair.";
      await this.#setAside(index);
    }
  }

  async #setAside(index: number) {
    this.setAside.push(await this.#storage.setAside(index));
    this.#segments[index] = new Segment(this.#storage.handles[index], this.#stage);
  }
}

/** Prefer a segment with frames, because a rewrite's first frame contains everything, then the newer one. */
function rank({ frames, header, size }: Scan) {
  return (frames.length > 0 ? 2 ** 40 : 0) + (header?.generation ?? 0) + (size > 0 ? 0.5 : 0);
}
