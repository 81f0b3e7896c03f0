/** Waiting for an event: a document to load, a script to answer. */

export class Waiters {
  /** @type {Set<() => void>} */
  #waiting = new Set();

  /**
   * @param {number} most ms
   * @param {AbortSignal} [signal] rejects when it is aborted
   * @returns {Promise<void>} resolves when released, or after the time limit
   */
  wait(most, signal) {
    return new Promise((resolve, reject) => {
      const settle = (/** @type {() => void} */ act) => () => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        signal?.removeEventListener("abort", abort);
        act();
      };
      const go = settle(resolve);
      const abort = settle(() => reject(signal?.reason));
      const timer = setTimeout(go, most);
      this.#waiting.add(go);
      signal?.addEventListener("abort", abort);
    });
  }

  /** Resolve all waits. */
  release() {
    for (const go of this.#waiting) go();
  }
}
