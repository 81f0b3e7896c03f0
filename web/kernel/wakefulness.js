// Keeps a thread awake for a moment after it has sent or got a message.
//
// Agents call one tool after the other. A thread that falls asleep while the other one works, or between two calls, is
// woken late, by a processor whose caches forgot it: that costs a short call more than its own work does. Where other
// programs wait for the processors, though, a thread that stays awake is made to wait itself, and for much longer
// (docs/performance.md).

// Longer than a short call takes, and than a page takes from an answer to the next call; short enough for a battery.
const AWAKE_MS = 5;
// A turn takes some microseconds. After this long, somebody else had the processor, and may want it again.
const WAITED_MS = 1;
const LEFT_ALONE_MS = 200;

export class Wakefulness {
  #until = 0;
  #notBefore = 0;
  #turning = false;
  #turned = 0;
  /** What takes its turn after waiting messages; not every browser has it. @type {{ postTask: (task: () => void) => unknown } | undefined} */
  #scheduler = /** @type {any} */ (globalThis).scheduler;

  /** There was a message, and another one will follow soon. */
  touch() {
    const now = performance.now();
    this.#turned = now;
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
    const now = performance.now();
    if (now - this.#turned > WAITED_MS) {
      this.#notBefore = now + LEFT_ALONE_MS;
      this.#until = 0;
    }
    this.#turned = now;
    if (now < this.#until) this.#scheduler?.postTask(() => this.#turn());
    else this.#turning = false;
  }
}
