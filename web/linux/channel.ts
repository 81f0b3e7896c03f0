// A process of the machine, with pipes or with a PTY.
import { encode, KIND, readUint32, uint32, WINDOW } from "./frames.js";

/**
 * @typedef {"output" | "errors" | "status" | "exit"} Stream "status" has what a command's shell reports about it
 * @typedef {{ stream: Stream, bytes: Uint8Array, code: number, room?: Uint8Array }} Piece `code`: the exit code, with
 *   "exit"; `room`: the buffer of `bytes`
 *
 * @typedef {object} Program
 * @property {string[]} command its path and arguments
 * @property {string} directory
 * @property {string[]} environment such as `HOME=/root`
 * @property {number} [rows] of its terminal; without, it has pipes
 * @property {number} [columns]
 */

/** @type {Record<number, Stream>} */
const STREAMS = { [KIND.output]: "output", [KIND.errors]: "errors", [KIND.status]: "status", [KIND.exit]: "exit" };
// What a program has printed since the page last read. The machine's own program stops far below at the end of its credit;
// another one of the machine that writes frames doesn't.
const MOST_UNREAD = 1 << 26;
const encoder = new TextEncoder();

/**
 * @typedef {object} SavedChannel a channel of a saved machine, as JSON
 * @property {number} number
 * @property {number} rows
 * @property {number} credit of input
 * @property {number} unreturned of output
 * @property {boolean} ends
 * @property {number[]} unsent bytes of input
 * @property {{ stream: Stream, bytes: number[], code: number }[]} pieces what nothing has read yet
 */

export class Channel {
  /** @type {Piece[]} */
  #pieces = [];
  /** The piece that was read last; its reader has handled it when it asks for the next. @type {Piece | null} */
  #read = null;
  /** @type {((piece: Piece) => void) | null} */
  #taker = null;
  /** @type {Uint8Array[]} */
  #unsent = [];
  #inputCredit = WINDOW;
  #unreturned = 0;
  #unread = 0;
  #ends = false;
  #over = false;
  /** @type {(() => void)[]} */
  #writers = [];
  /** Of its terminal; 0 if it has pipes. */
  rows = 0;

  /** @param {number} number @param {(bytes: Uint8Array<ArrayBuffer>) => void} send */
  constructor(number, send) {
    this.number = number;
    this.send = (/** @type {number} */ kind, /** @type {Uint8Array} */ payload) => send(encode(number, kind, payload));
  }

  /** Return the channel as JSON, for a copy of the machine. @returns {SavedChannel} */
  save() {
    const unread = this.#read ? [this.#read, ...this.#pieces] : this.#pieces;
    return {
      number: this.number,
      rows: this.rows,
      credit: this.#inputCredit,
      unreturned: this.#unreturned - (this.#read ? creditOf(this.#read) : 0),
      ends: this.#ends,
      unsent: this.#unsent.flatMap((bytes) => [...bytes]),
      pieces: unread.map(({ stream, bytes, code }) => ({ stream, bytes: [...bytes], code })),
    };
  }

  /** Continue a channel. @param {SavedChannel} saved @param {(bytes: Uint8Array<ArrayBuffer>) => void} send */
  static restore({ number, rows, credit, unreturned, ends, unsent, pieces }, send) {
    const channel = new Channel(number, send);
    channel.rows = rows;
    channel.#inputCredit = credit;
    channel.#unreturned = unreturned;
    channel.#ends = ends;
    if (unsent.length) channel.#unsent.push(Uint8Array.from(unsent));
    channel.#pieces = pieces.map(({ stream, bytes, code }) => ({ stream, bytes: Uint8Array.from(bytes), code }));
    channel.#unread = channel.#pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return channel;
  }

  /** @param {Program} program */
  open({ command, directory, environment, rows = 0, columns = 0 }) {
    this.rows = rows;
    const texts = encoder.encode([directory, ...command, "", ...environment, "", ""].join("\0"));
    const payload = new Uint8Array(4 + texts.length);
    payload.set(sizeOf(rows, columns));
    payload.set(texts, 4);
    this.send(KIND.open, payload);
  }

  /** @param {string | Uint8Array} input */
  write(input) {
    const bytes = typeof input === "string" ? encoder.encode(input) : input;
    if (bytes.length) this.#unsent.push(bytes);
    this.#sendInput();
  }

  /** Wait until all input has left, or the program has ended. @returns {Promise<void>} */
  written() {
    return this.#unsent.length && !this.#over ? new Promise((resolve) => this.#writers.push(resolve)) : Promise.resolve();
  }

  #release() {
    for (const resolve of this.#writers.splice(0)) resolve();
  }

  end() {
    this.#ends = true;
    this.#sendInput();
  }

  #sendInput() {
    while (this.#unsent.length && this.#inputCredit) {
      const [bytes] = /** @type {[Uint8Array]} */ (this.#unsent);
      const part = bytes.subarray(0, Math.min(this.#inputCredit, 1 << 16));
      this.#inputCredit -= part.length;
      this.send(KIND.input, part);
      if (part.length === bytes.length) this.#unsent.shift();
      else this.#unsent[0] = bytes.subarray(part.length);
    }
    if (!this.#unsent.length) this.#release();
    if (this.#ends && !this.#unsent.length) this.send(KIND.endInput, new Uint8Array(0));
  }

  /** @param {number} columns @param {number} rows */
  resize(columns, rows) {
    this.send(KIND.resize, sizeOf(rows, columns));
  }

  /** Send a signal to its processes. @param {number} number */
  signal(number) {
    this.send(KIND.signal, Uint8Array.of(number));
  }

  /** End its processes. */
  close() {
    this.send(KIND.close, new Uint8Array(0));
    this.ended(-1);
  }

  /** @param {number} kind @param {Uint8Array} payload @throws {RangeError} the machine doesn't send such a frame */
  receive(kind, payload) {
    if (kind === KIND.credit) {
      this.#inputCredit += readUint32(payload);
      if (this.#inputCredit > WINDOW) throw new RangeError("more credit than it got input");
      this.#sendInput();
    } else if (kind === KIND.exit) {
      this.ended(readUint32(payload) | 0);
    } else {
      if (this.#unread + payload.length > MOST_UNREAD) throw new RangeError("more output than its credit");
      this.#add({ stream: STREAMS[kind] ?? "output", bytes: payload, code: 0 });
    }
  }

  /** Print a line of the page's own. @param {Uint8Array} bytes */
  note(bytes) {
    this.#add({ stream: this.rows ? "output" : "errors", bytes, code: 0 });
  }

  /** @param {number} code */
  ended(code) {
    this.#over = true;
    this.#release();
    this.#add({ stream: "exit", bytes: new Uint8Array(0), code });
  }

  /** @param {Piece} piece */
  #add(piece) {
    const last = this.#pieces.at(-1);
    if (this.#taker) {
      const take = this.#taker;
      this.#taker = null;
      take(this.#taken(piece));
      return;
    }
    this.#unread += piece.bytes.length;
    if (last?.stream === piece.stream && piece.stream !== "exit") append(last, piece.bytes);
    else this.#pieces.push(piece);
  }

  /** Return what it prints next, once it does; only one caller may wait. @returns {Promise<Piece>} */
  next() {
    this.#read = null;
    const piece = this.#pieces.shift();
    this.#unread -= piece?.bytes.length ?? 0;
    if (piece) return Promise.resolve(this.#taken(piece));
    return new Promise((resolve) => (this.#taker = resolve));
  }

  /** Let the machine send as much again. @param {Piece} piece */
  #taken(piece) {
    this.#read = piece;
    this.#unreturned += creditOf(piece);
    if (this.#unreturned >= WINDOW / 4) {
      this.send(KIND.credit, uint32(this.#unreturned));
      this.#unreturned = 0;
    }
    return piece;
  }
}

/** Reports cost no credit. @param {Piece} piece */
function creditOf({ stream, bytes }) {
  return stream === "status" ? 0 : bytes.length;
}

/** @param {number} rows @param {number} columns */
function sizeOf(rows, columns) {
  const bytes = new Uint8Array(4);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, rows, true);
  view.setUint16(2, columns, true);
  return bytes;
}

/** Add bytes to a piece, in a buffer that doubles: a machine may send any number of tiny ones. @param {Piece} piece @param {Uint8Array} bytes */
function append(piece, bytes) {
  const start = piece.bytes.length;
  const end = start + bytes.length;
  if (!piece.room || end > piece.room.length) {
    piece.room = new Uint8Array(2 * end);
    piece.room.set(piece.bytes);
  }
  piece.room.set(bytes, start);
  piece.bytes = piece.room.subarray(0, end);
}
