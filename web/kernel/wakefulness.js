// Keeps a thread awake for a moment after it has sent or received a message.
//
// Agents call one tool after another. A thread that sleeps between two messages wakes up late and with cold caches,
// which takes longer than a short call itself (docs/performance.md).

// Longer than a short call and than the pause between two calls; short enough to spare a battery.
const AWAKE_MS = 5;

export class Wakefulness {
  #until = 0;
  #spinning = false;
  /** Runs tasks after pending messages; some browsers lack it. @type {{ postTask: (task: () => void) => unknown } | undefined} */
  #scheduler = /** @type {any} */ (globalThis).scheduler;

  /** Stay awake for a moment, because another message will follow soon. */
  touch() {
    this.#until = performance.now() + AWAKE_MS;
    if (this.#spinning || !this.#scheduler) return;
    this.#spinning = true;
    this.#scheduler.postTask(() => this.#spin());
  }

  /** Stop waiting, because the expected message has arrived. */
  rest() {
    this.#until = 0;
  }

  #spin() {
    if (performance.now() < this.#until) this.#scheduler?.postTask(() => this.#spin());
    else this.#spinning = false;
  }
}
