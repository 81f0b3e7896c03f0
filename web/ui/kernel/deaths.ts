/** Counts deaths of the kernel in a row, so that one that dies at once isn't started again and again. */

// A kernel that lived longer, or that was used, didn't die at once. It takes 20 s to notice that a process has ended.
const SHORT_MS = 60_000;
const MOST = 5;

export class Deaths {
  #row = 0;
  #started = 0;
  /** True if a tool was called or code was run since the start. */
  used = false;

  /** Record a start. */
  start() {
    this.#started = performance.now();
    this.used = false;
  }

  /** Record that the kernel answers: how long it lives doesn't depend on how long a slow machine took to start it. */
  ready() {
    this.#started = performance.now();
  }

  /**
   * Record a death.
   * @returns whether the kernel should start again
   */
  isWorthAStart(): boolean {
    const short = !this.used && performance.now() - this.#started < SHORT_MS;
    this.#row = short ? this.#row + 1 : 0;
    return this.#row < MOST;
  }

  /** Count from zero: the user starts it. */
  forget() {
    this.#row = 0;
  }
}

/**
 * Say that the kernel has ended.
 * @param words - its last words, unchecked
 */
export const endOf = (words: string) => `The Python kernel ended while the call ran${words ? `: ${words}` : "."}`;
