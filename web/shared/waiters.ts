/** Waiting for an event: a document to load, a script to answer. */

export class Waiters {
  #waiting = new Set<() => void>();

  /**
   * @param most - ms
   * @param signal - rejects when it is aborted
   * @returns resolves when released, or after the time limit
   */
  wait(most: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => () => {
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
