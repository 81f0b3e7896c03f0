/** What is remembered about one node of MEMFS, on the node itself. */

/** @import {Node} from "./memfs.js" */

import { isDirectory, isFile, isLink } from "./records.js";

/** Changes inside a file are remembered in pieces of this many bytes. */
export const CHUNK = 1 << 14;
const TRACK = Symbol("durable");
/** Stands on what was unlinked: it can't come back, though an open stream may still write to it. */
const GONE = Object.freeze({ gone: true });

/**
 * @typedef {object} Track
 * @property {number} id in the journal
 * @property {string} root its path, for a root, else empty
 * @property {boolean} saved whether the journal knows it
 * @property {number} savedSize bytes of contents in the journal
 * @property {boolean} whole all contents are to be written, not only `chunks`
 * @property {Set<number> | null} chunks numbers of those written to since the last commit; null when `last`
 *   is the only one
 * @property {number} last the chunk written to last, -1 for none
 * @property {number} cut smallest size since the last commit; Infinity when it only grew
 * @property {number} visit the last collection that met it
 *
 * @typedef {Node & {[TRACK]?: Track | typeof GONE}} TrackedNode
 */

/**
 * @param {Node} node
 * @returns {Track | null}
 */
export function trackOf(node) {
  const track = /** @type {TrackedNode} */ (node)[TRACK];
  return track && "id" in track ? track : null;
}

/**
 * Starts with everything still to be saved.
 * @param {Node} node
 * @param {number} id
 * @returns {Track}
 */
export function newTrack(node, id) {
  const track = {
    id, root: "", saved: false, savedSize: 0, whole: true, chunks: null, last: -1, cut: Infinity, visit: 0,
  };
  /** @type {TrackedNode} */ (node)[TRACK] = track;
  // MEMFS looks names up in a plain object, where a file called __proto__ would replace the prototype.
  if (isDirectory(node.mode)) Object.setPrototypeOf(node.contents, null);
  return track;
}

/**
 * The node as it stands is saved.
 * @param {Track} track
 * @param {number} size
 */
export function settle(track, size) {
  track.saved = true;
  track.savedSize = size;
  track.whole = false;
  track.chunks = null;
  track.last = -1;
  track.cut = Infinity;
}

/**
 * @param {Node} from goes on without one
 * @param {Node} to
 */
export function handOver(from, to) {
  const track = /** @type {TrackedNode} */ (from)[TRACK];
  /** @type {TrackedNode} */ (to)[TRACK] = track;
  delete (/** @type {TrackedNode} */ (from)[TRACK]);
}

/** @param {Node} node */
export function forget(node) {
  delete (/** @type {TrackedNode} */ (node)[TRACK]);
}

/** @param {Node} node just unlinked */
export function bury(node) {
  /** @type {TrackedNode} */ (node)[TRACK] = GONE;
}

/**
 * @param {Node} node
 * @returns {boolean} whether it was unlinked
 */
export function isGone(node) {
  return /** @type {TrackedNode} */ (node)[TRACK] === GONE;
}

/**
 * @param {Track} track
 * @param {number} start
 * @param {number} end
 */
export function mark(track, start, end) {
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
 * @param {Track} track
 * @param {number} before size
 * @param {number} after size
 */
export function shrink(track, before, after) {
  if (after < before) track.cut = Math.min(track.cut, after);
}

/**
 * The parts of a file that a commit has to write.
 * @param {Track} track
 * @param {number} size
 * @returns {[number, number][]} start and end of each
 */
export function extents(track, size) {
  if (size === 0 || (!track.whole && track.last < 0)) return [];
  if (track.whole || size <= CHUNK) return [[0, size]];
  /** @type {[number, number][]} */
  const runs = [];
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

/**
 * @param {number} mode
 * @returns {boolean} false for devices, which are not kept
 */
export const keepable = (mode) => isFile(mode) || isDirectory(mode) || isLink(mode);

/**
 * @param {Node} directory
 * @returns {Node[]}
 */
export function childrenOf(directory) {
  /** @type {Node[]} */
  const nodes = Object.values(directory.contents);
  return nodes.filter(({ mode }) => keepable(mode));
}

/**
 * @param {Node} directory
 * @param {string} name
 * @returns {Node | undefined}
 */
export function childOf(directory, name) {
  return Object.hasOwn(directory.contents, name) ? directory.contents[name] : undefined;
}
