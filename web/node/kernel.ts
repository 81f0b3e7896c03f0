// Calls of the kernel, which has the files, the standard streams and the shell's programs (web/kernel/node/).
import { Waiting, type Answer } from "../kernel/node/memory.ts";
import { hold, run } from "./loop.ts";

// Errno values of Linux.
const NUMBERS: Record<string, number> = {
  EPERM: 1,
  ENOENT: 2,
  ENOEXEC: 8,
  EBADF: 9,
  EACCES: 13,
  EBUSY: 16,
  EEXIST: 17,
  EXDEV: 18,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  ENOSPC: 28,
  ESPIPE: 29,
  EROFS: 30,
  EPIPE: 32,
  ENAMETOOLONG: 36,
  ENOTEMPTY: 39,
  ELOOP: 40,
  ETIMEDOUT: 110,
  EIO: 5,
};

const send = globalThis.postMessage.bind(globalThis);
let waiting: Waiting;
let count = 0;
const expected = new Map<number, (answer: Answer) => void>();

export const connect = (memory: SharedArrayBuffer) => void (waiting = new Waiting(memory, send));

export function receive(later: number, answer: Answer) {
  const done = expected.get(later);
  expected.delete(later);
  run(() => done?.(answer));
}

/** An error as node:fs throws it. */
export function systemError({ code, text }: { code: string; text: string }, call: string, paths: string[]) {
  const [path, dest] = paths;
  const named = paths.map((each) => `'${each}'`).join(" -> ");
  const error = new Error(`${code}: ${text}, ${call}${named && ` ${named}`}`);
  const about = { errno: -(NUMBERS[code] ?? 5), code, syscall: call };
  return Object.assign(error, about, path === undefined ? {} : { path }, dest === undefined ? {} : { dest });
}

/** Call and wait. */
export const ask = (call: string, ...args: unknown[]): Answer => waiting.ask({ call, args });

/** Call, and continue meanwhile. */
export function askLater(call: string, ...args: unknown[]): Promise<Answer> {
  const later = ++count;
  const release = hold();
  return new Promise((resolve) => {
    expected.set(later, (answer) => {
      release();
      resolve(answer);
    });
    send({ call, args, later });
  });
}

/** End the program. */
export function exit(code: number): never {
  send({ exit: code });
  return waiting.end();
}
