// Emscripten's errno values (musl's numbering) and what Node calls them.
/** @type {Record<number, [string, string]>} */
export const ERRORS = {
  2: ["EACCES", "permission denied"],
  8: ["EBADF", "bad file descriptor"],
  10: ["EBUSY", "resource busy or locked"],
  20: ["EEXIST", "file already exists"],
  28: ["EINVAL", "invalid argument"],
  31: ["EISDIR", "illegal operation on a directory"],
  32: ["ELOOP", "too many symbolic links encountered"],
  37: ["ENAMETOOLONG", "name too long"],
  44: ["ENOENT", "no such file or directory"],
  51: ["ENOSPC", "no space left on device"],
  54: ["ENOTDIR", "not a directory"],
  55: ["ENOTEMPTY", "directory not empty"],
  63: ["EPERM", "operation not permitted"],
  64: ["EPIPE", "broken pipe"],
  69: ["EROFS", "read-only file system"],
  70: ["ESPIPE", "invalid seek"],
  75: ["EXDEV", "cross-device link not permitted"],
};
