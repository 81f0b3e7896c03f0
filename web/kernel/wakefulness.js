// Keeps a thread awake for a moment after it has sent or got a message.
//
// Agents call one tool after the other. A thread that falls asleep while the other one works, or between two calls, is
// woken late, by a processor whose caches forgot it: that costs a short call more than its own work does
// (docs/performance.md).

// Longer than a short call takes, and than a page takes from an answer to the next call; short enough for a battery.
const AWAKE_MS = 5;

export class Wakefulness {
  #until = 0;
  #turning = false;
  /** What takes its turn after waiting messages; not every browser has it. @type {{ postTask: (task: () => void) => unknown } | undefined} */
  #scheduler = /** @type {any} */ (globalThis).scheduler;

  /** There was a message, and another one will follow soon. */
  touch() {
    this.#until = performance.now() + AWAKE_MS;
    if (this.#turning || !this.#scheduler) return;
    this.#turning = true;
    this.#scheduler.postTask(() => this.#turn());
  }

  /** There was what it waited for. */
  rest() {
    this.#until = 0;
  }

  #turn() {
    if (performance.now() < this.#until) this.#scheduler?.postTask(() => this.#turn());
    else this.#turning = false;
  }
}
