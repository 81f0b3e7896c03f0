// The embedded shell, as Python loads it (py/gemini/shell/embedded.py).
import { isSomeChildLate } from "./children.js";
import { signalBuffer } from "../signals.js";
import { openSessions, openTasks, processes, register, signalProcess } from "./processes.js";
import { RegularFile } from "./open_files.js";
import { byNumber } from "./signals.js";
import { Session, running } from "./session.js";
import { SyntaxProblem } from "./syntax/problem.js";
import { ScriptReader } from "./syntax/reader.js";

export { processes };

/** @param {import("./session.js").SessionOptions} options */
export function openSession(options) {
  const session = new Session(options);
  register(session);
  return session;
}

/**
 * Whether Enter should run what is typed, or a quote, block or here-document in it is still open.
 * @param {string} script
 * @returns {boolean}
 */
export function isComplete(script) {
  if (CONTINUES.test(script)) return false;
  // Whether `extglob` is set makes no difference here.
  const reader = new ScriptReader(script);
  const dialect = { extglob: true, aliases: new Map() };
  try {
    while (reader.next(dialect));
    return !reader.opensHereDoc;
  } catch (error) {
    if (error instanceof SyntaxProblem) return !error.incomplete;
    throw error;
  }
}
// A line that is continued by a backslash.
const CONTINUES = /(?:^|[^\\])(?:\\\\)*\\$/;

/**
 * Send a signal to a process of any terminal.
 * @param {number} pid
 * @param {number} number of the signal, 0 to only look
 * @returns {boolean} whether there is such a process
 */
export function signal(pid, number) {
  const name = number === 0 ? "EXIT" : byNumber.get(number);
  return name !== undefined && signalProcess(null, pid, name);
}

/**
 * List the files that shells and Python have open. Python's programs share one process, so those have the number 0.
 * @returns {{ pid: number, descriptor: string, path: string }[]}
 */
export const openFiles = () => {
  const alive = openSessions();
  const shells = openTasks().flatMap(({ shell }) => shell ?? []);
  const known = new Set();
  const own = shells.flatMap(({ task: { pid }, cwd, descriptors }) => {
    const files = [...descriptors.table].flatMap(([number, file]) => {
      const stream = file instanceof RegularFile ? file.file : null;
      if (stream === null) return [];
      known.add(stream);
      return [{ pid, descriptor: `${number}${letterOf(stream.flags)}`, path: stream.path }];
    });
    return [{ pid, descriptor: "cwd", path: cwd }, ...files];
  });
  const streams = alive[0]?.options.FS.streams.filter((/** @type {any} */ stream) => stream?.path && !known.has(stream)) ?? [];
  return [...own, ...streams.map((/** @type {any} */ { fd, flags, path }) => ({ pid: 0, descriptor: `${fd}${letterOf(flags)}`, path }))];
};

/** The access of an open file (O_ACCMODE). @param {number} flags */
const letterOf = (flags) => "rwu"[flags & 3] ?? "u";

/**
 * Encrypt or decrypt with the browser's AES-CBC, padded by PKCS #7.
 * @param {{ data: Uint8Array<ArrayBuffer>, key: Uint8Array<ArrayBuffer>, iv: Uint8Array<ArrayBuffer>, decrypts: boolean }} request
 * @returns {Promise<Uint8Array | null>} null where the key doesn't fit
 */
export async function aesCbc({ data, key, iv, decrypts }) {
  try {
    const imported = await crypto.subtle.importKey("raw", key, "AES-CBC", false, ["encrypt", "decrypt"]);
    const work = decrypts ? crypto.subtle.decrypt : crypto.subtle.encrypt;
    return new Uint8Array(await work.call(crypto.subtle, { name: "AES-CBC", iv }, imported, data));
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

// CPython asks many times a second, so only sessions that run a command are looked at.
const someoneIsLate = () => {
  for (const session of running) if (session.shouldStop()) return true;
  return false;
};

/**
 * Where CPython finds SIGINT while some session's time is over, or a request of the page was cancelled.
 * @param {import("../interrupts.js").Interrupts | null} interrupts
 */
export const interruptBuffer = (interrupts) => signalBuffer(() => someoneIsLate() || isSomeChildLate() || Boolean(interrupts?.pending));
