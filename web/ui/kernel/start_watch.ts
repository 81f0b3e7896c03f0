/** Notices a start of Python in which nothing happens, so that the user does not wait forever. */

const QUIET_MS = 20_000;

export class StartWatch {
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  #onQuiet: (quiet: boolean) => void;

  /** @param onQuiet - called with true after a time without a step, and with false at the next step or the end */
  constructor(onQuiet: (quiet: boolean) => void) {
    this.#onQuiet = onQuiet;
  }

  /** Begin to wait for the next step. */
  step() {
    this.end();
    this.#timer = setTimeout(() => this.#onQuiet(true), QUIET_MS);
  }

  /** End the watch: Python answers, or won't. */
  end() {
    clearTimeout(this.#timer);
    this.#onQuiet(false);
  }
}
