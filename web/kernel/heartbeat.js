// Notices that the kernel does not answer: it is busy with code that never pauses, or stuck for good.

// How often it is asked, and how long it may take to answer before that is worth a word.
const BEAT_MS = 5_000;
// How many beats long it may neither answer nor run Python. A long calculation in C looks like that, too.
const STUCK_BEATS = 3;

/**
 * @typedef {object} Options
 * @property {() => void} ask has the kernel answer as soon as it can
 * @property {import("./interrupts.js").Interrupts | null} interrupts without, stuck and busy can't be told apart
 * @property {(silent: boolean) => void} onSilent it doesn't answer, or does again
 * @property {() => void} onStuck it does nothing at all any more
 */

/** Watches a kernel that is ready, until `end`. */
export class Heartbeat {
  #silent = false;
  #still = 0;

  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.#beat();
  }

  /** The kernel has answered. */
  answered() {
    clearTimeout(this.timer);
    this.#tell(false);
    this.timer = setTimeout(() => this.#beat(), BEAT_MS);
  }

  end() {
    clearTimeout(this.timer);
    this.#tell(false);
  }

  #beat() {
    this.#still = 0;
    this.options.ask();
    this.timer = setTimeout(() => this.#look(), BEAT_MS);
  }

  #look() {
    const runs = this.options.interrupts?.feelPulse() ?? true;
    this.#still = runs ? 0 : this.#still + 1;
    this.#tell(true);
    // The first look only began to feel.
    if (this.#still > STUCK_BEATS) this.options.onStuck();
    else this.timer = setTimeout(() => this.#look(), BEAT_MS);
  }

  /** @param {boolean} silent */
  #tell(silent) {
    if (silent !== this.#silent) this.options.onSilent(silent);
    this.#silent = silent;
  }
}
