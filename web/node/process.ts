// The program's `process`, its standard streams and its end.
import { Buffer } from "buffer";
import EventEmitter from "events";
import { Readable, Writable } from "readable-stream";

import type { Change } from "../kernel/clock.ts";
import { process } from "./base.ts";
import { console as ours } from "./console.ts";
import { describe } from "./failing.ts";
import { ask, askLater, exit } from "./kernel.ts";
import { run, useHooks } from "./loop.ts";
import { absolute, cwd, setDirectory } from "./paths.ts";
import { statSync } from "./fs.ts";

const CHUNK = 1 << 16;
const FATAL = 7;
const UNSETTLED = 13;
const started = performance.now();

function output(fd: 1 | 2, isTTY: boolean) {
  const stream = new Writable({
    decodeStrings: true,
    write(chunk: Uint8Array, _: string, done: () => void) {
      ask("output", fd, Uint8Array.from(chunk));
      done();
    },
  });
  const size = { columns: Number(process.env.COLUMNS) || 80, rows: Number(process.env.LINES) || 24 };
  const terminal = {
    ...{ isTTY, ...size },
    getColorDepth: () => 8,
    hasColors: () => true,
    getWindowSize: () => [size.columns, size.rows],
    clearLine: () => stream.write("\u001b[2K"),
    cursorTo: (x: number) => stream.write(`\u001b[${x + 1}G`),
  };
  return Object.assign(stream, { fd, _type: isTTY ? "tty" : "pipe" }, isTTY ? terminal : {});
}

function input(isTTY: boolean) {
  const stream = new Readable({
    highWaterMark: CHUNK,
    read() {
      askLater("input", CHUNK).then(({ bytes }) =>
        run(() => void stream.push(bytes?.length ? Buffer.from(bytes) : null)),
      );
    },
  });
  return Object.assign(stream, { fd: 0 }, isTTY ? { isTTY, setRawMode: () => stream } : {});
}

/** Strings only, as the environment of a process. */
const environment = (given: Record<string, string>) =>
  new Proxy(
    { ...given },
    { set: (target, name, value) => Reflect.set(target, name, typeof value === "symbol" ? value : String(value)) },
  );

let ending = false;
function leave(code: number = process.exitCode ?? 0): never {
  process.exitCode = code;
  if (!ending) {
    ending = true;
    process.emit("exit", Number(process.exitCode));
  }
  return exit(Number(process.exitCode) & 0xff);
}

export function fail(error: unknown, rejected = false) {
  const origin = rejected ? "unhandledRejection" : "uncaughtException";
  try {
    if (
      rejected &&
      process.emit(
        "unhandledRejection",
        error,
        Promise.reject(error).catch(() => {}),
      )
    )
      return;
    if (process.emit("uncaughtException", error, origin)) return;
    ask("output", 2, new TextEncoder().encode(describe(error, rejected)));
  } catch (worse) {
    ask("output", 2, new TextEncoder().encode(describe(worse, false)));
    leave(FATAL);
  }
  leave(1);
}

/** the kernel's first message (web/kernel/node/main.ts) */
export interface Start {
  memory: SharedArrayBuffer;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  zone: Change[] | null;
  pid: number;
  umask: number;
  /** whether standard input, output and error are the terminal */
  terminals: boolean[];
}

/**
 * @param start - the kernel's message
 * @param isUnsettled - whether the program waits for something that never comes
 */
export function completeProcess({ args, cwd: folder, env, pid, umask, terminals }: Start, isUnsettled: () => boolean) {
  setDirectory(folder);
  Object.setPrototypeOf(
    process,
    Object.create(EventEmitter.prototype, { constructor: { value: { name: "process" } } }),
  );
  Reflect.apply(EventEmitter, process, []);
  Object.assign(process, {
    env: environment(env),
    pid,
    ppid: 1,
    argv0: "node",
    execPath: "/usr/bin/node",
    execArgv: [],
    argv: ["/usr/bin/node", ...args],
    title: "node",
    ...{ arch: "wasm32", release: { name: "node" }, config: {}, features: {}, exitCode: undefined, cwd, exit: leave },
    reallyExit: leave,
    abort: () => leave(134),
    umask: () => umask,
    uptime: () => (performance.now() - started) / 1000,
    chdir: (to: string) => {
      statSync(to);
      setDirectory(absolute(to).replace(/(?<=.)\/+$/, ""));
    },
    hrtime: Object.assign(hrtime, { bigint: () => BigInt(Math.round(performance.now() * 1e6)) }),
    memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
    cpuUsage: () => ({ user: Math.round((performance.now() - started) * 1000), system: 0 }),
    getuid: () => 1000,
    geteuid: () => 1000,
    getgid: () => 1000,
    getegid: () => 1000,
    emitWarning: (warning: unknown, type: string | { type?: string } | undefined) =>
      void process.stderr.write(
        `(node:${pid}) ${warning instanceof Error ? warning : `${(typeof type === "object" ? type.type : type) ?? "Warning"}: ${warning}`}\n`,
      ),
    kill: () => {
      throw Object.assign(new Error("process.kill isn't available here: use child_process with the shell's kill"), {
        code: "ERR_UNAVAILABLE",
      });
    },
  });
  Object.assign(process.versions, { v8: "" });
  process[Symbol.toStringTag] = "process";
  const lazily = {
    stdin: () => input(terminals[0]),
    stdout: () => output(1, terminals[1]),
    stderr: () => output(2, terminals[2]),
  };
  for (const [name, create] of Object.entries(lazily)) {
    let stream: unknown;
    Object.defineProperty(process, name, { get: () => (stream ??= create()), configurable: true, enumerable: true });
  }
  Object.assign(globalThis, { console: ours, Buffer });
  useHooks({ fail, idle: () => finish(isUnsettled) });
}

function hrtime(since?: [number, number]) {
  const now = performance.now();
  const [seconds, rest] = [Math.floor(now / 1000), Math.round((now % 1000) * 1e6)];
  if (!since) return [seconds, rest];
  const difference = seconds * 1e9 + rest - (since[0] * 1e9 + since[1]);
  return [Math.floor(difference / 1e9), difference % 1e9];
}

let asked = false;
/** A listener of `beforeExit` has begun something that nothing pending shows. */
export const keepRunning = () => void (asked = false);

/** Nothing is pending. */
function finish(isUnsettled: () => boolean) {
  if (!asked) {
    asked = true;
    // A listener may begin something, whose end brings us here again.
    run(() => process.emit("beforeExit", process.exitCode ?? 0));
    return;
  }
  asked = false;
  if (isUnsettled() && process.exitCode === undefined) {
    process.stderr.write("Warning: Detected unsettled top-level await\n");
    leave(UNSETTLED);
  }
  leave();
}
