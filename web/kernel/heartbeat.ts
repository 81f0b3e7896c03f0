// Detects that the kernel doesn't answer, because its code never pauses or because it is stuck.

import type { Interrupts } from "./interrupts.ts";

// The interval between beats, and the time within which the kernel should answer one.
const BEAT_MS = 5_000;
// A kernel that neither answers nor runs Python for this many beats is stuck. A long calculation in C looks the same.
const STUCK_BEATS = 3;

// A load of the surface's own takes no longer. After that, the user may end it.
const LONGEST_LOAD_MS = 60_000;

interface Options {
  /** asks the kernel to answer as soon as it can */
  ask: () => void;
  /** null if there is no shared memory; then a stuck kernel looks busy */
  interrupts: Interrupts | null;
  /** called when the kernel stops answering (true) or answers again (false) */
  onSilent: (silent: boolean) => void;
  /** called when the kernel neither answers nor runs Python */
  onStuck: () => void;
}

/** A watchdog for a kernel that is ready, until `end`. */
export class Heartbeat {
  #silent = false;
  #stillBeats = 0;
  #loads = 0;
  #loadsUntil = 0;
  options: Options;
  timer?: NodeJS.Timeout;

  constructor(options: Options) {
    this.options = options;
    this.#beat();
  }

  /** Record that the kernel has answered. */
  answered() {
    clearTimeout(this.timer);
    this.#report(false);
    this.timer = setTimeout(() => this.#beat(), BEAT_MS);
  }

  /**
   * Record that code of the surface's own begins to load or has loaded. The kernel isn't called silent meanwhile.
   * @param change - of the number of loads
   */
  loads(change: number) {
    if (this.#loads === 0 && change > 0) this.#loadsUntil = performance.now() + LONGEST_LOAD_MS;
    this.#loads = Math.max(0, this.#loads + Math.sign(change));
  }

  end() {
    clearTimeout(this.timer);
    this.#report(false);
  }

  #beat() {
    this.#stillBeats = 0;
    this.options.ask();
    this.timer = setTimeout(() => this.#check(), BEAT_MS);
  }

  #check() {
    const runs = this.options.interrupts?.checkPulse() ?? true;
    this.#stillBeats = runs ? 0 : this.#stillBeats + 1;
    this.#report(this.#loads === 0 || performance.now() > this.#loadsUntil);
    // The first check only starts the measurement.
    if (this.#stillBeats > STUCK_BEATS) this.options.onStuck();
    else this.timer = setTimeout(() => this.#check(), BEAT_MS);
  }

  #report(silent: boolean) {
    if (silent !== this.#silent) this.options.onSilent(silent);
    this.#silent = silent;
  }
}
