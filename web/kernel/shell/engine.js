// The embedded shell, as Python loads it (py/gemini/terminals/shell.py).
import { parse, Session } from "./session.js";

/** @param {import("./session.js").SessionOptions} options */
export const openSession = (options) => new Session(options);

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

/** @type {Session | null} */
let interruptible = null;
let lastSignal = 0;
const SIGINT = 2;
// One signal raises KeyboardInterrupt once; code that goes on all the same is told again, not at every check.
const AGAIN_MS = 500;

/** Say whose Python code runs now, so that its interrupt and timeout reach it; null when none does. @param {Session | null} session */
export function setInterruptible(session) {
  interruptible = session;
}

/**
 * A stand-in for a signal buffer (Pyodide's setInterruptBuffer) that needs no second thread: CPython looks into it
 * many times a second while Python code runs, and finds SIGINT when the session's time is over.
 */
export const interruptBuffer = () => ({
  get 0() {
    if (!interruptible?.shouldStop() || performance.now() - lastSignal < AGAIN_MS) return 0;
    lastSignal = performance.now();
    return SIGINT;
  },
  set 0(_) {},
});
