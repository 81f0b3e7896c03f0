// Interrupts in memory that the frame shares with the kernel's worker, because a busy worker receives no messages.

// With more stops than this at a time, the oldest is overwritten; its message still arrives.
const PLACES = 64;
// The number of stops that the kernel has not received as messages.
const PENDING = 0;
// 1 if code ran meanwhile that no stop is for.
const ELSEWHERE = 1;
// ASKED or FELT, see below.
const PULSE = 2;
// 1 while a synchronous request waits for the user.
const HELD = 3;
const TERMINALS = 4;
const REQUESTS = TERMINALS + PLACES;
// The stops' ids, at the same remainders as the terminals.
const STOPS = REQUESTS + PLACES;
// The frame asks whether code runs; running code answers FELT.
const ASKED = 1;
const FELT = 2;

/** Create the shared memory: the fields above, then terminal numbers, then request numbers, each at its remainder. */
export const createMemory = () =>
  new Int32Array(new SharedArrayBuffer((STOPS + PLACES) * Int32Array.BYTES_PER_ELEMENT));

export class Interrupts {
  /** @param {Int32Array} memory from `createMemory`, on either side */
  constructor(memory) {
    this.memory = memory;
    /** The kernel's last stops whose messages arrived, or that have already ended something (true). @type {Map<number, boolean>} */
    this.over = new Map();
  }

  /**
   * Interrupt a terminal's command. A message with the same id follows what was typed before: the interrupt is for what
   * runs when it arrives, or starts before.
   * @param {number} number of the terminal @param {number} stop its id @returns {() => void} withdraws the interrupt
   */
  interruptTerminal(number, stop) {
    const place = number % PLACES;
    Atomics.store(this.memory, STOPS + place, stop);
    const withdraw = this.set(TERMINALS + place, number);
    return () => {
      if (Atomics.load(this.memory, STOPS + place) === stop) withdraw();
      else Atomics.sub(this.memory, PENDING, 1);
    };
  }

  /** Cancel a request whose answer is no longer needed. @param {number} request @returns {() => void} withdraws it */
  cancelRequest(request) {
    return this.set(REQUESTS + (request % PLACES), request);
  }

  /** @param {number} place @param {number} number */
  set(place, number) {
    Atomics.store(this.memory, ELSEWHERE, 0);
    Atomics.store(this.memory, place, number);
    Atomics.add(this.memory, PENDING, 1);
    return () => {
      Atomics.compareExchange(this.memory, place, number, 0);
      Atomics.sub(this.memory, PENDING, 1);
    };
  }

  /** @param {number} number */
  isTerminalInterrupted(number) {
    const place = number % PLACES;
    if (Atomics.load(this.memory, TERMINALS + place) !== number) return false;
    return !this.over.has(Atomics.load(this.memory, STOPS + place));
  }

  /** End a terminal's interrupt, because it has stopped a command. @param {number} number */
  endInterrupt(number) {
    if (this.isTerminalInterrupted(number)) this.#settle(Atomics.load(this.memory, STOPS + (number % PLACES)), true);
  }

  /**
   * Record that a stop's message has arrived. It may arrive before the stop itself.
   * @param {number} stop @returns {boolean} true if the stop has already ended something
   */
  receive(stop) {
    const ended = this.over.get(stop) ?? false;
    this.#settle(stop, ended);
    return ended;
  }

  /** @param {number} stop @param {boolean} ended */
  #settle(stop, ended) {
    this.over.set(stop, ended);
    if (this.over.size > PLACES) this.over.delete([...this.over.keys()][0]);
  }

  /** @param {number} request */
  isRequestCancelled(request) {
    if (request === 0) return false;
    return Atomics.load(this.memory, REQUESTS + (request % PLACES)) === request;
  }

  /** True if the page waits for something to stop. */
  get hasStops() {
    return Atomics.load(this.memory, PENDING) > 0;
  }

  get pending() {
    return this.hasStops || Atomics.load(this.memory, PULSE) === ASKED;
  }

  /** Record that the running code is not the code to stop. */
  noteElsewhere() {
    Atomics.store(this.memory, ELSEWHERE, 1);
    Atomics.compareExchange(this.memory, PULSE, ASKED, FELT);
  }

  /** Return whether code has run, or waits for the user, since the last call, and start the next measurement. */
  checkPulse() {
    const felt = Atomics.exchange(this.memory, PULSE, ASKED) === FELT;
    return felt || Atomics.load(this.memory, HELD) === 1;
  }

  /** Record that a synchronous request waits for the user, who may take any time. @returns {() => void} ends the wait */
  hold() {
    Atomics.store(this.memory, HELD, 1);
    return () => Atomics.store(this.memory, HELD, 0);
  }

  /** Return whether `noteElsewhere` was called since the last call. */
  takeElsewhere() {
    return Atomics.exchange(this.memory, ELSEWHERE, 0) === 1;
  }
}
