// node:fs with callbacks and promises, node:fs/promises, and streams of files. The kernel answers at once, so these do
// their work when they are called and report it in a later turn.
import { Buffer } from "buffer";
import { Readable, Writable } from "readable-stream";

import * as now from "./fs.ts";
import { hold, inTurn, run } from "./loop.ts";
import { pathText, typeError } from "./paths.ts";
import { Dirent, Stats } from "./stats.ts";

const SUFFIX = "Sync";
// These return nothing of use or have their own forms below.
const OWN = new Set(["existsSync", "readSync", "writeSync"]);
const CHUNK = 1 << 16;

function settleLater<T>(action: () => T): Promise<T> {
  const release = hold();
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => inTurn(() => (release(), run(done)));
    try {
      const value = action();
      settle(() => resolve(value));
    } catch (error) {
      settle(() => reject(error));
    }
  });
}

type Callback = (error: unknown, ...values: unknown[]) => void;

/** Take the callback, the last of the arguments. */
function callbackOf(args: unknown[]): Callback {
  const done = args.pop();
  if (typeof done !== "function") {
    throw typeError(
      "ERR_INVALID_ARG_TYPE",
      `The "cb" argument must be of type function. Received ${done === undefined ? done : typeof done}`,
    );
  }
  return (...values) => done(...values);
}

function callBack(args: unknown[], action: (...args: unknown[]) => unknown) {
  const done = callbackOf(args);
  settleLater(() => action(...args)).then(
    (value) => run(() => done(null, value)),
    (error) => run(() => done(error)),
  );
}

const callbacks: Record<string, unknown> = {};
const later: Record<string, unknown> = {};
for (const [name, action] of Object.entries(now)) {
  if (typeof action !== "function" || !name.endsWith(SUFFIX) || OWN.has(name)) continue;
  const plain = name.slice(0, -SUFFIX.length);
  const call = (...args: unknown[]): unknown => Reflect.apply(action, now, args);
  callbacks[plain] = (...args: unknown[]) => callBack(args, call);
  if (!plain.startsWith("f") && plain !== "open" && plain !== "close") {
    later[plain] = (...args: unknown[]) => settleLater(() => call(...args));
  }
}

callbacks.exists = (file: unknown, done: (found: boolean) => void) =>
  settleLater(() => now.existsSync(file)).then((found) => run(() => done(found)));
/** The callback of reading and writing has the data, too. */
const withData =
  (action: Function) =>
  (...args: unknown[]) => {
    const [, data] = args;
    const done = callbackOf(args);
    settleLater((): unknown => Reflect.apply(action, now, args)).then(
      (count) => run(() => done(null, count, data)),
      done,
    );
  };
callbacks.read = withData(now.readSync);
callbacks.write = withData(now.writeSync);

type Rest<F> = F extends (first: number, second: never, ...rest: infer R) => unknown ? R : never;
type ReadRest = Rest<typeof now.readSync>;
type WriteRest = Rest<typeof now.writeSync>;

/** An open file of node:fs/promises. */
class FileHandle {
  fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }
  close() {
    return settleLater(() => now.closeSync(this.fd));
  }
  readFile(options?: unknown) {
    return settleLater(() => now.readFileSync(this.fd, options));
  }
  writeFile(data: unknown, options?: unknown) {
    return settleLater(() => now.writeFileSync(this.fd, data, options));
  }
  appendFile(data: unknown, options?: unknown) {
    return this.writeFile(data, options);
  }
  read(buffer: ArrayBufferView = Buffer.alloc(CHUNK >> 2), ...rest: ReadRest) {
    return settleLater(() => ({ bytesRead: now.readSync(this.fd, buffer, ...rest), buffer }));
  }
  write(data: unknown, ...rest: WriteRest) {
    return settleLater(() => ({ bytesWritten: now.writeSync(this.fd, data, ...rest), buffer: data }));
  }
  stat() {
    return settleLater(() => now.fstatSync(this.fd));
  }
  truncate(length?: number) {
    return settleLater(() => now.ftruncateSync(this.fd, length));
  }
  async sync() {}
  [Symbol.asyncDispose]() {
    return this.close();
  }
}

later.open = (file: unknown, flags: unknown, mode: unknown) =>
  settleLater(() => new FileHandle(now.openSync(file, flags, mode)));
later.constants = now.constants;
export const promises = later;

/** of a stream; programs pass anything */
interface StreamOptions {
  fd?: number;
  start?: number;
  end?: number;
  flags?: unknown;
  mode?: unknown;
  encoding?: string;
  highWaterMark?: number;
}

const optionsOf = (options: unknown): StreamOptions =>
  typeof options === "string" ? { encoding: options } : Object(options ?? {});

function createReadStream(file: unknown, given?: unknown) {
  const { fd: opened, start = 0, end = Infinity, flags = "r", encoding, highWaterMark = CHUNK } = optionsOf(given);
  let number: number | undefined = opened;
  let position = start;
  const stream = new Readable({
    highWaterMark,
    encoding,
    construct(done: (error?: unknown) => void) {
      settleLater(() => (number ??= now.openSync(file, flags))).then(() => done(), done);
    },
    read(size: number) {
      settleLater(() => {
        const buffer = Buffer.alloc(Math.min(size, highWaterMark, end - position + 1));
        const count =
          buffer.length && number !== undefined ? now.readSync(number, buffer, 0, buffer.length, position) : 0;
        position += count;
        return count ? buffer.subarray(0, count) : null;
      }).then(
        (chunk) => stream.push(chunk),
        (error) => stream.destroy(error),
      );
    },
    destroy(error: unknown, done: (error: unknown) => void) {
      if (number !== undefined && opened === undefined) now.closeSync(number);
      done(error);
    },
  });
  return Object.assign(stream, { path: opened === undefined ? pathText(file) : file });
}

function createWriteStream(file: unknown, given?: unknown) {
  const { fd, flags = "w", mode, encoding } = optionsOf(given);
  let number: number | undefined = fd;
  const stream = new Writable({
    defaultEncoding: encoding,
    construct(done: (error?: unknown) => void) {
      settleLater(() => (number ??= now.openSync(file, flags, mode))).then(() => done(), done);
    },
    write(chunk: Uint8Array, _: string, done: (error?: unknown) => void) {
      settleLater(() => now.writeSync(number ?? -1, chunk)).then(
        (count) => ((stream.bytesWritten += count), done()),
        done,
      );
    },
    destroy(error: unknown, done: (error: unknown) => void) {
      if (number !== undefined && fd === undefined) now.closeSync(number);
      done(error);
    },
  });
  return Object.assign(stream, { path: fd === undefined ? pathText(file) : file, bytesWritten: 0 });
}

function noWatching(): never {
  throw Object.assign(new Error("files can't be watched here: run the program again"), {
    code: "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM",
  });
}

export const fs = {
  ...now,
  ...callbacks,
  promises: later,
  createReadStream,
  createWriteStream,
  Stats,
  Dirent,
  watch: noWatching,
  watchFile: noWatching,
  unwatchFile: () => {},
};
