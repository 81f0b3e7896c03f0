// SIGINT for Python code that never pauses.

const SIGINT = 2;
// A signal that falls between two pieces of program code is lost, so it is repeated.
const AGAIN_MS = 40;

/**
 * A stand-in for a signal buffer (Pyodide's setInterruptBuffer) that needs no second thread: CPython looks into it
 * many times a second while Python code runs, and finds SIGINT while `isWanted`. Python's handler asks for whom
 * (py/gemini/core/interrupts.py), and interrupts that code only.
 * @param {() => boolean} isWanted
 */
export function signalBuffer(isWanted) {
  let last = 0;
  return {
    get 0() {
      if (!isWanted() || performance.now() - last < AGAIN_MS) return 0;
      last = performance.now();
      return SIGINT;
    },
    set 0(_) {},
  };
}
