// Emscripten has no umask, so every new file could be written by everybody. Shells and people expect 022.
const UMASK = 0o022;

/** @type {WeakSet<object>} */
const applied = new WeakSet();

/** Make new files and directories of this filesystem keep to the umask. @param {any} FS Emscripten's FS */
export function applyUmask(FS) {
  if (applied.has(FS)) return;
  applied.add(FS);
  const { open, mkdir } = FS;
  // The syscalls look these up on FS each time, so they get them too.
  FS.open = (/** @type {string} */ path, /** @type {any} */ flags, mode = 0o666) => open(path, flags, mode & ~UMASK);
  FS.mkdir = (/** @type {string} */ path, mode = 0o777) => mkdir(path, mode & ~UMASK);
}
