// What the page wants stopped, in memory that it shares with the kernel's worker: a busy worker takes no messages.

// More stops than that at one moment, and the oldest is forgotten; its message still comes.
const PLACES = 64;
// How many stops the kernel has not heard of by message, whether code ran meanwhile that none of them is for, and whether
// somebody wants to know that code runs at all.
const PENDING = 0;
const ELSEWHERE = 1;
const PULSE = 2;
// Whether the kernel waits for a person, in a request that holds it up.
const HELD = 3;
const TERMINALS = 4;
const REQUESTS = TERMINALS + PLACES;
// A pulse.
const ASKED = 1;
const FELT = 2;

/** The numbers of terminals, then of requests, each where its remainder says. */
export const createMemory = () =>
  new Int32Array(new SharedArrayBuffer((REQUESTS + PLACES) * Int32Array.BYTES_PER_ELEMENT));

export class Interrupts {
  /** @param {Int32Array} memory what `createMemory` made, on either side */
  constructor(memory) {
    this.memory = memory;
  }

  /** @param {number} number of a terminal whose command is to stop; @returns {() => void} what withdraws that */
  interruptTerminal(number) {
    return this.ask(TERMINALS + (number % PLACES), number);
  }

  /** @param {number} request whose answer nobody waits for any more; @returns {() => void} what withdraws that */
  cancelRequest(request) {
    return this.ask(REQUESTS + (request % PLACES), request);
  }

  /** @param {number} place @param {number} number */
  ask(place, number) {
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
    return Atomics.load(this.memory, TERMINALS + (number % PLACES)) === number;
  }

  /** An interrupt counts for the command that it found, not for the next one. @param {number} number */
  forgetTerminal(number) {
    Atomics.compareExchange(this.memory, TERMINALS + (number % PLACES), number, 0);
  }

  /** @param {number} request */
  isRequestCancelled(request) {
    if (request === 0) return false;
    return Atomics.load(this.memory, REQUESTS + (request % PLACES)) === request;
  }

  get pending() {
    return Atomics.load(this.memory, PENDING) > 0 || Atomics.load(this.memory, PULSE) === ASKED;
  }

  /** Say that what keeps the kernel busy is not what is to stop. */
  noteElsewhere() {
    Atomics.store(this.memory, ELSEWHERE, 1);
    Atomics.compareExchange(this.memory, PULSE, ASKED, FELT);
  }

  /** Whether code has run, or rightly waits, since this was last asked; the next answer is about the time from now on. */
  feelPulse() {
    const felt = Atomics.exchange(this.memory, PULSE, ASKED) === FELT;
    return felt || Atomics.load(this.memory, HELD) === 1;
  }

  /** A synchronous request may wait for the person as long as they like. @returns {() => void} ends that */
  hold() {
    Atomics.store(this.memory, HELD, 1);
    return () => Atomics.store(this.memory, HELD, 0);
  }

  /** Whether `noteElsewhere` was called since somebody asked. */
  takeElsewhere() {
    return Atomics.exchange(this.memory, ELSEWHERE, 0) === 1;
  }
}
