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
  memory: Int32Array;
  /** The kernel's last stops whose messages arrived, or that have already ended something (true). */
  over = new Map<number, boolean>();
  /** The time, as of performance.now, at which running code is interrupted. */
  alarm = Infinity;

  /** @param memory - from `createMemory`, on either side */
  constructor(memory: Int32Array) {
    this.memory = memory;
  }

  /**
   * Interrupt a terminal's command. A message with the same id follows what was typed before: the interrupt is for what
   * runs when it arrives, or starts before.
   * @param number - of the terminal
   * @param stop - its id
   * @returns withdraws the interrupt
   */
  interruptTerminal(number: number, stop: number): () => void {
    const place = number % PLACES;
    Atomics.store(this.memory, STOPS + place, stop);
    const withdraw = this.set(TERMINALS + place, number);
    return () => {
      if (Atomics.load(this.memory, STOPS + place) === stop) withdraw();
      else Atomics.sub(this.memory, PENDING, 1);
    };
  }

  /**
   * Cancel a request whose answer is no longer needed.
   * @returns withdraws it
   */
  cancelRequest(request: number): () => void {
    return this.set(REQUESTS + (request % PLACES), request);
  }

  set(place: number, number: number) {
    Atomics.store(this.memory, ELSEWHERE, 0);
    Atomics.store(this.memory, place, number);
    Atomics.add(this.memory, PENDING, 1);
    return () => {
      Atomics.compareExchange(this.memory, place, number, 0);
      Atomics.sub(this.memory, PENDING, 1);
    };
  }

  isTerminalInterrupted(number: number) {
    const place = number % PLACES;
    if (Atomics.load(this.memory, TERMINALS + place) !== number) return false;
    return !this.over.has(Atomics.load(this.memory, STOPS + place));
  }

  /** End a terminal's interrupt, because it has stopped a command. */
  endInterrupt(number: number) {
    if (this.isTerminalInterrupted(number)) this.#settle(Atomics.load(this.memory, STOPS + (number % PLACES)), true);
  }

  /**
   * Record that a stop's message has arrived. It may arrive before the stop itself.
   * @returns true if the stop has already ended something
   */
  receive(stop: number): boolean {
    const ended = this.over.get(stop) ?? false;
    this.#settle(stop, ended);
    return ended;
  }

  #settle(stop: number, ended: boolean) {
    this.over.set(stop, ended);
    if (this.over.size > PLACES) this.over.delete([...this.over.keys()][0]);
  }

  isRequestCancelled(request: number) {
    if (request === 0) return false;
    return Atomics.load(this.memory, REQUESTS + (request % PLACES)) === request;
  }

  /** True if the page waits for something to stop. */
  get hasStops() {
    return Atomics.load(this.memory, PENDING) > 0;
  }

  /** Interrupt running code after a time, in ms; it is infinite without such code. */
  setAlarm(afterMs: number) {
    this.alarm = performance.now() + afterMs;
  }

  get pending() {
    return this.hasStops || Atomics.load(this.memory, PULSE) === ASKED || performance.now() >= this.alarm;
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

  /**
   * Record that a synchronous request waits for the user, who may take any time.
   * @returns ends the wait
   */
  hold(): () => void {
    Atomics.store(this.memory, HELD, 1);
    return () => Atomics.store(this.memory, HELD, 0);
  }

  /** Return whether `noteElsewhere` was called since the last call. */
  takeElsewhere() {
    return Atomics.exchange(this.memory, ELSEWHERE, 0) === 1;
  }
}
