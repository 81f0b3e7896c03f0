// Calls of the kernel, which has the files, the standard streams and the shell's programs (web/kernel/node/).
import { Waiting } from "../kernel/node/memory.js";
import { hold, run } from "./loop.js";

/** @import { Answer } from "../kernel/node/memory.js" */

// Errno values of Linux.
/** @type {Record<string, number>} */
const NUMBERS = {
  ...{ EPERM: 1, ENOENT: 2, ENOEXEC: 8, EBADF: 9, EACCES: 13, EBUSY: 16, EEXIST: 17, EXDEV: 18, ENOTDIR: 20, EISDIR: 21, EINVAL: 22 },
  ...{ ENOSPC: 28, ESPIPE: 29, EROFS: 30, EPIPE: 32, ENAMETOOLONG: 36, ENOTEMPTY: 39, ELOOP: 40, ETIMEDOUT: 110, EIO: 5 },
};

const send = globalThis.postMessage.bind(globalThis);
/** @type {Waiting} */
let waiting;
let count = 0;
/** @type {Map<number, (answer: Answer) => void>} */
const expected = new Map();

/** @param {SharedArrayBuffer} memory */
export const connect = (memory) => void (waiting = new Waiting(memory, send));

/** @param {number} later @param {Answer} answer */
export function receive(later, answer) {
  const done = expected.get(later);
  expected.delete(later);
  run(() => done?.(answer));
}

/** An error as node:fs throws it. @param {{ code: string, text: string }} problem @param {string} call @param {string[]} paths */
export function systemError({ code, text }, call, paths) {
  const [path, dest] = paths;
  const named = paths.map((each) => `'${each}'`).join(" -> ");
  const error = new Error(`${code}: ${text}, ${call}${named && ` ${named}`}`);
  const about = { errno: -(NUMBERS[code] ?? 5), code, syscall: call };
  return Object.assign(error, about, path === undefined ? {} : { path }, dest === undefined ? {} : { dest });
}

/** Call and wait. @param {string} call @param {any[]} args @returns {Answer} */
export const ask = (call, ...args) => waiting.ask({ call, args });

/** Call, and go on meanwhile. @param {string} call @param {any[]} args @returns {Promise<Answer>} */
export function askLater(call, ...args) {
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

/** End the program. @param {number} code @returns {never} */
export function exit(code) {
  send({ exit: code });
  return waiting.end();
}
