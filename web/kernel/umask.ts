// Emscripten has no umask, so new files would be writable by everyone. Shells and users expect 022.

import type { FileSystem } from "./emscripten.ts";

const UMASK = 0o022;

const applied = new WeakSet<object>();

/**
 * Apply the umask to new files and directories.
 * @param FS - Emscripten's FS
 */
export function applyUmask(FS: FileSystem) {
  if (applied.has(FS)) return;
  applied.add(FS);
  const { open, mkdir } = FS;
  // Syscalls look these up on FS each time, so they use the replacements, too.
  FS.open = (path: string, flags: string | number, mode = 0o666) => open(path, flags, mode & ~UMASK);
  FS.mkdir = (path: string, mode = 0o777) => mkdir(path, mode & ~UMASK);
}
