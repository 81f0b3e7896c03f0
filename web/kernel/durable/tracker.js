/** Knows what changed under the roots since the last commit. */

/** @import {FileSystem, Node} from "./memfs.js" */
/** @import {Track} from "./track.js" */

import { isDirectory, isFile } from "./records.js";
import { bury, childrenOf, forget, handOver, isGone, keepable, newTrack, settle, trackOf } from "./track.js";

/** What an entry takes in the journal beside its contents, roughly. */
const ENTRY_COST = 64;

/**
 * @typedef {object} Change
 * @property {Node} node
 * @property {Track} track
 *
 * @typedef {object} Changes
 * @property {Change[]} puts new or changed
 * @property {number[]} removes ids
 * @property {Node[]} detached tops of what was moved out of the roots
 */

export class Tracker {
  #FS;
  #nextId = 1;
  #visit = 0;
  /** @type {Node[]} */
  #roots = [];
  /** @type {Set<Node>} */
  #dirty = new Set();
  /** @type {Map<number, {parent: Node, name: string, size: number}>} */
  #removed = new Map();
  #quiet = true;
  /** Bytes that a journal without garbage would have, roughly. */
  live = 0;
  /** Called at the first change after a collection. */
  onChange = () => {};

  /** @param {FileSystem} FS */
  constructor(FS) {
    this.#FS = FS;
  }

  get changed() {
    return this.#dirty.size > 0 || this.#removed.size > 0;
  }

  /** @param {number} id all ids up to this one are taken */
  reserveIds(id) {
    this.#nextId = Math.max(this.#nextId, id + 1);
  }

  /**
   * Starts with a node that the journal knows.
   * @param {Node} node
   * @param {number} id
   * @param {string} [root] its path, for a root
   */
  adopt(node, id, root = "") {
    const track = newTrack(node, id);
    this.#settle(track, node);
    if (root) this.#addRoot(node, track, root);
  }

  /**
   * Starts with a node that the journal doesn't know yet.
   * @param {Node} node
   * @param {string} [root] its path, for a root
   */
  discover(node, root = "") {
    const track = newTrack(node, this.#nextId++);
    this.#dirty.add(node);
    if (root) this.#addRoot(node, track, root);
  }

  /**
   * Marks a node as changed if it is ours. It is ours from when it stands in a directory that is, until a
   * commit finds it outside of the roots: what is moved out and in again between two commits keeps its id.
   * @param {Node} node
   * @param {Node} [parent]
   * @returns {Track | null}
   */
  touch(node, parent = node.parent) {
    let track = trackOf(node);
    if (!track) {
      if (isGone(node) || !trackOf(parent) || !keepable(node.mode)) return null;
      track = newTrack(node, this.#nextId++);
    }
    this.#dirty.add(node);
    this.#announce();
    return track;
  }

  /**
   * Gives a node's contents to another one under the same number: the journal has them already. The first is a new
   * file from now on.
   * @param {Node} from
   * @param {Node} to
   */
  handOver(from, to) {
    this.#dirty.delete(from);
    handOver(from, to);
    this.touch(to);
  }

  /** @param {Node} node just unlinked */
  drop(node) {
    const track = trackOf(node);
    bury(node);
    this.#dirty.delete(node);
    if (!track?.saved) return;
    this.#removed.set(track.id, { parent: node.parent, name: node.name, size: track.savedSize });
    this.#announce();
  }

  /**
   * What a commit has to write. Only {@link done} settles it.
   * @returns {Changes}
   */
  collect() {
    this.#quiet = true;
    this.#visit += 1;
    /** @type {Changes} */
    const changes = { puts: [], removes: [...this.#removed.keys()], detached: [] };
    /** @type {Map<Node, boolean>} */
    const known = new Map();
    for (const node of this.#dirty) {
      if (this.#attached(node, known)) this.#collectPut(node, changes.puts);
      else changes.detached.push(node);
    }
    for (const node of changes.detached) this.#collectRemoves(node, changes.removes);
    return changes;
  }

  /**
   * The changes are saved.
   * @param {Changes} changes
   */
  done({ puts, detached }) {
    for (const { node, track } of puts) this.#settle(track, node);
    for (const { size } of this.#removed.values()) this.live -= size + ENTRY_COST;
    for (const node of detached) this.#forget(node);
    this.#removed.clear();
    this.#dirty.clear();
  }

  /**
   * @param {Changes} changes
   * @returns {string[]} absolute paths; a removed file's is where it was
   */
  paths({ puts, detached }) {
    const path = (/** @type {Node} */ node) => this.#FS.getPath(node);
    const removed = [...this.#removed.values()].map(({ parent, name }) => `${path(parent)}/${name}`);
    const movedOut = detached.filter((node) => trackOf(node)?.saved);
    return [...puts.map(({ node }) => path(node)), ...removed, ...movedOut.map(path)];
  }

  /**
   * Everything under the roots, to be read after a {@link collect}.
   * @returns {Generator<Change>}
   */
  *everything() {
    const queue = [...this.#roots];
    for (let node = queue.pop(); node; node = queue.pop()) {
      const track = trackOf(node);
      if (track) yield { node, track };
      if (isDirectory(node.mode)) for (const child of childrenOf(node)) queue.push(child);
    }
  }

  /** Leaves no trace on the nodes. */
  release() {
    for (const node of [...this.#roots, ...this.#dirty]) this.#forget(node);
    this.#dirty.clear();
    this.#removed.clear();
  }

  #announce() {
    if (!this.#quiet) return;
    this.#quiet = false;
    this.onChange();
  }

  /**
   * @param {Node} node
   * @param {Track} track
   * @param {string} root
   */
  #addRoot(node, track, root) {
    track.root = root;
    this.#roots.push(node);
  }

  /**
   * @param {Track} track
   * @param {Node} node
   */
  #settle(track, node) {
    const size = isFile(node.mode) ? node.usedBytes : 0;
    this.live += track.saved ? size - track.savedSize : size + ENTRY_COST;
    settle(track, size);
  }

  /**
   * @param {Node} node
   * @param {Map<Node, boolean>} known
   * @returns {boolean} whether it stands under a root
   */
  #attached(node, known) {
    if (trackOf(node)?.root) return true;
    if (node.parent === node) return false;
    let attached = known.get(node.parent);
    if (attached === undefined) {
      attached = this.#attached(node.parent, known);
      known.set(node.parent, attached);
    }
    return attached;
  }

  /**
   * @param {Node} node
   * @param {Change[]} puts
   */
  #collectPut(node, puts) {
    const track = trackOf(node) ?? newTrack(node, this.#nextId++);
    if (track.visit === this.#visit) return;
    track.visit = this.#visit;
    puts.push({ node, track });
    if (track.saved || !isDirectory(node.mode)) return;
    // What a directory brought along from outside the roots was never seen.
    for (const child of childrenOf(node)) this.#collectPut(child, puts);
  }

  /**
   * @param {Node} node
   * @param {number[]} removes
   */
  #collectRemoves(node, removes) {
    const track = trackOf(node);
    if (!track || track.visit === this.#visit) return;
    track.visit = this.#visit;
    if (track.saved) removes.push(track.id);
    if (isDirectory(node.mode)) for (const child of childrenOf(node)) this.#collectRemoves(child, removes);
  }

  /** @param {Node} node */
  #forget(node) {
    const track = trackOf(node);
    if (!track) return;
    forget(node);
    if (track.saved) this.live -= track.savedSize + ENTRY_COST;
    if (isDirectory(node.mode)) for (const child of childrenOf(node)) this.#forget(child);
  }
}
