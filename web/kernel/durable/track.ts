/** Records the changes of one node of MEMFS on the node itself. */

import type { Node } from "./memfs.ts";
import { isDirectory, isFile, isLink } from "./records.ts";

/** Changes inside a file are recorded in chunks of this many bytes. */
export const CHUNK = 1 << 14;
const TRACK = Symbol("durable");
/** Replaces the track of an unlinked node, which an open stream may still write to. */
const UNLINKED = Object.freeze({ unlinked: true });

export interface Track {
  /** in the journal */
  id: number;
  /** the path of a root, else empty */
  root: string;
  /** whether it is in the journal */
  saved: boolean;
  /** bytes of contents in the journal */
  savedSize: number;
  /** whether to write all contents instead of only `chunks` */
  whole: boolean;
  /** numbers of the chunks written to since the last commit; null if `last` is the only one */
  chunks: Set<number> | null;
  /** the chunk written to last, -1 for none */
  last: number;
  /** smallest size since the last commit; Infinity if it only grew */
  cut: number;
  /** the last collection that visited it */
  visit: number;
}

interface TrackedNode extends Node {
  [TRACK]?: Track | typeof UNLINKED;
}

export function trackOf(node: Node): Track | null {
  const track = (node as TrackedNode)[TRACK];
  return track && "id" in track ? track : null;
}

/** Start tracking a node, all of which is unsaved. */
export function newTrack(node: Node, id: number): Track {
  const track = {
    id,
    root: "",
    saved: false,
    savedSize: 0,
    whole: true,
    chunks: null,
    last: -1,
    cut: Infinity,
    visit: 0,
  };
  (node as TrackedNode)[TRACK] = track;
  // MEMFS stores names in a plain object, where a file named __proto__ would replace the prototype.
  if (isDirectory(node.mode)) Object.setPrototypeOf(node.contents, null);
  return track;
}

/** Record that the node is saved completely. */
export function settle(track: Track, size: number) {
  track.saved = true;
  track.savedSize = size;
  track.whole = false;
  track.chunks = null;
  track.last = -1;
  track.cut = Infinity;
}

/**
 * Move the track of a node to another node.
 * @param from - is untracked afterwards
 */
export function handOver(from: Node, to: Node) {
  const track = (from as TrackedNode)[TRACK];
  (to as TrackedNode)[TRACK] = track;
  delete (from as TrackedNode)[TRACK];
}

export function forget(node: Node) {
  delete (node as TrackedNode)[TRACK];
}

/** @param node - just unlinked */
export function markUnlinked(node: Node) {
  (node as TrackedNode)[TRACK] = UNLINKED;
}

/** @returns whether it was unlinked */
export function isUnlinked(node: Node): boolean {
  return (node as TrackedNode)[TRACK] === UNLINKED;
}

/** Record a write. */
export function mark(track: Track, start: number, end: number) {
  if (track.whole || end <= start) return;
  const first = Math.floor(start / CHUNK);
  const last = Math.floor((end - 1) / CHUNK);
  if (first === last && (last === track.last || track.last < 0)) {
    track.last = last;
    return;
  }
  track.chunks ??= new Set(track.last < 0 ? [] : [track.last]);
  for (let chunk = first; chunk <= last; chunk++) track.chunks.add(chunk);
  track.last = last;
}

/**
 * Record a change of size.
 * @param before - size
 * @param after - size
 */
export function shrink(track: Track, before: number, after: number) {
  if (after < before) track.cut = Math.min(track.cut, after);
}

/**
 * Return the parts of a file that a commit must write.
 * @returns start and end of each
 */
export function extents(track: Track, size: number): [number, number][] {
  if (size === 0 || (!track.whole && track.last < 0)) return [];
  if (track.whole || size <= CHUNK) return [[0, size]];
  const runs: [number, number][] = [];
  const chunks = track.chunks ? [...track.chunks].sort((a, b) => a - b) : [track.last];
  for (const chunk of chunks) {
    const start = chunk * CHUNK;
    if (start >= size) break;
    const end = Math.min(start + CHUNK, size);
    const run = runs.at(-1);
    if (run && run[1] === start) run[1] = end;
    else runs.push([start, end]);
  }
  return runs;
}

/** @returns false for devices, which aren't saved */
export const isTrackable = (mode: number): boolean => isFile(mode) || isDirectory(mode) || isLink(mode);

export function childrenOf(directory: Node): Node[] {
  const nodes: Node[] = Object.values(directory.contents);
  return nodes.filter(({ mode }) => isTrackable(mode));
}

export function childOf(directory: Node, name: string): Node | undefined {
  return Object.hasOwn(directory.contents, name) ? directory.contents[name] : undefined;
}
