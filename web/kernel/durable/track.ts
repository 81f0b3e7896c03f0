/** Records the changes of one node of MEMFS on the node itself. */

import { asFolder, type FSNode } from "../emscripten.ts";
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

declare module "../emscripten.ts" {
  interface FSNode {
    [TRACK]?: Track | typeof UNLINKED;
  }
}

export function trackOf(node: FSNode): Track | null {
  const track = node[TRACK];
  return track && "id" in track ? track : null;
}

/** Start tracking a node, all of which is unsaved. */
export function newTrack(node: FSNode, id: number): Track {
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
  node[TRACK] = track;
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
export function handOver(from: FSNode, to: FSNode) {
  const track = from[TRACK];
  to[TRACK] = track;
  delete from[TRACK];
}

export function forget(node: FSNode) {
  delete node[TRACK];
}

/** @param node - just unlinked */
export function markUnlinked(node: FSNode) {
  node[TRACK] = UNLINKED;
}

/** @returns whether it was unlinked */
export function isUnlinked(node: FSNode): boolean {
  return node[TRACK] === UNLINKED;
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

/** Return the nodes in a directory by name. */
export const entriesOf = (directory: FSNode) => asFolder(directory).contents;

export function childrenOf(directory: FSNode): FSNode[] {
  return Object.values(entriesOf(directory)).filter(({ mode }) => isTrackable(mode));
}

export function childOf(directory: FSNode, name: string): FSNode | undefined {
  const entries = entriesOf(directory);
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}
