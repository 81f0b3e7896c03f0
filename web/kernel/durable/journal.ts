/**
 * An append-only journal in two segments. One is active; a rewrite fills the other, which becomes active when
 * it is complete. So one complete segment exists whenever the worker ends.
 */

/** @import {FrameWriter} from "./frame_writer.js" */
/** @import {Scan} from "./segment.js" */
/** @import {Storage} from "./storage.js" */

import { StorageUnavailable, isQuotaError } from "./errors.js";
import { FrameReader } from "./frame_reader.js";
import { STAGE_SIZE } from "./frame_writer.js";
import { readRecords } from "./records.js";
import { Segment, VERSION } from "./segment.js";
import { Tree } from "./tree.js";

/**
 * @typedef {object} Opened
 * @property {Journal} journal
 * @property {Tree} tree
 * @property {boolean} fresh true if the journal is new
 * @property {boolean} torn true if an incomplete, unacknowledged last frame was dropped
 */

/** A journal of two segments. */
export class Journal {
  #storage;
  #stage = new Uint8Array(STAGE_SIZE);
  /** @type {Segment[]} */
  #segments;
  #current = 0;
  #otherHasDamage = false;
  /** True if the active segment is damaged, so that only a rewrite is possible. */
  mustRewrite = false;
  /**
   * New names of damaged files.
   * @type {string[]}
   */
  setAside = [];
  /** Sentences that describe the damage, or empty. */
  damage = "";

  /** @param {Storage} storage */
  constructor(storage) {
    this.#storage = storage;
    this.#segments = storage.handles.map((handle) => new Segment(handle, this.#stage));
  }

  /**
   * @param {Storage} storage
   * @returns {Promise<Opened>}
   * @throws {StorageUnavailable} with the reason `newer-format` or `full`
   */
  static async open(storage) {
    const journal = new Journal(storage);
    const scans = journal.#segments.map((segment) => segment.scan());
    if (scans.some(({ header }) => header && header.version > VERSION)) {
      throw new StorageUnavailable("newer-format", "The files were saved by a newer version of this page. Reload the page.");
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

  /**
   * @param {(out: FrameWriter) => void} write
   * @returns {number} bytes written and flushed
   */
  append(write) {
    return this.#segments[this.#current].append(write);
  }

  /**
   * Replace the journal by one frame that contains everything.
   * @param {(out: FrameWriter) => void} write
   * @returns {number} bytes written and flushed
   */
  rewrite(write) {
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

  /**
   * @param {number} index
   * @param {Scan} scan
   * @param {Tree} tree
   */
  #replay(index, { frames }, tree) {
    const window = this.#segments[index].window();
    for (const frame of frames) readRecords(new FrameReader(window, frame), tree);
  }

  /**
   * @param {number} index
   * @param {Scan} scan
   */
  #resume(index, scan) {
    this.#current = index;
    this.mustRewrite = !scan.header || scan.verdict === "damaged";
    if (this.mustRewrite) {
      this.#segments[index].generation = scan.header?.generation ?? 0;
      this.damage = scan.reason || "The beginning of the journal is missing.";
    } else {
      this.#segments[index].resume(scan);
    }
  }

  /**
   * Empty the inactive segment, unless it may contain data that exists nowhere else.
   * @param {Scan} other
   * @param {Scan} current
   */
  async #settleOther(other, current) {
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

  /** @param {number} index */
  async #setAside(index) {
    this.setAside.push(await this.#storage.setAside(index));
    this.#segments[index] = new Segment(this.#storage.handles[index], this.#stage);
  }
}

/**
 * Prefer a segment with frames, because a rewrite's first frame contains everything, then the newer one.
 * @param {Scan} scan
 */
function rank({ frames, header, size }) {
  return (frames.length > 0 ? 2 ** 40 : 0) + (header?.generation ?? 0) + (size > 0 ? 0.5 : 0);
}
