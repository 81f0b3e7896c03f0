// node:fs, synchronous. fs_later.js makes the callbacks and promises of these.
import { Buffer } from "buffer";
import path from "path-browserify";

import { ask, systemError } from "./kernel.js";
import { absolute, cwd, pathText, received, typeError } from "./paths.js";
import { Dirent, Stats } from "./stats.js";

export const constants = {
  ...{ F_OK: 0, X_OK: 1, W_OK: 2, R_OK: 4, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024 },
  ...{ COPYFILE_EXCL: 1, S_IFMT: 0o170000, S_IFREG: 0o100000, S_IFDIR: 0o040000, S_IFLNK: 0o120000 },
};
const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;
/** @type {Record<string, number>} */
const FLAGS = {
  ...{ r: O_RDONLY, rs: O_RDONLY, "r+": O_RDWR, "rs+": O_RDWR, w: O_WRONLY | O_CREAT | O_TRUNC, "w+": O_RDWR | O_CREAT | O_TRUNC },
  ...{ wx: O_WRONLY | O_CREAT | O_TRUNC | O_EXCL, "wx+": O_RDWR | O_CREAT | O_TRUNC | O_EXCL, a: O_WRONLY | O_CREAT | O_APPEND },
  ...{ "a+": O_RDWR | O_CREAT | O_APPEND, ax: O_WRONLY | O_CREAT | O_APPEND | O_EXCL, "ax+": O_RDWR | O_CREAT | O_APPEND | O_EXCL },
};
const CHUNK = 1 << 16;
const STANDARD_INPUT = 0;
const LAST_STANDARD = 2;

/** Call the kernel. @param {string} call as Node names it @param {any[]} args @param {string[]} [paths] for the message */
function request(call, args, paths = []) {
  const names = { utimes: "utime", readdir: "scandir" };
  const answer = ask(call, ...args);
  if (answer.problem) throw systemError(answer.problem, /** @type {any} */ (names)[call] ?? call, paths);
  return answer;
}

/** @param {string} call @param {any} given @param {any[]} rest */
function onPath(call, given, ...rest) {
  const text = pathText(given);
  return request(call, [absolute(text), ...rest], [text]);
}

/** @param {any} options an encoding or an object */
const encodingOf = (options) => (typeof options === "string" ? options : options?.encoding) ?? null;

/** @param {Uint8Array} bytes @param {any} options */
function decoded(bytes, options) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const encoding = encodingOf(options);
  return encoding === null || encoding === "buffer" ? buffer : buffer.toString(encoding);
}

/** @param {any} data @param {any} [options] @returns {Uint8Array} */
export function encoded(data, options) {
  if (typeof data === "string") return Buffer.from(data, /** @type {any} */ (encodingOf(options) ?? "utf8"));
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const kinds = "must be of type string or an instance of Buffer, TypedArray, or DataView";
  throw typeError("ERR_INVALID_ARG_TYPE", `The "data" argument ${kinds}. ${received(data)}`);
}

/** @param {any} flags */
function flagsOf(flags) {
  if (typeof flags === "number") return flags;
  const found = FLAGS[flags ?? "r"];
  if (found === undefined) throw typeError("ERR_INVALID_ARG_VALUE", `The argument 'flags' is invalid. Received '${flags}'`);
  return found;
}

/** @param {any} mode */
const modeOf = (mode, otherwise = 0o666) => (typeof mode === "string" ? parseInt(mode, 8) : (mode ?? otherwise));

/** @param {any} time a date, or seconds */
const millisecondsOf = (time) => (time instanceof Date ? Number(time) : Number(time) * 1000);

/** Standard input, read to its end. */
function readInput() {
  const chunks = [];
  for (;;) {
    const { bytes = new Uint8Array() } = request("input", [CHUNK]);
    if (bytes.length === 0) return Buffer.concat(chunks);
    chunks.push(bytes);
  }
}

/** @param {any} file a path or a descriptor @param {any} [options] @returns {any} */
export function readFileSync(file, options) {
  if (file === STANDARD_INPUT || file === "/dev/stdin") return decoded(readInput(), options);
  if (typeof file !== "number") {
    const text = pathText(file);
    const answer = ask("readFile", absolute(text));
    const isFolder = answer.problem?.code === "EISDIR";
    if (answer.problem) throw systemError(answer.problem, isFolder ? "read" : "open", isFolder ? [] : [text]);
    return decoded(answer.bytes ?? new Uint8Array(), options);
  }
  const chunks = [];
  for (;;) {
    const { bytes = new Uint8Array() } = request("read", [file, CHUNK]);
    if (bytes.length === 0) return decoded(Buffer.concat(chunks), options);
    chunks.push(bytes);
  }
}

/** @param {any} file @param {any} data @param {any} [options] */
export function writeFileSync(file, data, options) {
  const bytes = encoded(data, options);
  if (typeof file === "number") return void writeAll(file, bytes);
  const number = openSync(file, options?.flag ?? "w", options?.mode);
  try {
    writeAll(number, bytes);
  } finally {
    closeSync(number);
  }
}

/** @param {any} file @param {any} data @param {any} [options] */
export const appendFileSync = (file, data, options) =>
  writeFileSync(file, data, { ...(typeof options === "string" ? { encoding: options } : options), flag: options?.flag ?? "a" });

/** @param {number} number @param {Uint8Array} bytes @param {number} [position] @returns {number} */
function writeAll(number, bytes, position) {
  if (number === 1 || number === LAST_STANDARD) return request("output", [number, bytes.slice()]), bytes.length;
  return request("write", [number, bytes.slice(), position]).value;
}

/** @param {any} file @param {any} [flags] @param {any} [mode] @returns {number} */
export function openSync(file, flags = "r", mode = 0o666) {
  const text = pathText(file);
  return request("open", [absolute(text), flagsOf(flags), modeOf(mode)], [text]).value;
}

/** @param {number} number */
export function closeSync(number) {
  if (number > LAST_STANDARD) request("close", [number]);
}

/** @param {number} number @param {any} target @param {any} [given] offset or options @param {number} [length] @param {number | null} [position] */
export function readSync(number, target, given, length, position) {
  const options = given !== null && typeof given === "object" ? given : { offset: given, length, position };
  const { offset = 0, position: from = null } = options;
  const view = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  const count = options.length ?? view.length - offset;
  const { bytes = new Uint8Array() } =
    number === STANDARD_INPUT ? request("input", [count]) : request("read", [number, count, from === null ? undefined : Number(from)]);
  view.set(bytes, offset);
  return bytes.length;
}

/** @param {number} number @param {any} data @param {any} [offset] or the position of a text @param {any} [length] @param {any} [position] */
export function writeSync(number, data, offset, length, position) {
  if (typeof data === "string") return writeAll(number, encoded(data, length), typeof offset === "number" ? offset : undefined);
  const bytes = encoded(data);
  const start = offset ?? 0;
  return writeAll(number, bytes.subarray(start, start + (length ?? bytes.length - start)), position ?? undefined);
}

/** @param {any} file @param {any} options @param {boolean} follows @returns {any} */
function statOf(file, options, follows) {
  const text = pathText(file);
  const answer = ask("stat", absolute(text), follows);
  if (!answer.problem) return new Stats(answer.value);
  if (options?.throwIfNoEntry === false && /ENOENT|ENOTDIR/.test(answer.problem.code)) return undefined;
  throw systemError(answer.problem, follows ? "stat" : "lstat", [text]);
}

/** @param {any} file @param {any} [options] */
export const statSync = (file, options) => statOf(file, options, true);
/** @param {any} file @param {any} [options] */
export const lstatSync = (file, options) => statOf(file, options, false);
/** @param {number} number */
export const fstatSync = (number) => new Stats(request("fstat", [number]).value);

/** @param {any} file */
export function existsSync(file) {
  if (typeof file !== "string" && !(file instanceof URL) && !(file instanceof Uint8Array)) return false;
  return !ask("stat", absolute(pathText(file)), true).problem;
}

/** @param {any} file @param {number} [mode] */
export const accessSync = (file, mode = 0) => void onPath("access", file, mode);

/** @param {any} folder @param {any} [options] @returns {any[]} */
export function readdirSync(folder, options) {
  const text = pathText(folder);
  /** @type {[string, number][]} */
  const value = onPath("readdir", folder).value;
  const shown = (/** @type {string} */ name, /** @type {string} */ parent, /** @type {number} */ mode) =>
    options?.withFileTypes ? new Dirent(name, parent, mode) : path.relative(text, path.join(parent, name));
  const listed = value.map(([name, mode]) => shown(name, text, mode));
  if (!options?.recursive) return listed;
  const folders = value.filter(([, mode]) => (mode & constants.S_IFMT) === constants.S_IFDIR);
  const below = (/** @type {string} */ at) => readdirSync(at, options).map((/** @type {any} */ each) =>
    typeof each === "string" ? path.relative(text, path.join(at, each)) : each);
  return [...listed, ...folders.flatMap(([name]) => below(path.join(text, name)))];
}

/** @param {any} folder @param {any} [options] */
export function mkdirSync(folder, options) {
  const text = pathText(folder);
  const mode = modeOf(typeof options === "object" ? options?.mode : options, 0o777);
  if (!options?.recursive) return void request("mkdir", [absolute(text), mode], [text]);
  const missing = [];
  for (let at = absolute(text); !existsSync(at); at = path.dirname(at)) missing.push(at);
  if (missing.length === 0 && !statOf(text, {}, true)?.isDirectory()) {
    throw systemError({ code: "EEXIST", text: "file already exists" }, "mkdir", [text]);
  }
  for (const each of missing.toReversed()) request("mkdir", [each, mode], [text]);
  const first = missing.at(-1);
  return first === undefined || text.startsWith("/") ? first : path.relative(cwd(), first);
}

/** @param {string} prefix */
export function mkdtempSync(prefix) {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const random = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => letters[byte % letters.length]);
  const folder = pathText(prefix, "prefix") + random.join("");
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** @param {any} folder @param {any} [options] */
export const rmdirSync = (folder, options) => (options?.recursive ? rmSync(folder, options) : void onPath("rmdir", folder));
/** @param {any} file */
export const unlinkSync = (file) => void onPath("unlink", file);

/** @param {any} file @param {any} [options] */
export function rmSync(file, options = {}) {
  const text = pathText(file);
  const stat = lstatSync(text, { throwIfNoEntry: false });
  if (!stat) {
    if (options.force) return;
    throw systemError({ code: "ENOENT", text: "no such file or directory" }, "lstat", [text]);
  }
  if (!stat.isDirectory()) return unlinkSync(text);
  if (!options.recursive) {
    const message = `Path is a directory: rm returned EISDIR (is a directory) ${text}`;
    throw Object.assign(new Error(message), { name: "SystemError", code: "ERR_FS_EISDIR", errno: 21, syscall: "rm", path: text });
  }
  for (const name of readdirSync(text)) rmSync(path.join(text, name), options);
  onPath("rmdir", text);
}

/** @param {any} from @param {any} to */
export function renameSync(from, to) {
  const texts = [pathText(from, "oldPath"), pathText(to, "newPath")];
  request("rename", texts.map(absolute), texts);
}

/** @param {any} from @param {any} to @param {number} [mode] */
export function copyFileSync(from, to, mode = 0) {
  const texts = [pathText(from, "src"), pathText(to, "dest")];
  if (mode & constants.COPYFILE_EXCL && existsSync(to)) throw systemError({ code: "EEXIST", text: "file already exists" }, "copyfile", texts);
  const answer = ask("readFile", absolute(texts[0] ?? ""));
  if (answer.problem) throw systemError(answer.problem, "copyfile", texts);
  writeFileSync(to, answer.bytes ?? new Uint8Array(), { mode: statSync(from)?.mode & 0o777 });
}

/** @param {any} from @param {any} to @param {any} [options] */
export function cpSync(from, to, options = {}) {
  if (!lstatSync(from).isDirectory()) return copyFileSync(from, to, options.force === false ? constants.COPYFILE_EXCL : 0);
  if (!options.recursive) {
    throw Object.assign(new Error(`Recursive option not enabled, cannot copy a directory: cp ${from}`), { code: "ERR_FS_EISDIR" });
  }
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) cpSync(path.join(pathText(from), name), path.join(pathText(to), name), options);
}

/** @param {any} file */
export const readlinkSync = (file) => onPath("readlink", file).value;
/** @param {any} target @param {any} file */
export function symlinkSync(target, file) {
  const texts = [pathText(target, "target"), pathText(file)];
  request("symlink", [texts[0], absolute(texts[1] ?? "")], texts);
}
/** @param {any} file @param {any} mode */
export const chmodSync = (file, mode) => void onPath("chmod", file, modeOf(mode));
/** @param {any} file @param {any} atime @param {any} mtime */
export const utimesSync = (file, atime, mtime) => void onPath("utimes", file, millisecondsOf(atime), millisecondsOf(mtime));
/** @param {any} file @param {number} [length] */
export const truncateSync = (file, length = 0) => void onPath("truncate", file, length);
/** @param {number} number @param {number} [length] */
export const ftruncateSync = (number, length = 0) => void request("ftruncate", [number, length]);
/** @param {any} file */
export function realpathSync(file) {
  const text = pathText(file);
  const answer = ask("realpath", absolute(text));
  if (answer.problem) throw systemError(answer.problem, "lstat", [text]);
  return answer.value;
}
realpathSync.native = realpathSync;
export const fsyncSync = () => {};
export const fdatasyncSync = () => {};
export const chownSync = () => {};
