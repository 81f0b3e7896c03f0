// Detects that the process of the kernel's frame has ended. Browsers close no port of a process that crashed.

const PING_MS = 5_000;
// The frame runs no long code: it answers at once, unless its process is gone or flooded by its worker.
const MOST_UNANSWERED = 3;

/** Pings until `end`. It counts pings, not time, so that a page that slept loses nothing. */
export class Pulse {
  #unanswered = 0;
  timer: NodeJS.Timeout;

  /** @param onGone - called once if nothing answers */
  constructor(ping: () => void, onGone: () => void) {
    this.timer = setInterval(() => {
      if (this.#unanswered === MOST_UNANSWERED) {
        this.end();
        return onGone();
      }
      this.#unanswered += 1;
      ping();
    }, PING_MS);
  }

  /** Record that the frame has sent something. */
  answered() {
    this.#unanswered = 0;
  }

  end() {
    clearInterval(this.timer);
  }
}
