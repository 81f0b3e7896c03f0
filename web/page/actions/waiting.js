// Time in a page: frames and pauses that a signal ends.

// Before others are noted as the page's: those of an action are none of its answer.
const { setTimeout, clearTimeout } = globalThis;

// A document that isn't drawn has no frames.
const LONGEST_FRAME_MS = 100;

/**
 * Wait for the next frame.
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>} rejected with the signal's reason
 */
export function frame(signal) {
  return waiting(signal, (done) => {
    const id = requestAnimationFrame(done);
    const timer = setTimeout(done, LONGEST_FRAME_MS);
    return () => {
      cancelAnimationFrame(id);
      clearTimeout(timer);
    };
  });
}

/**
 * Wait some milliseconds.
 * @param {number} ms
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>} rejected with the signal's reason
 */
export function pause(ms, signal) {
  return waiting(signal, (done) => {
    const timer = setTimeout(done, ms);
    return () => clearTimeout(timer);
  });
}

/**
 * @param {AbortSignal | undefined} signal
 * @param {(done: () => void) => () => void} start gives what stops it
 * @returns {Promise<void>}
 */
function waiting(signal, start) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const refuse = () => {
      stop();
      reject(signal?.reason);
    };
    const stop = start(() => {
      stop();
      signal?.removeEventListener("abort", refuse);
      resolve();
    });
    signal?.addEventListener("abort", refuse, { once: true });
  });
}
