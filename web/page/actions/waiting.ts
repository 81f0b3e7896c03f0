// Waits for frames or for some time, until a signal aborts.

// The originals, so that the script's own timers aren't tracked as the page's (pending.js).
const { setTimeout, clearTimeout } = globalThis;

// A document that isn't drawn has no frames, so waiting ends after this time.
const LONGEST_FRAME_MS = 100;
// Frames of a busy machine take no longer.
export const SLOWEST_FRAME_MS = 1000;

/**
 * Wait for the next frame.
 * @param {AbortSignal} [signal]
 * @param {number} [longest] in milliseconds
 * @returns {Promise<boolean>} whether one came in time; rejected with the signal's reason
 */
export function frame(signal, longest = LONGEST_FRAME_MS) {
  return waiting(signal, (done) => {
    const id = requestAnimationFrame(() => done(true));
    const timer = setTimeout(() => done(false), longest);
    return () => {
      cancelAnimationFrame(id);
      clearTimeout(timer);
    };
  });
}

/**
 * Wait for some milliseconds.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>} rejected with the signal's reason
 */
export function pause(ms, signal) {
  return waiting(signal, (done) => {
    const timer = setTimeout(() => done(undefined), ms);
    return () => clearTimeout(timer);
  });
}

/**
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {(done: (value: T) => void) => () => void} start returns a function that stops waiting
 * @returns {Promise<T>}
 */
function waiting(signal, start) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      stop();
      reject(signal?.reason);
    };
    const stop = start((value) => {
      stop();
      signal?.removeEventListener("abort", abort);
      resolve(value);
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}
