// Keeps a thread awake for a moment after it has sent or got a message.
//
// Agents call one tool after the other. A thread that falls asleep while the other one works, or between two calls, is
// woken late, by a processor whose caches forgot it: that costs a short call more than its own work does. Where other
// programs wait for the processors, though, a thread that stays awake is made to wait itself, and for much longer
// (docs/performance.md).

// Longer than a short call takes, and than a page takes from an answer to the next call; short enough for a battery.
const AWAKE_MS = 5;
// A turn; a message that comes meanwhile waits for its end.
const TURN_MS = 0.02;
// One that took so long had its processor taken away, by somebody who may want it again.
const TAKEN_MS = 1;
const LEFT_ALONE_MS = 200;

export class Wakefulness {
  #until = 0;
  #notBefore = 0;
  #turning = false;
  /** What takes its turn after waiting messages; not every browser has it. @type {{ postTask: (task: () => void) => unknown } | undefined} */
  #scheduler = /** @type {any} */ (globalThis).scheduler;

  /** There was a message, and another one will follow soon. */
  touch() {
    const now = performance.now();
    if (now < this.#notBefore) return;
    this.#until = now + AWAKE_MS;
    if (this.#turning || !this.#scheduler) return;
    this.#turning = true;
    this.#scheduler.postTask(() => this.#turn());
  }

  /** There was what it waited for. */
  rest() {
    this.#until = 0;
  }

  #turn() {
    const began = performance.now();
    let now = began;
    while (now < began + TURN_MS) now = performance.now();
    if (now > began + TAKEN_MS) {
      this.#notBefore = now + LEFT_ALONE_MS;
      this.#until = 0;
    }
    if (now < this.#until) this.#scheduler?.postTask(() => this.#turn());
    else this.#turning = false;
  }
}
