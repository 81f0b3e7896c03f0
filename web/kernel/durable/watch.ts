/**
 * Reports every change in MEMFS to a tracker.
 *
 * MEMFS's table of operations is patched in place. All nodes and open streams share the table's objects, so
 * changes by Python, the shell and JavaScript are all seen. A file outside the roots costs two property reads.
 * The operation comes first, because it may fail, then the mark. Data that it overwrites is captured before it.
 */

/** @import {Capture} from "./capture.js" */
/** @import {FileSystem, Node, Operations} from "./memfs.js" */
/** @import {Tracker} from "./tracker.js" */

import { childOf, mark, shrink, trackOf } from "./track.js";

/** Emscripten's error number for removing or renaming a mount point. */
const EBUSY = 10;

/**
 * @typedef {(...args: any[]) => any} Operation
 * @typedef {{node: Node}} Stream
 */

/**
 * @param {FileSystem} FS
 * @param {Tracker} tracker
 * @param {Capture | null} capture saves earlier versions
 * @returns {() => void} stops watching
 */
export function watch(FS, tracker, capture) {
  const { dir, file, link } = FS.filesystems.MEMFS.ops_table;
  const undo = [
    wrap(dir.node, "mknod", (make) => making(make, tracker, capture)),
    wrap(dir.node, "symlink", (make) => making(make, tracker, capture)),
    wrap(dir.node, "unlink", (remove) => removing(remove, tracker, FS, capture)),
    wrap(dir.node, "rmdir", (remove) => removing(remove, tracker, FS, capture)),
    wrap(dir.node, "rename", (rename) => renaming(rename, tracker, FS, capture)),
    ...[dir, file, link].map(({ node }) => wrap(node, "setattr", (set) => setting(set, tracker, capture))),
    wrap(file.stream, "write", (write) => writing(write, tracker, capture)),
    wrap(file.stream, "msync", (sync) => syncing(sync, tracker, capture)),
  ];
  return () => undo.forEach((restore) => restore());
}

/**
 * @param {Operations} operations
 * @param {string} name
 * @param {(original: Operation) => Operation} around
 * @returns {() => void} restores the original
 */
function wrap(operations, name, around) {
  const original = operations[name];
  operations[name] = around(original);
  return () => {
    operations[name] = original;
  };
}

/**
 * @param {Operation} make
 * @param {Tracker} tracker
 * @param {Capture | null} capture
 * @returns {(parent: Node, name: string, ...rest: unknown[]) => Node}
 */
function making(make, tracker, capture) {
  return (parent, name, ...rest) => {
    const node = make(parent, name, ...rest);
    const track = tracker.touch(node, parent);
    // The file is empty, and all later writes are marked.
    if (track) track.whole = false;
    tracker.touch(parent);
    capture?.makes(node, parent);
    return node;
  };
}

/**
 * @param {Operation} remove
 * @param {Tracker} tracker
 * @param {FileSystem} FS
 * @param {Capture | null} capture
 * @returns {(parent: Node, name: string) => void}
 */
function removing(remove, tracker, FS, capture) {
  return (parent, name) => {
    const node = childOf(parent, name);
    refuseRoot(node, FS);
    remove(parent, name);
    if (node) {
      capture?.removes(node);
      tracker.drop(node);
    }
    tracker.touch(parent);
  };
}

/**
 * @param {Operation} rename
 * @param {Tracker} tracker
 * @param {FileSystem} FS
 * @param {Capture | null} capture
 * @returns {(node: Node, directory: Node, name: string) => void}
 */
function renaming(rename, tracker, FS, capture) {
  return (node, directory, name) => {
    const replaced = childOf(directory, name);
    const from = node.parent;
    refuseRoot(node, FS);
    refuseRoot(replaced, FS);
    const renamed = capture?.renames(node, directory, name, replaced);
    rename(node, directory, name);
    renamed?.();
    if (replaced) tracker.drop(replaced);
    // Emscripten sets the node's parent only after this operation.
    tracker.touch(node, directory);
    tracker.touch(from);
    tracker.touch(directory);
  };
}

/**
 * @param {Node | undefined} node
 * @param {FileSystem} FS
 */
function refuseRoot(node, FS) {
  if (node && trackOf(node)?.root) throw new FS.ErrnoError(EBUSY);
}

/**
 * @param {Operation} set
 * @param {Tracker} tracker
 * @param {Capture | null} capture
 * @returns {(node: Node, attributes: {mode?: number, size?: number}) => void}
 */
function setting(set, tracker, capture) {
  return (node, attributes) => {
    const before = node.usedBytes;
    capture?.sets(node, attributes);
    set(node, attributes);
    const track = tracker.touch(node);
    if (track) shrink(track, before, node.usedBytes);
  };
}

/**
 * @param {Operation} write
 * @param {Tracker} tracker
 * @param {Capture | null} capture
 * @returns {(stream: Stream, buffer: ArrayBufferView, offset: number, length: number, position: number,
 *   canOwn?: boolean) => number}
 */
function writing(write, tracker, capture) {
  return (stream, buffer, offset, length, position, canOwn) => {
    const before = stream.node.usedBytes;
    capture?.writes(stream.node, position, length);
    const written = write(stream, buffer, offset, length, position, canOwn);
    const track = tracker.touch(stream.node);
    if (track) {
      shrink(track, before, stream.node.usedBytes);
      mark(track, position, position + written);
    }
    return written;
  };
}

/**
 * Wrap msync, because MEMFS's msync bypasses the patched write.
 * @param {Operation} sync
 * @param {Tracker} tracker
 * @param {Capture | null} capture
 * @returns {(stream: Stream, buffer: ArrayBufferView, offset: number, length: number, flags: number) =>
 *   number}
 */
function syncing(sync, tracker, capture) {
  return (stream, buffer, offset, length, flags) => {
    capture?.writes(stream.node, offset, length);
    const result = sync(stream, buffer, offset, length, flags);
    const track = tracker.touch(stream.node);
    if (track) mark(track, offset, offset + length);
    return result;
  };
}
