// The embedded shell, as Python loads it (py/gemini/computer/shell/embedded.py).
import { renewChangeTimes } from "../change_times.ts";
import type { FSStream } from "../emscripten.ts";
import type { Interrupts } from "../interrupts.ts";
import { isSomeAlarmDue } from "./execution/alarms.ts";
import { signalBuffer } from "../signals.ts";
import { openSessions, openTasks, processes, register, signalProcess } from "./processes.ts";
import { RegularFile } from "./execution/open_files.ts";
import { byNumber } from "./execution/signals.ts";
import { Session, running, type SessionOptions } from "./session.ts";
import { SyntaxProblem } from "./language/syntax/problem.ts";
import { ScriptReader } from "./language/syntax/reader.ts";

export { processes };

export function openSession(options: SessionOptions) {
  renewChangeTimes(options.FS);
  const session = new Session(options);
  register(session);
  return session;
}

/** Return whether Enter should run the typed text, or a quote, block or here-document in it is still open. */
export function isComplete(script: string): boolean {
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
 * @param number - of the signal, 0 to only look
 * @returns whether there is such a process
 */
export function signal(pid: number, number: number): boolean {
  const name = number === 0 ? "EXIT" : byNumber.get(number);
  return name !== undefined && signalProcess(null, pid, name);
}

/** List the files that shells and Python have open. Python's programs share one process, so those have the number 0. */
export const openFiles = (): { pid: number; descriptor: string; path: string }[] => {
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
  const streams =
    alive[0]?.options.FS.streams.filter((stream): stream is FSStream => Boolean(stream?.path) && !known.has(stream)) ??
    [];
  return [...own, ...streams.map(({ fd, flags, path }) => ({ pid: 0, descriptor: `${fd}${letterOf(flags)}`, path }))];
};

/** The access of an open file (O_ACCMODE). */
const letterOf = (flags: number) => "rwu"[flags & 3] ?? "u";

/**
 * Encrypt or decrypt with the browser's AES-CBC, padded by PKCS #7.
 * @returns null where the key doesn't fit
 */
export async function aesCbc({
  data,
  key,
  iv,
  decrypts,
}: {
  data: Uint8Array<ArrayBuffer>;
  key: Uint8Array<ArrayBuffer>;
  iv: Uint8Array<ArrayBuffer>;
  decrypts: boolean;
}): Promise<Uint8Array | null> {
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

/** Return the buffer in which CPython finds SIGINT while some session's time is over, or a request of the page was cancelled. */
export const interruptBuffer = (interrupts: Interrupts | null) =>
  signalBuffer(() => someoneIsLate() || isSomeAlarmDue() || Boolean(interrupts?.pending));
