// The embedded shell, as Python loads it (py/gemini/terminals/shell.py).
import { parse, Session } from "./session.js";

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
let lastSignal = 0;
const SIGINT = 2;
// A signal that falls between two pieces of program code is lost, so it is repeated.
const AGAIN_MS = 40;

const someoneIsLate = () => {
  for (const reference of sessions) {
    const session = reference.deref();
    if (!session) sessions.delete(reference);
    else if (session.isRunning && session.shouldStop()) return true;
  }
  return false;
};

/**
 * A stand-in for a signal buffer (Pyodide's setInterruptBuffer) that needs no second thread: CPython looks into it
 * many times a second while Python code runs, and finds SIGINT when some session's time is over. Python's handler
 * asks whose (`shouldStop`), and interrupts that program only.
 */
export const interruptBuffer = () => ({
  get 0() {
    if (!someoneIsLate() || performance.now() - lastSignal < AGAIN_MS) return 0;
    lastSignal = performance.now();
    return SIGINT;
  },
  set 0(_) {},
});
