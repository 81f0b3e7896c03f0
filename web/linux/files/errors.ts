// Linux's error numbers. Emscripten's FS has WASI's
// (https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md#errno).
import { errnoOf } from "../../kernel/emscripten.ts";

export const EPERM = 1;
export const EIO = 5;
export const EBADF = 9;
export const EEXIST = 17;
export const ENOTDIR = 20;
export const EISDIR = 21;
export const EINVAL = 22;
const ENOSPC = 28;
export const ELOOP = 40;
export const EOPNOTSUPP = 95;
export const ESTALE = 116;

/** By WASI's number. */
const LINUX: Record<number, number> = {
  ...{ 2: 13, 6: 11, 8: EBADF, 10: 16, 19: 122, 20: EEXIST, 22: 27, 27: 4, 28: EINVAL, 29: EIO, 31: EISDIR, 32: ELOOP },
  ...{ 33: 24, 34: 31, 37: 36, 41: 23, 43: 19, 44: 2, 48: 12, 51: ENOSPC, 52: 38, 54: ENOTDIR, 55: 39, 58: EOPNOTSUPP },
  ...{ 59: 25, 60: 6, 61: 75, 63: EPERM, 64: 32, 68: 34, 69: 30, 70: 29, 75: 18, 76: EPERM },
};

/** An error that the guest's programs see. */
export class FileError extends Error {
  number: number;

  constructor(number: number) {
    super(`error ${number}`);
    this.number = number;
  }
}

/**
 * Return Linux's number of an error of ours, of Emscripten's FS or of durable files.
 * @throws any other error
 */
export function numberOf(error: unknown) {
  if (error instanceof Error && error.name === "StorageFull") return ENOSPC;
  if (error instanceof Error && error.name === "ChangesNotSaved") return EIO;
  if (error instanceof FileError) return error.number;
  const errno = errnoOf(error);
  if (errno !== undefined) return LINUX[errno] ?? EIO;
  throw error;
}
