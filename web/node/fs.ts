// node:fs, synchronous. fs_later.ts makes the callbacks and promises of these.
import { Buffer } from "buffer";
import path from "path-browserify";

import { ask, systemError } from "./kernel.ts";
import { absolute, cwd, pathText, received, typeError } from "./paths.ts";
import { Dirent, Stats } from "./stats.ts";

export const constants = {
  F_OK: 0,
  X_OK: 1,
  W_OK: 2,
  R_OK: 4,
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 64,
  O_EXCL: 128,
  O_TRUNC: 512,
  O_APPEND: 1024,
  ...{ COPYFILE_EXCL: 1, S_IFMT: 0o170000, S_IFREG: 0o100000, S_IFDIR: 0o040000, S_IFLNK: 0o120000 },
};
const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;
const FLAGS: Record<string, number> = {
  r: O_RDONLY,
  rs: O_RDONLY,
  "r+": O_RDWR,
  "rs+": O_RDWR,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  "w+": O_RDWR | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_TRUNC | O_EXCL,
  "wx+": O_RDWR | O_CREAT | O_TRUNC | O_EXCL,
  a: O_WRONLY | O_CREAT | O_APPEND,
  "a+": O_RDWR | O_CREAT | O_APPEND,
  ax: O_WRONLY | O_CREAT | O_APPEND | O_EXCL,
  "ax+": O_RDWR | O_CREAT | O_APPEND | O_EXCL,
};
const CHUNK = 1 << 16;
const STANDARD_INPUT = 0;
const LAST_STANDARD = 2;

/**
 * Call the kernel.
 * @param call - as Node names it
 * @param paths - for the message
 */
function request(call: string, args: unknown[], paths: string[] = []) {
  const names = { utimes: "utime", readdir: "scandir", realpath: "lstat" };
  const answer = ask(call, ...args);
  if (answer.problem) throw systemError(answer.problem, Reflect.get(names, call) ?? call, paths);
  return answer;
}

function onPath(call: string, given: unknown, ...rest: unknown[]) {
  const text = pathText(given);
  return request(call, [absolute(text), ...rest], [text]);
}

/** the functions' options; each reads its own, and programs pass anything */
interface Options {
  encoding?: BufferEncoding | "buffer" | null;
  flag?: unknown;
  mode?: unknown;
  offset?: number;
  length?: number;
  position?: number | null;
  throwIfNoEntry?: boolean;
  withFileTypes?: boolean;
  recursive?: boolean;
  force?: boolean;
}

/** @param options - an object, or a form without one */
const objectOf = (options: unknown): Options => (typeof options === "object" && options !== null ? options : {});

/** @param options - an encoding or an object */
const encodingOf = (options: unknown): BufferEncoding | "buffer" | null =>
  // Buffer refuses names that it doesn't know.
  (typeof options === "string" ? (options as BufferEncoding) : objectOf(options).encoding) ?? null;

function decoded(bytes: Uint8Array, options: unknown) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const encoding = encodingOf(options);
  return encoding === null || encoding === "buffer" ? buffer : buffer.toString(encoding);
}

export function encoded(data: unknown, options?: unknown): Uint8Array {
  if (typeof data === "string") {
    const encoding = encodingOf(options) ?? "utf8";
    return Buffer.from(data, encoding === "buffer" ? "utf8" : encoding);
  }
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const kinds = "must be of type string or an instance of Buffer, TypedArray, or DataView";
  throw typeError("ERR_INVALID_ARG_TYPE", `The "data" argument ${kinds}. ${received(data)}`);
}

function flagsOf(flags: unknown) {
  if (typeof flags === "number") return flags;
  const found = FLAGS[String(flags ?? "r")];
  if (found === undefined)
    throw typeError("ERR_INVALID_ARG_VALUE", `The argument 'flags' is invalid. Received '${flags}'`);
  return found;
}

const modeOf = (mode: unknown, otherwise = 0o666) =>
  typeof mode === "string" ? parseInt(mode, 8) : Number(mode ?? otherwise);

/** @param time - a date, or seconds */
const millisecondsOf = (time: unknown) => (time instanceof Date ? Number(time) : Number(time) * 1000);

/**
 * Read to the end.
 * @param call - that reads a part
 * @param args - before its length
 */
function readAll(call: string, ...args: unknown[]) {
  const chunks = [];
  for (;;) {
    const { bytes = new Uint8Array() } = request(call, [...args, CHUNK]);
    if (bytes.length === 0) return Buffer.concat(chunks);
    chunks.push(bytes);
  }
}

/** @param file - a path or a descriptor */
export function readFileSync(file: unknown, options: "utf8"): string;
export function readFileSync(file: unknown, options?: unknown): string | Buffer;
export function readFileSync(file: unknown, options?: unknown): string | Buffer {
  if (file === STANDARD_INPUT || file === "/dev/stdin") return decoded(readAll("input"), options);
  if (typeof file === "number") return decoded(readAll("read", file), options);
  const text = pathText(file);
  const answer = ask("readFile", absolute(text));
  const isFolder = answer.problem?.code === "EISDIR";
  if (answer.problem) throw systemError(answer.problem, isFolder ? "read" : "open", isFolder ? [] : [text]);
  return decoded(answer.bytes ?? new Uint8Array(), options);
}

export function writeFileSync(file: unknown, data: unknown, options?: unknown) {
  const bytes = encoded(data, options);
  if (typeof file === "number") return void writeAll(file, bytes);
  const number = openSync(file, objectOf(options).flag ?? "w", objectOf(options).mode);
  try {
    writeAll(number, bytes);
  } finally {
    closeSync(number);
  }
}

export const appendFileSync = (file: unknown, data: unknown, options?: unknown) =>
  writeFileSync(file, data, {
    ...(typeof options === "string" ? { encoding: options } : objectOf(options)),
    flag: objectOf(options).flag ?? "a",
  });

function writeAll(number: number, bytes: Uint8Array, position?: number): number {
  if (number === 1 || number === LAST_STANDARD) return (request("output", [number, bytes.slice()]), bytes.length);
  return request("write", [number, bytes.slice(), position]).value;
}

export function openSync(file: unknown, flags: unknown = "r", mode: unknown = 0o666): number {
  const text = pathText(file);
  return request("open", [absolute(text), flagsOf(flags), modeOf(mode)], [text]).value;
}

export function closeSync(number: number) {
  if (number > LAST_STANDARD) request("close", [number]);
}

/** @param given - offset or options */
export function readSync(
  number: number,
  target: ArrayBufferView,
  given?: number | Options | null,
  length?: number,
  position?: number | null,
) {
  const options =
    given !== null && typeof given === "object" ? given : { offset: given ?? undefined, length, position };
  const { offset = 0, position: from = null } = options;
  const view = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  const count = options.length ?? view.length - offset;
  const { bytes = new Uint8Array() } =
    number === STANDARD_INPUT
      ? request("input", [count])
      : request("read", [number, count, from === null ? undefined : Number(from)]);
  view.set(bytes, offset);
  return bytes.length;
}

/** @param offset - or the position of a text */
export function writeSync(
  number: number,
  data: unknown,
  offset?: number | null,
  length?: unknown,
  position?: number | null,
) {
  if (typeof data === "string")
    return writeAll(number, encoded(data, length), typeof offset === "number" ? offset : undefined);
  const bytes = encoded(data);
  const start = offset ?? 0;
  return writeAll(number, bytes.subarray(start, start + Number(length ?? bytes.length - start)), position ?? undefined);
}

function statOf(file: unknown, options: unknown, follows: boolean): Stats | undefined {
  const text = pathText(file);
  const answer = ask("stat", absolute(text), follows);
  if (!answer.problem) return new Stats(answer.value);
  if (objectOf(options).throwIfNoEntry === false && /ENOENT|ENOTDIR/.test(answer.problem.code)) return undefined;
  throw systemError(answer.problem, follows ? "stat" : "lstat", [text]);
}

export const statSync = (file: unknown, options?: unknown) => statOf(file, options, true);
export const lstatSync = (file: unknown, options?: unknown) => statOf(file, options, false);
export const fstatSync = (number: number) => new Stats(request("fstat", [number]).value);

export function existsSync(file: unknown) {
  if (typeof file !== "string" && !(file instanceof URL) && !(file instanceof Uint8Array)) return false;
  return !ask("stat", absolute(pathText(file)), true).problem;
}

export const accessSync = (file: unknown, mode = 0) => void onPath("access", file, mode);

export function readdirSync(folder: unknown): string[];
export function readdirSync(folder: unknown, options: { withFileTypes: true }): Dirent[];
export function readdirSync(folder: unknown, options?: unknown): (string | Dirent)[];
export function readdirSync(folder: unknown, given?: unknown): (string | Dirent)[] {
  const options = objectOf(given);
  const text = pathText(folder);
  const value: [string, number][] = onPath("readdir", folder).value;
  const shown = (name: string, parent: string, mode: number) =>
    options.withFileTypes ? new Dirent(name, parent, mode) : path.relative(text, path.join(parent, name));
  const listed = value.map(([name, mode]) => shown(name, text, mode));
  if (!options.recursive) return listed;
  const folders = value.filter(([, mode]) => (mode & constants.S_IFMT) === constants.S_IFDIR);
  const below = (at: string) =>
    readdirSync(at, options).map((each) =>
      typeof each === "string" ? path.relative(text, path.join(at, each)) : each,
    );
  return [...listed, ...folders.flatMap(([name]) => below(path.join(text, name)))];
}

export function mkdirSync(folder: unknown, options?: unknown) {
  const text = pathText(folder);
  const mode = modeOf(typeof options === "object" ? objectOf(options).mode : options, 0o777);
  if (!objectOf(options).recursive) return void request("mkdir", [absolute(text), mode], [text]);
  const missing = [];
  for (let at = absolute(text); !existsSync(at); at = path.dirname(at)) missing.push(at);
  if (missing.length === 0 && !statOf(text, {}, true)?.isDirectory()) {
    throw systemError({ code: "EEXIST", text: "file already exists" }, "mkdir", [text]);
  }
  for (const each of missing.toReversed()) request("mkdir", [each, mode], [text]);
  const first = missing.at(-1);
  return first === undefined || text.startsWith("/") ? first : path.relative(cwd(), first);
}

export function mkdtempSync(prefix: string) {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const random = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => letters[byte % letters.length]);
  const folder = pathText(prefix, "prefix") + random.join("");
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

export const rmdirSync = (folder: unknown, options?: unknown) =>
  objectOf(options).recursive ? rmSync(folder, options) : void onPath("rmdir", folder);
export const unlinkSync = (file: unknown) => void onPath("unlink", file);

export function rmSync(file: unknown, given?: unknown) {
  const options = objectOf(given);
  const text = pathText(file);
  const stat = lstatSync(text, { throwIfNoEntry: false });
  if (!stat) {
    if (options.force) return;
    throw systemError({ code: "ENOENT", text: "no such file or directory" }, "lstat", [text]);
  }
  if (!stat.isDirectory()) return unlinkSync(text);
  if (!options.recursive) {
    const message = `Path is a directory: rm returned EISDIR (is a directory) ${text}`;
    throw Object.assign(new Error(message), {
      name: "SystemError",
      code: "ERR_FS_EISDIR",
      errno: 21,
      syscall: "rm",
      path: text,
    });
  }
  for (const name of readdirSync(text)) rmSync(path.join(text, name), options);
  onPath("rmdir", text);
}

export function renameSync(from: unknown, to: unknown) {
  const texts = [pathText(from, "oldPath"), pathText(to, "newPath")];
  request("rename", texts.map(absolute), texts);
}

export function copyFileSync(from: unknown, to: unknown, mode = 0) {
  const texts = [pathText(from, "src"), pathText(to, "dest")];
  if (mode & constants.COPYFILE_EXCL && existsSync(to))
    throw systemError({ code: "EEXIST", text: "file already exists" }, "copyfile", texts);
  const answer = ask("readFile", absolute(texts[0] ?? ""));
  if (answer.problem) throw systemError(answer.problem, "copyfile", texts);
  writeFileSync(to, answer.bytes ?? new Uint8Array(), { mode: (statSync(from)?.mode ?? 0o666) & 0o777 });
}

export function cpSync(from: unknown, to: unknown, given?: unknown) {
  const options = objectOf(given);
  if (!lstatSync(from)?.isDirectory())
    return copyFileSync(from, to, options.force === false ? constants.COPYFILE_EXCL : 0);
  if (!options.recursive) {
    throw Object.assign(new Error(`Recursive option not enabled, cannot copy a directory: cp ${from}`), {
      code: "ERR_FS_EISDIR",
    });
  }
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) cpSync(path.join(pathText(from), name), path.join(pathText(to), name), options);
}

export const readlinkSync = (file: unknown) => onPath("readlink", file).value;
export function symlinkSync(target: unknown, file: unknown) {
  const texts = [pathText(target, "target"), pathText(file)];
  request("symlink", [texts[0], absolute(texts[1] ?? "")], texts);
}
export const chmodSync = (file: unknown, mode: unknown) => void onPath("chmod", file, modeOf(mode));
export const utimesSync = (file: unknown, atime: unknown, mtime: unknown) =>
  void onPath("utimes", file, millisecondsOf(atime), millisecondsOf(mtime));
export const truncateSync = (file: unknown, length = 0) => void onPath("truncate", file, length);
export const ftruncateSync = (number: number, length = 0) => void request("ftruncate", [number, length]);
export const realpathSync = (file: unknown) => onPath("realpath", file).value;
realpathSync.native = realpathSync;
export const fsyncSync = () => {};
export const fdatasyncSync = () => {};
export const chownSync = () => {};
