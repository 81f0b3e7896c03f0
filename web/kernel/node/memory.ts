// The memory through which the kernel answers a program of `node` that waits for it. A longer answer is read in pieces.
const ROOM = 1 << 18;
const HEADER = 4;
// 0 until there is an answer.
const STATE = 0;
// Bytes of the full answer, and of the piece.
const TOTAL = 1;
const PIECE = 2;
// In an answer, the length of its JSON comes before it, and bytes after it.
const LENGTH_BYTES = 4;

/** `value` is the operation's result, whose type its caller knows; as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: each of 30 operations returns another type, and its only caller reads it.
export type Answer = { value?: any; bytes?: Uint8Array; problem?: { code: string; text: string } };

export const createMemory = () => new SharedArrayBuffer(HEADER * Int32Array.BYTES_PER_ELEMENT + ROOM);

function packed({ bytes, ...rest }: Answer): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify({ ...rest, binary: bytes !== undefined }));
  const whole = new Uint8Array(LENGTH_BYTES + json.length + (bytes?.length ?? 0));
  new DataView(whole.buffer).setUint32(0, json.length);
  whole.set(json, LENGTH_BYTES);
  if (bytes) whole.set(bytes, LENGTH_BYTES + json.length);
  return whole;
}

function unpacked(whole: Uint8Array): Answer {
  const length = new DataView(whole.buffer).getUint32(0);
  const { binary, ...rest } = JSON.parse(new TextDecoder().decode(whole.subarray(LENGTH_BYTES, LENGTH_BYTES + length)));
  return binary ? { ...rest, bytes: whole.slice(LENGTH_BYTES + length) } : rest;
}

/** The kernel's side. */
export class Answers {
  header: Int32Array;
  room: Uint8Array;
  rest: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.header = new Int32Array(memory, 0, HEADER);
    this.room = new Uint8Array(memory, HEADER * Int32Array.BYTES_PER_ELEMENT);
    this.rest = new Uint8Array();
  }
  give(answer: Answer) {
    this.rest = packed(answer);
    Atomics.store(this.header, TOTAL, this.rest.length);
    this.more();
  }
  /** Put the next piece into the memory. */
  more() {
    const piece = this.rest.subarray(0, this.room.length);
    this.rest = this.rest.subarray(piece.length);
    this.room.set(piece);
    Atomics.store(this.header, PIECE, piece.length);
    Atomics.store(this.header, STATE, 1);
    Atomics.notify(this.header, STATE);
  }
}

/** The program's side. */
export class Waiting {
  header: Int32Array;
  room: Uint8Array;
  send: (message: object) => void;

  constructor(memory: SharedArrayBuffer, send: (message: object) => void) {
    this.header = new Int32Array(memory, 0, HEADER);
    this.room = new Uint8Array(memory, HEADER * Int32Array.BYTES_PER_ELEMENT);
    this.send = send;
  }
  /** Send a message and wait for its answer. */
  ask(message: object): Answer {
    const first = this.next(message);
    const whole = new Uint8Array(Atomics.load(this.header, TOTAL));
    whole.set(first);
    for (let size = first.length; size < whole.length; ) {
      const piece = this.next({ more: true });
      whole.set(piece, size);
      size += piece.length;
    }
    return unpacked(whole);
  }
  next(message: object) {
    Atomics.store(this.header, STATE, 0);
    this.send(message);
    Atomics.wait(this.header, STATE, 0);
    return this.room.slice(0, Atomics.load(this.header, PIECE));
  }
  /** Wait until the kernel ends this worker. */
  end(): never {
    for (;;) {
      Atomics.store(this.header, STATE, 0);
      Atomics.wait(this.header, STATE, 0);
    }
  }
}
