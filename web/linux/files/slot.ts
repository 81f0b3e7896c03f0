// The machine's requests for files in memory that its worker shares with the kernel's worker. A message would cost both of
// them a turn of their event loops for each request.

// The slot's contents: see the class.
const STATE = 0;
const LENGTH = 1;
// 1 while the kernel's worker looks at the slot on its own.
const ATTENDED = 2;
const HEADER_BYTES = 16;
const FREE = 0;
const REQUEST = 1;
const ANSWER = 2;
const LATE = 3;
// Python may compute for any time; the machine's other programs continue after this one.
const PATIENCE_MS = 5;
// A program's next request usually follows within this time.
const NEXT_MS = 0.5;
// Then the kernel's worker has a turn for its own messages.
const BURST_MS = 8;

/** A place for one request and its answer. The machine's worker asks, the kernel's worker serves. */
export class Slot {
  #words: Int32Array;
  #bytes: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory, 0, HEADER_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#bytes = new Uint8Array(memory, HEADER_BYTES);
  }

  /** @param most - bytes of a message */
  static create(most: number) {
    return new SharedArrayBuffer(HEADER_BYTES + most);
  }

  /**
   * Ask, and wait a moment for the answer.
   * @param call - is called if the kernel's worker must be called by a message
   * @returns "late" if the answer will come by a message, "full" if an earlier one still has to
   */
  ask(request: Uint8Array, call: () => void): Uint8Array | "late" | "full" {
    if (Atomics.load(this.#words, STATE) !== FREE || request.length > this.#bytes.length) return "full";
    this.#put(request);
    Atomics.store(this.#words, STATE, REQUEST);
    Atomics.notify(this.#words, STATE);
    // The kernel's worker looks at the slot once more after it has withdrawn ATTENDED.
    if (!Atomics.load(this.#words, ATTENDED)) call();
    Atomics.wait(this.#words, STATE, REQUEST, PATIENCE_MS);
    if (Atomics.compareExchange(this.#words, STATE, REQUEST, LATE) === REQUEST) return "late";
    const answer = this.#take();
    Atomics.store(this.#words, STATE, FREE);
    Atomics.notify(this.#words, STATE);
    return answer;
  }

  /**
   * Answer the request, and those that follow at once.
   * @param send - is called with an answer that the machine no longer waits for
   * @returns true if another request waits
   */
  serve(
    answer: (request: Uint8Array) => Uint8Array<ArrayBuffer>,
    send: (answer: Uint8Array<ArrayBuffer>) => void,
  ): boolean {
    const end = performance.now() + BURST_MS;
    Atomics.store(this.#words, ATTENDED, 1);
    while (performance.now() < end && this.#comes()) this.#answer(answer, send);
    Atomics.store(this.#words, ATTENDED, 0);
    return this.#isAsked;
  }

  get #isAsked() {
    const state = Atomics.load(this.#words, STATE);
    return state === REQUEST || state === LATE;
  }

  /** Wait for the next request; return whether there is one. */
  #comes() {
    const end = performance.now() + NEXT_MS;
    for (let left = NEXT_MS; left > 0; left = end - performance.now()) {
      const state = Atomics.load(this.#words, STATE);
      if (state === REQUEST || state === LATE) return true;
      Atomics.wait(this.#words, STATE, state, left);
    }
    return this.#isAsked;
  }

  #answer(answer: (request: Uint8Array) => Uint8Array<ArrayBuffer>, send: (answer: Uint8Array<ArrayBuffer>) => void) {
    const answered = answer(this.#take());
    this.#put(answered);
    if (Atomics.compareExchange(this.#words, STATE, REQUEST, ANSWER) === REQUEST) {
      Atomics.notify(this.#words, STATE);
    } else {
      Atomics.store(this.#words, STATE, FREE);
      send(answered);
    }
  }

  #put(message: Uint8Array) {
    this.#bytes.set(message);
    this.#words[LENGTH] = message.length;
  }

  #take() {
    return this.#bytes.slice(0, this.#words[LENGTH]);
  }
}
