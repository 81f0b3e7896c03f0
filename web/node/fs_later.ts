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

/** @param args - the last is the callback */
function callBack(args: any[], action: (...args: any[]) => any) {
  const done = args.pop();
  if (typeof done !== "function") {
    throw typeError(
      "ERR_INVALID_ARG_TYPE",
      `The "cb" argument must be of type function. Received ${done === undefined ? done : typeof done}`,
    );
  }
  settleLater(() => action(...args)).then(
    (value) => run(() => done(null, value)),
    (error) => run(() => done(error)),
  );
}

const callbacks: Record<string, any> = {};
const later: Record<string, any> = {};
for (const [name, action] of Object.entries(now)) {
  if (!name.endsWith(SUFFIX) || OWN.has(name)) continue;
  const plain = name.slice(0, -SUFFIX.length);
  callbacks[plain] = (...args: any[]) => callBack(args, action as any);
  if (!plain.startsWith("f") && plain !== "open" && plain !== "close") {
    later[plain] = (...args: any[]) => settleLater(() => (action as any)(...args));
  }
}

callbacks.exists = (file: any, done: (found: boolean) => void) =>
  settleLater(() => now.existsSync(file)).then((found) => run(() => done(found)));
callbacks.read = (...args: any[]) => {
  const [, buffer] = args;
  const done = args.pop();
  settleLater(() => (now.readSync as any)(...args)).then((count) => run(() => done(null, count, buffer)), done);
};
callbacks.write = (...args: any[]) => {
  const [, data] = args;
  const done = args.pop();
  settleLater(() => (now.writeSync as any)(...args)).then((count) => run(() => done(null, count, data)), done);
};

/** An open file of node:fs/promises. */
class FileHandle {
  fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }
  close() {
    return settleLater(() => now.closeSync(this.fd));
  }
  readFile(options?: any) {
    return settleLater(() => now.readFileSync(this.fd, options));
  }
  writeFile(data: any, options?: any) {
    return settleLater(() => now.writeFileSync(this.fd, data, options));
  }
  appendFile(data: any, options?: any) {
    return this.writeFile(data, options);
  }
  read(buffer: any = Buffer.alloc(CHUNK >> 2), offset?: any, length?: any, position?: any) {
    return settleLater(() => ({ bytesRead: now.readSync(this.fd, buffer, offset, length, position), buffer }));
  }
  write(data: any, ...rest: any[]) {
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

later.open = (file: any, flags: any, mode: any) => settleLater(() => new FileHandle(now.openSync(file, flags, mode)));
later.constants = now.constants;
export const promises = later;

const optionsOf = (options: any) => (typeof options === "string" ? { encoding: options } : (options ?? {}));

function createReadStream(file: any, given?: any) {
  const { fd: opened, start = 0, end = Infinity, flags = "r", encoding, highWaterMark = CHUNK } = optionsOf(given);
  let number = opened;
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
        const count = buffer.length ? now.readSync(number, buffer, 0, buffer.length, position) : 0;
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
  }) as any;
  return Object.assign(stream, { path: opened === undefined ? pathText(file) : file });
}

function createWriteStream(file: any, given?: any) {
  const { fd, flags = "w", mode, encoding } = optionsOf(given);
  let number: number | undefined = fd;
  const stream = new Writable({
    defaultEncoding: encoding,
    construct(done: (error?: unknown) => void) {
      settleLater(() => (number ??= now.openSync(file, flags, mode))).then(() => done(), done);
    },
    write(chunk: Uint8Array, _: string, done: (error?: unknown) => void) {
      settleLater(() => now.writeSync(number as number, chunk)).then(
        (count) => ((stream.bytesWritten += count), done()),
        done,
      );
    },
    destroy(error: unknown, done: (error: unknown) => void) {
      if (number !== undefined && fd === undefined) now.closeSync(number);
      done(error);
    },
  }) as any;
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
