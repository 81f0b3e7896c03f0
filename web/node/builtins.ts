// Fills the table of the modules of Node that programs can require.
import assert from "assert";
import { isDeepStrictEqual } from "assert/build/internal/util/comparisons";
import * as buffer from "buffer";
import events from "events";
import path from "path-browserify";
import stream from "readable-stream";
import * as stringDecoder from "string_decoder";

import { builtins } from "./builtin_table.ts";
import { childProcess } from "./child_process.ts";
import { crypto } from "./crypto.ts";
import { fs, promises } from "./fs_later.ts";
import { Module } from "./modules.ts";
import { os } from "./os.ts";
import { process } from "./base.ts";
import { querystring } from "./querystring.ts";
import { readline, readlinePromises } from "./readline.ts";
import { test } from "./test/main.ts";
import { timers } from "./timers.ts";
import { url } from "./url.ts";
import util from "./util/index.ts";
import { zlib } from "./zlib.ts";

const missing =
  (name: string, instead: string): (() => unknown) =>
  () => {
    throw Object.assign(new Error(`node:${name} isn't available in the page: ${instead}`), { code: "ERR_UNAVAILABLE" });
  };
const NETWORK = "programs of node have no network here; use curl, or Python";

const posix = Object.assign(path, { posix: path });
const { strict } = assert;
Object.assign(builtins, {
  assert: () => assert,
  "assert/strict": () => strict,
  buffer: () => ({
    ...buffer,
    Blob,
    File,
    atob,
    btoa,
    constants: { MAX_LENGTH: buffer.kMaxLength, MAX_STRING_LENGTH: 536870888 },
  }),
  child_process: () => childProcess,
  console: () => console,
  constants: () => fs.constants,
  crypto: () => crypto,
  events: () => Object.assign(events, { EventEmitter: events }),
  fs: () => fs,
  "fs/promises": () => promises,
  module: () => Module,
  os: () => os,
  path: () => posix,
  "path/posix": () => posix,
  perf_hooks: () => ({ performance, PerformanceObserver }),
  process: () => process,
  punycode: missing("punycode", "use URL"),
  querystring: () => querystring,
  readline: () => readline,
  "readline/promises": () => readlinePromises,
  stream: () => stream,
  "stream/promises": () => stream.promises,
  string_decoder: () => stringDecoder,
  test: () => test,
  timers: () => timers,
  "timers/promises": () => timers.promises,
  tty: () => ({ isatty: (fd: number) => [process.stdin, process.stdout, process.stderr][fd]?.isTTY === true }),
  url: () => url,
  util: () => Object.assign(util, { isDeepStrictEqual }),
  "util/types": () => util.types,
  vm: missing("vm", "use new Function"),
  worker_threads: () => ({
    isMainThread: true,
    parentPort: null,
    workerData: null,
    threadId: 0,
    Worker: missing("worker_threads", "use one thread"),
  }),
  zlib: () => zlib,
  ...Object.fromEntries(
    ["http", "https", "http2", "net", "tls", "dgram", "dns", "cluster"].map((name) => [name, missing(name, NETWORK)]),
  ),
});
