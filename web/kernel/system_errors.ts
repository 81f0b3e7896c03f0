// Errors of the filesystem: Emscripten's numbers (WASI's), Node's name and text for each, and the words of the C library.

import { errnoOf, type FileSystem } from "./emscripten.ts";

export const ERRORS: Record<number, [code: string, text: string, words: string]> = {
  2: ["EACCES", "permission denied", "Permission denied"],
  6: ["EAGAIN", "resource temporarily unavailable", "Resource temporarily unavailable"],
  8: ["EBADF", "bad file descriptor", "Bad file descriptor"],
  10: ["EBUSY", "resource busy or locked", "Device or resource busy"],
  19: ["EDQUOT", "disk quota exceeded", "Disk quota exceeded"],
  20: ["EEXIST", "file already exists", "File exists"],
  22: ["EFBIG", "file too large", "File too large"],
  25: ["EILSEQ", "illegal byte sequence", "Not UTF-8, as names of files must be here"],
  28: ["EINVAL", "invalid argument", "Invalid argument"],
  29: ["EIO", "i/o error", "Input/output error"],
  31: ["EISDIR", "illegal operation on a directory", "Is a directory"],
  32: ["ELOOP", "too many symbolic links encountered", "Too many levels of symbolic links"],
  33: ["EMFILE", "too many open files", "Too many open files"],
  37: ["ENAMETOOLONG", "name too long", "File name too long"],
  41: ["ENFILE", "file table overflow", "Too many open files in system"],
  43: ["ENODEV", "no such device", "No such device"],
  44: ["ENOENT", "no such file or directory", "No such file or directory"],
  48: ["ENOMEM", "not enough memory", "Cannot allocate memory"],
  51: ["ENOSPC", "no space left on device", "No space left on device"],
  52: ["ENOSYS", "function not implemented", "Function not implemented"],
  54: ["ENOTDIR", "not a directory", "Not a directory"],
  55: ["ENOTEMPTY", "directory not empty", "Directory not empty"],
  59: ["ENOTTY", "inappropriate ioctl for device", "Inappropriate ioctl for device"],
  60: ["ENXIO", "no such device or address", "No such device or address"],
  61: ["EOVERFLOW", "value too large for defined data type", "Value too large for defined data type"],
  63: ["EPERM", "operation not permitted", "Operation not permitted"],
  64: ["EPIPE", "broken pipe", "Broken pipe"],
  69: ["EROFS", "read-only file system", "Read-only file system"],
  70: ["ESPIPE", "invalid seek", "Illegal seek"],
  74: ["ETXTBSY", "text file is busy", "Text file busy"],
  75: ["EXDEV", "cross-device link not permitted", "Invalid cross-device link"],
  138: ["ENOTSUP", "operation not supported on socket", "Operation not supported"],
};

export const EISDIR = 31;

/** The filesystem refused a call. The message is the reason in the words of the C library. */
export class SystemError extends Error {
  errno: number;
  code: string;

  constructor(errno: number) {
    const [code, , words] = ERRORS[errno] ?? ["EIO", "", `Input/output error ${errno}`];
    super(words);
    this.errno = errno;
    this.code = code;
  }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const views = new WeakMap<FileSystem, FileSystem>();

/**
 * A view of Emscripten's FS whose functions throw SystemErrors: Emscripten throws objects that are no errors and have
 * no text.
 */
export function withErrors(FS: FileSystem): FileSystem {
  const known = views.get(FS);
  if (known) return known;
  const view: FileSystem = Object.create(FS);
  for (const [name, value] of Object.entries(FS)) {
    // A class is no function to call.
    if (typeof value === "function" && !/^[A-Z]/.test(name))
      Object.defineProperty(view, name, { value: guarded(value), writable: true });
  }
  views.set(FS, view);
  views.set(view, view);
  return view;
}

function guarded(call: Function) {
  return (...args: unknown[]) => {
    try {
      return call(...args);
    } catch (error) {
      const errno = errnoOf(error);
      throw errno !== undefined && !(error instanceof SystemError) ? new SystemError(errno) : error;
    }
  };
}
