/** Records the changes of one node of MEMFS on the node itself. */

/** @import {Node} from "./memfs.js" */

import { isDirectory, isFile, isLink } from "./records.js";

/** Changes inside a file are recorded in chunks of this many bytes. */
export const CHUNK = 1 << 14;
const TRACK = Symbol("durable");
/** Replaces the track of an unlinked node, which an open stream may still write to. */
const UNLINKED = Object.freeze({ unlinked: true });

/**
 * @typedef {object} Track
 * @property {number} id in the journal
 * @property {string} root the path of a root, else empty
 * @property {boolean} saved whether it is in the journal
 * @property {number} savedSize bytes of contents in the journal
 * @property {boolean} whole whether to write all contents instead of only `chunks`
 * @property {Set<number> | null} chunks numbers of the chunks written to since the last commit; null if `last` is
 *   the only one
 * @property {number} last the chunk written to last, -1 for none
 * @property {number} cut smallest size since the last commit; Infinity if it only grew
 * @property {number} visit the last collection that visited it
 *
 * @typedef {Node & {[TRACK]?: Track | typeof UNLINKED}} TrackedNode
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
 * Start tracking a node, all of which is unsaved.
 * @param {Node} node
 * @param {number} id
 * @returns {Track}
 */
export function newTrack(node, id) {
  const track = {
    id, root: "", saved: false, savedSize: 0, whole: true, chunks: null, last: -1, cut: Infinity, visit: 0,
  };
  /** @type {TrackedNode} */ (node)[TRACK] = track;
  // MEMFS stores names in a plain object, where a file named __proto__ would replace the prototype.
  if (isDirectory(node.mode)) Object.setPrototypeOf(node.contents, null);
  return track;
}

/**
 * Record that the node is saved completely.
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
 * Move the track of a node to another node.
 * @param {Node} from is untracked afterwards
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
export function markUnlinked(node) {
  /** @type {TrackedNode} */ (node)[TRACK] = UNLINKED;
}

/**
 * @param {Node} node
 * @returns {boolean} whether it was unlinked
 */
export function isUnlinked(node) {
  return /** @type {TrackedNode} */ (node)[TRACK] === UNLINKED;
}

/**
 * Record a write.
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
 * Record a change of size.
 * @param {Track} track
 * @param {number} before size
 * @param {number} after size
 */
export function shrink(track, before, after) {
  if (after < before) track.cut = Math.min(track.cut, after);
}

/**
 * Return the parts of a file that a commit must write.
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
 * @returns {boolean} false for devices, which aren't saved
 */
export const isTrackable = (mode) => isFile(mode) || isDirectory(mode) || isLink(mode);

/**
 * @param {Node} directory
 * @returns {Node[]}
 */
export function childrenOf(directory) {
  /** @type {Node[]} */
  const nodes = Object.values(directory.contents);
  return nodes.filter(({ mode }) => isTrackable(mode));
}

/**
 * @param {Node} directory
 * @param {string} name
 * @returns {Node | undefined}
 */
export function childOf(directory, name) {
  return Object.hasOwn(directory.contents, name) ? directory.contents[name] : undefined;
}
