// The embedded shell, as Python loads it (py/gemini/shell/embedded.py).
import { signalBuffer } from "../signals.js";
import { parse } from "./parsing.js";
import { Session } from "./session.js";

/** @param {import("./session.js").SessionOptions} options */
export function openSession(options) {
  const session = new Session(options);
  sessions.add(new WeakRef(session));
  return session;
}

/**
 * Whether Enter should run what is typed, or a quote, block or here-document in it is still open.
 * @param {string} script
 * @returns {boolean}
 */
export function isComplete(script) {
  if (CONTINUES.test(script)) return false;
  try {
    parse(script);
    return true;
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    // An `if` without its end is reported as an unexpected `fi` that nobody wrote.
    return !/got EOF|unexpected EOF|here-document/i.test(message) && !(/`fi'/.test(message) && !/\bfi\s*$/.test(script));
  }
}
const CONTINUES = /(\||&&)\s*$|(^|[^\\])(\\\\)*\\$/;

/** @type {Set<WeakRef<Session>>} */
const sessions = new Set();

const someoneIsLate = () => {
  for (const reference of sessions) {
    const session = reference.deref();
    if (!session) sessions.delete(reference);
    else if (session.isRunning && session.shouldStop()) return true;
  }
  return false;
};

/**
 * Where CPython finds SIGINT while some session's time is over, or a request of the page was cancelled.
 * @param {import("../interrupts.js").Interrupts | null} interrupts
 */
export const interruptBuffer = (interrupts) => signalBuffer(() => someoneIsLate() || Boolean(interrupts?.pending));
