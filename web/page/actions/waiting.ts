// Waits for frames or for some time, until a signal aborts.

// The originals, so that the script's own timers aren't tracked as the page's (pending.ts).
const { setTimeout, clearTimeout } = globalThis;

// A document that isn't drawn has no frames, so waiting ends after this time.
const LONGEST_FRAME_MS = 100;
// Frames of a busy machine take no longer.
export const SLOWEST_FRAME_MS = 1000;

/**
 * Wait for the next frame.
 * @param longest - in milliseconds
 * @returns whether one came in time; rejected with the signal's reason
 */
export function frame(signal?: AbortSignal, longest: number = LONGEST_FRAME_MS): Promise<boolean> {
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
 * @returns rejected with the signal's reason
 */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return waiting(signal, (done) => {
    const timer = setTimeout(() => done(undefined), ms);
    return () => clearTimeout(timer);
  });
}

/** @param start - returns a function that stops waiting */
function waiting<T>(signal: AbortSignal | undefined, start: (done: (value: T) => void) => () => void): Promise<T> {
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
