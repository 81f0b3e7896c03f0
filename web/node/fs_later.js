// node:fs with callbacks and promises, node:fs/promises, and streams of files. The kernel answers at once, so these do
// their work when they are called and report it in a later turn.
import { Buffer } from "buffer";
import { Readable, Writable } from "readable-stream";

import * as now from "./fs.js";
import { hold, inTurn, run } from "./loop.js";
import { pathText, typeError } from "./paths.js";
import { Dirent, Stats } from "./stats.js";

const SUFFIX = "Sync";
// These return nothing of use or have their own forms below.
const OWN = new Set(["existsSync", "readSync", "writeSync"]);
const CHUNK = 1 << 16;

/** @template T @param {() => T} action @returns {Promise<T>} */
function settleLater(action) {
  const release = hold();
  return new Promise((resolve, reject) => {
    const settle = (/** @type {() => void} */ done) => inTurn(() => (release(), run(done)));
    try {
      const value = action();
      settle(() => resolve(value));
    } catch (error) {
      settle(() => reject(error));
    }
  });
}

/** @param {any[]} args the last is the callback @param {(...args: any[]) => any} action */
function callBack(args, action) {
  const done = args.pop();
  if (typeof done !== "function") {
    throw typeError("ERR_INVALID_ARG_TYPE", `The "cb" argument must be of type function. Received ${done === undefined ? done : typeof done}`);
  }
  settleLater(() => action(...args)).then((value) => run(() => done(null, value)), (error) => run(() => done(error)));
}

/** @type {Record<string, any>} */
const callbacks = {};
/** @type {Record<string, any>} */
const later = {};
for (const [name, action] of Object.entries(now)) {
  if (!name.endsWith(SUFFIX) || OWN.has(name)) continue;
  const plain = name.slice(0, -SUFFIX.length);
  callbacks[plain] = (/** @type {any[]} */ ...args) => callBack(args, /** @type {any} */ (action));
  if (!plain.startsWith("f") && plain !== "open" && plain !== "close") {
    later[plain] = (/** @type {any[]} */ ...args) => settleLater(() => /** @type {any} */ (action)(...args));
  }
}

callbacks.exists = (/** @type {any} */ file, /** @type {(found: boolean) => void} */ done) =>
  settleLater(() => now.existsSync(file)).then((found) => run(() => done(found)));
callbacks.read = (/** @type {any[]} */ ...args) => {
  const [, buffer] = args;
  const done = args.pop();
  settleLater(() => /** @type {any} */ (now.readSync)(...args)).then((count) => run(() => done(null, count, buffer)), done);
};
callbacks.write = (/** @type {any[]} */ ...args) => {
  const [, data] = args;
  const done = args.pop();
  settleLater(() => /** @type {any} */ (now.writeSync)(...args)).then((count) => run(() => done(null, count, data)), done);
};

/** An open file of node:fs/promises. */
class FileHandle {
  /** @param {number} fd */
  constructor(fd) {
    this.fd = fd;
  }
  close() {
    return settleLater(() => now.closeSync(this.fd));
  }
  /** @param {any} [options] */
  readFile(options) {
    return settleLater(() => now.readFileSync(this.fd, options));
  }
  /** @param {any} data @param {any} [options] */
  writeFile(data, options) {
    return settleLater(() => now.writeFileSync(this.fd, data, options));
  }
  /** @param {any} data @param {any} [options] */
  appendFile(data, options) {
    return this.writeFile(data, options);
  }
  /** @param {any} buffer @param {any} [offset] @param {any} [length] @param {any} [position] */
  read(buffer = Buffer.alloc(CHUNK >> 2), offset, length, position) {
    return settleLater(() => ({ bytesRead: now.readSync(this.fd, buffer, offset, length, position), buffer }));
  }
  /** @param {any} data @param {any[]} rest */
  write(data, ...rest) {
    return settleLater(() => ({ bytesWritten: now.writeSync(this.fd, data, ...rest), buffer: data }));
  }
  stat() {
    return settleLater(() => now.fstatSync(this.fd));
  }
  /** @param {number} [length] */
  truncate(length) {
    return settleLater(() => now.ftruncateSync(this.fd, length));
  }
  async sync() {}
  [Symbol.asyncDispose]() {
    return this.close();
  }
}

later.open = (/** @type {any} */ file, /** @type {any} */ flags, /** @type {any} */ mode) =>
  settleLater(() => new FileHandle(now.openSync(file, flags, mode)));
later.constants = now.constants;
export const promises = later;

/** @param {any} options */
const optionsOf = (options) => (typeof options === "string" ? { encoding: options } : (options ?? {}));

/** @param {any} file @param {any} [given] */
function createReadStream(file, given) {
  const { fd: opened, start = 0, end = Infinity, flags = "r", encoding, highWaterMark = CHUNK } = optionsOf(given);
  let number = opened;
  let position = start;
  const stream = /** @type {any} */ (new Readable({
    highWaterMark, encoding,
    construct(/** @type {(error?: unknown) => void} */ done) {
      settleLater(() => (number ??= now.openSync(file, flags))).then(() => done(), done);
    },
    read(/** @type {number} */ size) {
      settleLater(() => {
        const buffer = Buffer.alloc(Math.min(size, highWaterMark, end - position + 1));
        const count = buffer.length ? now.readSync(number, buffer, 0, buffer.length, position) : 0;
        position += count;
        return count ? buffer.subarray(0, count) : null;
      }).then((chunk) => stream.push(chunk), (error) => stream.destroy(error));
    },
    destroy(/** @type {unknown} */ error, /** @type {(error: unknown) => void} */ done) {
      if (number !== undefined && opened === undefined) now.closeSync(number);
      done(error);
    },
  }));
  return Object.assign(stream, { path: opened === undefined ? pathText(file) : file });
}

/** @param {any} file @param {any} [given] */
function createWriteStream(file, given) {
  const { fd, flags = "w", mode, encoding } = optionsOf(given);
  /** @type {number | undefined} */
  let number = fd;
  const stream = /** @type {any} */ (new Writable({
    defaultEncoding: encoding,
    construct(/** @type {(error?: unknown) => void} */ done) {
      settleLater(() => (number ??= now.openSync(file, flags, mode))).then(() => done(), done);
    },
    write(/** @type {Uint8Array} */ chunk, /** @type {string} */ _, /** @type {(error?: unknown) => void} */ done) {
      settleLater(() => now.writeSync(/** @type {number} */ (number), chunk)).then((count) => ((stream.bytesWritten += count), done()), done);
    },
    destroy(/** @type {unknown} */ error, /** @type {(error: unknown) => void} */ done) {
      if (number !== undefined && fd === undefined) now.closeSync(number);
      done(error);
    },
  }));
  return Object.assign(stream, { path: fd === undefined ? pathText(file) : file, bytesWritten: 0 });
}

/** @returns {never} */
function noWatching() {
  throw Object.assign(new Error("files can't be watched here: run the program again"), { code: "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM" });
}

export const fs = {
  ...now, ...callbacks, promises: later, createReadStream, createWriteStream, Stats, Dirent,
  watch: noWatching, watchFile: noWatching, unwatchFile: () => {},
};
