// node:child_process, on the shell's programs. The output of a program arrives when it ends.
import { Buffer } from "buffer";
import EventEmitter from "events";
import { PassThrough } from "readable-stream";

import type { Answer } from "../kernel/node/memory.ts";
import { process, type Stream } from "./base.ts";
import { encoded } from "./fs.ts";
import { ask, askLater, systemError } from "./kernel.ts";
import { absolute, cwd } from "./paths.ts";

const SHELL = "/bin/sh";
const SIGNALS: Record<number, string> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  6: "SIGABRT",
  9: "SIGKILL",
  13: "SIGPIPE",
  15: "SIGTERM",
};
const PIPES = ["pipe", "pipe", "pipe"] as const;

/** of a program that a program starts; anything may be missing or of another type, as programs are not checked */
interface Options {
  cwd?: unknown;
  env?: object;
  stdio?: unknown;
  input?: unknown;
  timeout?: number;
  shell?: unknown;
  encoding?: string;
}

/** of a program that has ended, or couldn't begin */
interface Ended {
  pid: number;
  status: number | null;
  signal: string | null;
  output: unknown[] | null;
  stdout: string | Uint8Array | null;
  stderr: string | Uint8Array | null;
  error?: Error;
}

type Callback = (error: unknown, stdout: string, stderr: string) => void;

function streamsOf(stdio: unknown): ("pipe" | "inherit" | "ignore")[] {
  const list = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  return PIPES.map((pipe, number) => {
    const kind = list[number] ?? pipe;
    return kind === number || kind === "inherit" ? "inherit" : kind === "ignore" ? kind : pipe;
  });
}

/** Describe a program to the kernel. */
function requestFor(
  file: string,
  args: string[],
  { cwd: folder, env = process.env, stdio = "pipe", input = null, timeout = 0, shell = false }: Options,
) {
  const words = shell ? ["sh", "-c", [file, ...args].join(" ")] : [file, ...args];
  return {
    file: shell ? SHELL : file,
    words,
    stdio: streamsOf(stdio),
    timeout,
    input: input === null ? null : Uint8Array.from(encoded(input)),
    cwd: folder === undefined ? cwd() : absolute(String(folder instanceof URL ? folder.pathname : folder)),
    env: Object.fromEntries(
      Object.entries(env)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    ),
  };
}

function resultOf(
  { value, bytes = new Uint8Array() }: Answer,
  request: ReturnType<typeof requestFor>,
  { encoding, timeout }: Options,
  call: string,
): Ended {
  const [file, ...spawnargs] = request.words;
  const failure = (code: string, more?: { timeout: number | undefined }) =>
    Object.assign(systemError({ code, text: "" }, `${call} ${file}`, []), {
      message: `${call} ${file} ${code}`,
      path: file,
      spawnargs,
      ...more,
    });
  if (value.refused) {
    const nothing = { status: null, signal: null, output: null, pid: 0, stdout: null, stderr: null };
    return { error: failure(value.refused), ...nothing };
  }
  const shown = (part: Uint8Array) => {
    const buffer = Buffer.from(part);
    // Buffer refuses names that it doesn't know.
    return encoding && encoding !== "buffer" ? buffer.toString(encoding as BufferEncoding) : buffer;
  };
  const [, out, err] = request.stdio;
  const stdout = out === "pipe" ? shown(bytes.subarray(0, value.split)) : null;
  const stderr = err === "pipe" ? shown(bytes.subarray(value.split)) : null;
  const signal = value.status < 0 ? (SIGNALS[-value.status] ?? "SIGTERM") : null;
  const result = {
    pid: value.pid,
    output: [null, stdout, stderr],
    stdout,
    stderr,
    status: signal ? null : value.status,
    signal,
  };
  return value.late ? { ...result, error: failure("ETIMEDOUT", { timeout }) } : result;
}

/** @param args - or the options */
const arranged = (args: unknown, options: unknown): [string[], Options] =>
  Array.isArray(args) ? [args, Object(options ?? {})] : [[], Object(args ?? {})];

function spawnSync(file: string, args?: unknown, given?: unknown) {
  const [list, options] = arranged(args, given);
  const request = requestFor(file, list, options);
  return resultOf(ask("run", request), request, options, "spawnSync");
}

function checked(result: Ended, command: string, options: Options) {
  if (options.stdio === undefined && result.stderr?.length) process.stderr.write(result.stderr);
  if (result.error) throw Object.assign(result.error, result);
  if (result.status === 0) return result.stdout;
  const said = result.stderr?.length ? `\n${result.stderr}` : "";
  throw Object.assign(new Error(`Command failed: ${command}${said}`), result);
}

const execSync = (command: string, options: Options = {}) =>
  checked(spawnSync(command, { ...options, shell: true }), command, options);

function execFileSync(file: string, args?: unknown, given?: unknown) {
  const [list, options] = arranged(args, given);
  return checked(spawnSync(file, list, options), [file, ...list].join(" "), options);
}

class ChildProcess extends EventEmitter {
  stdin: Stream | null;
  stdout: Stream | null;
  stderr: Stream | null;
  stdio;

  constructor(file: string, args: string[], options: Options) {
    super();
    Object.assign(this, {
      exitCode: null,
      signalCode: null,
      killed: false,
      pid: undefined,
      spawnfile: file,
      spawnargs: [file, ...args],
    });
    const request = requestFor(file, args, options);
    const [input, output, error] = request.stdio;
    this.stdin = input === "pipe" ? new PassThrough() : null;
    this.stdout = output === "pipe" ? new PassThrough() : null;
    this.stderr = error === "pipe" ? new PassThrough() : null;
    this.stdio = [this.stdin, this.stdout, this.stderr];
    const typed: Uint8Array[] = [];
    this.stdin?.on("data", (chunk: Uint8Array) => typed.push(chunk));
    // The program's input is complete once nothing more is written in this turn, or at the end of its input.
    process.nextTick(async () => {
      if (this.stdin && typed.length) await new Promise((resolve) => this.stdin?.on("end", resolve));
      this.finish(
        resultOf(
          await askLater("run", { ...request, input: typed.length ? Buffer.concat(typed) : null }),
          request,
          {},
          "spawn",
        ),
      );
    });
  }
  finish(result: Ended) {
    if (result.error && result.status === null && result.pid === 0) return void this.emit("error", result.error);
    Object.assign(this, { pid: result.pid, exitCode: result.status, signalCode: result.signal });
    this.emit("spawn");
    this.stdout?.end(result.stdout);
    this.stderr?.end(result.stderr);
    this.emit("exit", result.status, result.signal);
    const open = [this.stdout, this.stderr].filter((stream) => stream !== null);
    let left = open.length;
    const close = () => void (left-- <= 1 && this.emit("close", result.status, result.signal));
    if (left === 0) close();
    for (const stream of open) stream.on("close", close);
    // As in Node, output that nothing reads doesn't hold up the end.
    process.nextTick(() =>
      open.forEach((stream) => stream.listenerCount("data") + stream.listenerCount("readable") || stream.resume()),
    );
  }
  kill() {
    return false;
  }
  ref() {}
  unref() {}
}

function spawn(file: string, args?: unknown, given?: unknown) {
  const [list, options] = arranged(args, given);
  return new ChildProcess(file, list, options);
}

/** @param rest - arguments, options and the callback */
function execFile(file: string, ...rest: unknown[]) {
  const last = rest.at(-1);
  if (typeof last === "function") rest.pop();
  const done: Function = typeof last === "function" ? last : () => {};
  const [list, options] = arranged(rest[0], rest[1]);
  const child = spawn(file, list, options);
  const texts: Record<string, string> = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk: unknown) => (texts[name] += String(chunk)));
  const command = options.shell ? file : [file, ...list].join(" ");
  child.on("error", (error: unknown) => done(error, "", ""));
  child.on("close", (code: number | null, signal: string | null) => {
    const failed =
      code !== 0 &&
      Object.assign(new Error(`Command failed: ${command}\n${texts.stderr}`), {
        code,
        killed: false,
        signal,
        cmd: command,
      });
    done(failed || null, texts.stdout, texts.stderr);
  });
  return child;
}

const exec = (command: string, options?: Options | Callback, done?: Callback) =>
  typeof options === "function"
    ? execFile(command, [], { shell: true }, options)
    : execFile(command, [], { ...options, shell: true }, done ?? (() => {}));

const promised =
  (action: Function) =>
  (...args: unknown[]) =>
    new Promise((resolve, reject) => {
      action(...args, (error: unknown, stdout: string, stderr: string) =>
        error ? reject(Object.assign(Object(error), { stdout, stderr })) : resolve({ stdout, stderr }),
      );
    });
const custom = Symbol.for("nodejs.util.promisify.custom");
Object.assign(exec, { [custom]: promised(exec) });
Object.assign(execFile, { [custom]: promised(execFile) });

const fork = () => {
  throw Object.assign(new Error("node:child_process has no fork here: use spawn"), { code: "ERR_UNAVAILABLE" });
};

export const childProcess = { execSync, execFileSync, spawnSync, exec, execFile, spawn, fork, ChildProcess };
