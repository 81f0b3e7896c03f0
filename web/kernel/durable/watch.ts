/**
 * Reports every change in MEMFS to a tracker.
 *
 * MEMFS's table of operations is patched in place. All nodes and open streams share the table's objects, so
 * changes by Python, the shell and JavaScript are all seen. A file outside the roots costs two property reads.
 * The operation comes first, because it may fail, then the mark. Data that it overwrites is captured before it.
 */

import type { FileSystem, FSNode, NodeOps, StreamOps } from "../emscripten.ts";
import type { Capture } from "./capture.ts";
import { childOf, mark, shrink, trackOf } from "./track.ts";
import type { Tracker } from "./tracker.ts";

/** Emscripten's error number for removing or renaming a mount point. */
const EBUSY = 10;

/** what operations are reported to */
type Watcher = { FS: FileSystem; tracker: Tracker; capture: Capture | null };

/**
 * @param capture - saves earlier versions
 * @returns stops watching
 */
export function watch(FS: FileSystem, tracker: Tracker, capture: Capture | null): () => void {
  const watcher = { FS, tracker, capture };
  const { dir, file, link } = FS.filesystems.MEMFS.ops_table;
  const undo = [
    wrap(dir.node, "mknod", (make) => making(make, watcher)),
    wrap(dir.node, "symlink", (make) => making(make, watcher)),
    wrap(dir.node, "unlink", (remove) => removing(remove, watcher)),
    wrap(dir.node, "rmdir", (remove) => removing(remove, watcher)),
    wrap(dir.node, "rename", (rename) => renaming(rename, watcher)),
    ...[dir, file, link].map(({ node }) => wrap(node, "setattr", (set) => setting(set, watcher))),
    wrap(file.stream, "write", (write) => writing(write, watcher)),
    wrap(file.stream, "msync", (sync) => syncing(sync, watcher)),
  ];
  return () => undo.forEach((restore) => restore());
}

/** @returns restores the original */
function wrap<Operations, Name extends keyof Operations>(
  operations: Operations,
  name: Name,
  around: (original: Operations[Name]) => Operations[Name],
): () => void {
  const original = operations[name];
  operations[name] = around(original);
  return () => {
    operations[name] = original;
  };
}

function making<Rest extends unknown[]>(
  make: (parent: FSNode, name: string, ...rest: Rest) => FSNode,
  { tracker, capture }: Watcher,
): typeof make {
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

function removing(remove: NodeOps["unlink"], { FS, tracker, capture }: Watcher): NodeOps["unlink"] {
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

function renaming(rename: NodeOps["rename"], { FS, tracker, capture }: Watcher): NodeOps["rename"] {
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

function refuseRoot(node: FSNode | undefined, FS: FileSystem) {
  if (node && trackOf(node)?.root) throw new FS.ErrnoError(EBUSY);
}

function setting(set: NodeOps["setattr"], { tracker, capture }: Watcher): NodeOps["setattr"] {
  return (node, attributes) => {
    const before = node.usedBytes;
    capture?.sets(node, attributes);
    set(node, attributes);
    const track = tracker.touch(node);
    if (track) shrink(track, before, node.usedBytes);
  };
}

function writing(write: StreamOps["write"], { tracker, capture }: Watcher): StreamOps["write"] {
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

/** Wrap msync, because MEMFS's msync bypasses the patched write. */
function syncing(sync: StreamOps["msync"], { tracker, capture }: Watcher): StreamOps["msync"] {
  return (stream, buffer, offset, length, flags) => {
    capture?.writes(stream.node, offset, length);
    const result = sync(stream, buffer, offset, length, flags);
    const track = tracker.touch(stream.node);
    if (track) mark(track, offset, offset + length);
    return result;
  };
}
