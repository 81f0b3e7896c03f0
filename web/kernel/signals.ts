// Sends SIGINT to Python code that never pauses.

const SIGINT = 2;
// A signal that arrives between two pieces of program code is lost, so it is repeated.
const REPEAT_MS = 40;

/**
 * Create a replacement for a signal buffer (Pyodide's setInterruptBuffer) that needs no second thread. CPython reads it
 * many times a second while Python code runs, and finds SIGINT while `isWanted` returns true. Python's handler
 * (py/gemini/core/interrupts.py) finds out which code the signal is for, and interrupts only that.
 */
export function signalBuffer(isWanted: () => boolean) {
  let last = 0;
  return {
    get 0() {
      if (!isWanted() || performance.now() - last < REPEAT_MS) return 0;
      last = performance.now();
      return SIGINT;
    },
    set 0(_) {},
  };
}
