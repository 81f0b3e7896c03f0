/** Tracks the changes under the roots since the last commit. */

import type { FileSystem, FSNode } from "../emscripten.ts";
import { isDirectory, isFile } from "./records.ts";
import {
  childrenOf,
  forget,
  handOver,
  isTrackable,
  isUnlinked,
  markUnlinked,
  newTrack,
  settle,
  trackOf,
  type Track,
} from "./track.ts";

/** Approximate size of an entry in the journal without its contents, in bytes. */
const ENTRY_COST = 64;

export interface Change {
  node: FSNode;
  track: Track;
}

export interface Changes {
  /** new or changed nodes */
  puts: Change[];
  /** ids */
  removes: number[];
  /** nodes that were moved out of the roots, without their descendants */
  detached: FSNode[];
}

/** A tracker of the files under the roots. */
export class Tracker {
  #FS: FileSystem;
  #nextId = 1;
  #visit = 0;
  #roots: FSNode[] = [];
  #dirty = new Set<FSNode>();
  #removed = new Map<number, { parent: FSNode; name: string; size: number }>();
  #quiet = true;
  /** Approximate size of a journal without garbage, in bytes. */
  live = 0;
  /** Called at the first change after a collection. */
  onChange = () => {};

  constructor(FS: FileSystem) {
    this.#FS = FS;
  }

  get changed() {
    return this.#dirty.size > 0 || this.#removed.size > 0;
  }

  /** Reserve all ids up to and including `id`. */
  reserveIds(id: number) {
    this.#nextId = Math.max(this.#nextId, id + 1);
  }

  /**
   * Start tracking a node that is in the journal.
   * @param root - the path of a root
   */
  adopt(node: FSNode, id: number, root = "") {
    const track = newTrack(node, id);
    this.#settle(track, node);
    if (root) this.#addRoot(node, track, root);
  }

  /**
   * Start tracking a node that isn't in the journal.
   * @param root - the path of a root
   */
  discover(node: FSNode, root = "") {
    const track = newTrack(node, this.#nextId++);
    this.#dirty.add(node);
    if (root) this.#addRoot(node, track, root);
  }

  /**
   * Mark a node as changed if it is tracked. Tracking starts when the node enters a tracked directory and ends when
   * a commit finds it outside the roots, so a node that leaves and returns between two commits keeps its id.
   */
  touch(node: FSNode, parent: FSNode = node.parent): Track | null {
    let track = trackOf(node);
    if (!track) {
      if (isUnlinked(node) || !trackOf(parent) || !isTrackable(node.mode)) return null;
      track = newTrack(node, this.#nextId++);
    }
    this.#dirty.add(node);
    this.#announce();
    return track;
  }

  /**
   * Move a node's id to another node with the same contents, which the journal already has. `from` becomes a new file.
   */
  handOver(from: FSNode, to: FSNode) {
    this.#dirty.delete(from);
    handOver(from, to);
    this.touch(to);
  }

  /** @param node - just unlinked */
  drop(node: FSNode) {
    const track = trackOf(node);
    markUnlinked(node);
    this.#dirty.delete(node);
    if (!track?.saved) return;
    this.#removed.set(track.id, { parent: node.parent, name: node.name, size: track.savedSize });
    this.#announce();
  }

  /** Return the changes that a commit must write. They remain until {@link done}. */
  collect(): Changes {
    this.#quiet = true;
    this.#visit += 1;
    const changes: Changes = { puts: [], removes: [...this.#removed.keys()], detached: [] };
    const known = new Map<FSNode, boolean>();
    for (const node of this.#dirty) {
      if (this.#attached(node, known)) this.#collectPut(node, changes.puts);
      else changes.detached.push(node);
    }
    for (const node of changes.detached) this.#collectRemoves(node, changes.removes);
    return changes;
  }

  /** Record that the changes are saved. */
  done({ puts, detached }: Changes) {
    for (const { node, track } of puts) this.#settle(track, node);
    for (const { size } of this.#removed.values()) this.live -= size + ENTRY_COST;
    for (const node of detached) this.#forget(node);
    this.#removed.clear();
    this.#dirty.clear();
  }

  /** @returns absolute paths; former paths for removed files */
  paths({ puts, detached }: Changes): string[] {
    const path = (node: FSNode) => this.#FS.getPath(node);
    const removed = [...this.#removed.values()].map(({ parent, name }) => `${path(parent)}/${name}`);
    const movedOut = detached.filter((node) => trackOf(node)?.saved);
    return [...puts.map(({ node }) => path(node)), ...removed, ...movedOut.map(path)];
  }

  /** Iterate over everything under the roots. Call {@link collect} first. */
  *everything(): Generator<Change> {
    const queue = [...this.#roots];
    for (let node = queue.pop(); node; node = queue.pop()) {
      const track = trackOf(node);
      if (track) yield { node, track };
      if (isDirectory(node.mode)) for (const child of childrenOf(node)) queue.push(child);
    }
  }

  /** Stop tracking all nodes. */
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

  #addRoot(node: FSNode, track: Track, root: string) {
    track.root = root;
    this.#roots.push(node);
  }

  #settle(track: Track, node: FSNode) {
    const size = isFile(node.mode) ? node.usedBytes : 0;
    this.live += track.saved ? size - track.savedSize : size + ENTRY_COST;
    settle(track, size);
  }

  /** @returns whether it is under a root */
  #attached(node: FSNode, known: Map<FSNode, boolean>): boolean {
    if (trackOf(node)?.root) return true;
    if (node.parent === node) return false;
    let attached = known.get(node.parent);
    if (attached === undefined) {
      attached = this.#attached(node.parent, known);
      known.set(node.parent, attached);
    }
    return attached;
  }

  #collectPut(node: FSNode, puts: Change[]) {
    const track = trackOf(node) ?? newTrack(node, this.#nextId++);
    if (track.visit === this.#visit) return;
    track.visit = this.#visit;
    puts.push({ node, track });
    if (track.saved || !isDirectory(node.mode)) return;
    // The contents of a directory that came from outside the roots aren't tracked yet.
    for (const child of childrenOf(node)) this.#collectPut(child, puts);
  }

  #collectRemoves(node: FSNode, removes: number[]) {
    const track = trackOf(node);
    if (!track || track.visit === this.#visit) return;
    track.visit = this.#visit;
    if (track.saved) removes.push(track.id);
    if (isDirectory(node.mode)) for (const child of childrenOf(node)) this.#collectRemoves(child, removes);
  }

  #forget(node: FSNode) {
    const track = trackOf(node);
    if (!track) return;
    forget(node);
    if (track.saved) this.live -= track.savedSize + ENTRY_COST;
    if (isDirectory(node.mode)) for (const child of childrenOf(node)) this.#forget(child);
  }
}
