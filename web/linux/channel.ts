// A process of the machine, with pipes or with a PTY.
import { encode, KIND, readUint32, uint32, WINDOW } from "./frames.ts";

/** "status" has what a command's shell reports about it */
type Stream = "output" | "errors" | "status" | "exit";

/** `code`: the exit code, with "exit"; `room`: the buffer of `bytes` */
type Piece = { stream: Stream; bytes: Uint8Array; code: number; room?: Uint8Array };

export interface Program {
  /** its path and arguments */
  command: string[];
  directory: string;
  /** such as `HOME=/root` */
  environment: string[];
  /** of its terminal; without, it has pipes */
  rows?: number;
  columns?: number;
}

const STREAMS: Record<number, Stream> = {
  [KIND.output]: "output",
  [KIND.errors]: "errors",
  [KIND.status]: "status",
  [KIND.exit]: "exit",
};
// What a program has printed since the page last read. The machine's own program stops far below at the end of its credit;
// another one of the machine that writes frames doesn't.
const MOST_UNREAD = 1 << 26;
const encoder = new TextEncoder();

/** a channel of a saved machine, as JSON */
interface SavedChannel {
  number: number;
  rows: number;
  /** of input */
  credit: number;
  /** of output */
  unreturned: number;
  ends: boolean;
  /** bytes of input */
  unsent: number[];
  /** what nothing has read yet */
  pieces: { stream: Stream; bytes: number[]; code: number }[];
}

export class Channel {
  #pieces: Piece[] = [];
  /** The piece that was read last; its reader has handled it when it asks for the next. */
  #read: Piece | null = null;
  #taker: ((piece: Piece) => void) | null = null;
  #unsent: Uint8Array[] = [];
  #inputCredit = WINDOW;
  #unreturned = 0;
  #unread = 0;
  #ends = false;
  #over = false;
  #writers: (() => void)[] = [];
  /** Of its terminal; 0 if it has pipes. */
  rows = 0;
  number: number;
  send: (kind: number, payload: Uint8Array) => void;

  constructor(number: number, send: (bytes: Uint8Array<ArrayBuffer>) => void) {
    this.number = number;
    this.send = (kind: number, payload: Uint8Array) => send(encode(number, kind, payload));
  }

  /** Return the channel as JSON, for a copy of the machine. */
  save(): SavedChannel {
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

  /** Continue a channel. */
  static restore(
    { number, rows, credit, unreturned, ends, unsent, pieces }: SavedChannel,
    send: (bytes: Uint8Array<ArrayBuffer>) => void,
  ) {
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

  open({ command, directory, environment, rows = 0, columns = 0 }: Program) {
    this.rows = rows;
    const texts = encoder.encode([directory, ...command, "", ...environment, "", ""].join("\0"));
    const payload = new Uint8Array(4 + texts.length);
    payload.set(sizeOf(rows, columns));
    payload.set(texts, 4);
    this.send(KIND.open, payload);
  }

  write(input: string | Uint8Array) {
    const bytes = typeof input === "string" ? encoder.encode(input) : input;
    if (bytes.length) this.#unsent.push(bytes);
    this.#sendInput();
  }

  /** Wait until all input has left, or the program has ended. */
  written(): Promise<void> {
    return this.#unsent.length && !this.#over
      ? new Promise((resolve) => this.#writers.push(resolve))
      : Promise.resolve();
  }

  #release() {
    for (const resolve of this.#writers.splice(0)) resolve();
  }

  end() {
    this.#ends = true;
    this.#sendInput();
  }

  #sendInput() {
    for (let [bytes] = this.#unsent; bytes && this.#inputCredit; [bytes] = this.#unsent) {
      const part = bytes.subarray(0, Math.min(this.#inputCredit, 1 << 16));
      this.#inputCredit -= part.length;
      this.send(KIND.input, part);
      if (part.length === bytes.length) this.#unsent.shift();
      else this.#unsent[0] = bytes.subarray(part.length);
    }
    if (!this.#unsent.length) this.#release();
    if (this.#ends && !this.#unsent.length) this.send(KIND.endInput, new Uint8Array(0));
  }

  resize(columns: number, rows: number) {
    this.send(KIND.resize, sizeOf(rows, columns));
  }

  /** Send a signal to its processes. */
  signal(number: number) {
    this.send(KIND.signal, Uint8Array.of(number));
  }

  /** End its processes. */
  close() {
    this.send(KIND.close, new Uint8Array(0));
    this.ended(-1);
  }

  /** @throws {RangeError} the machine doesn't send such a frame */
  receive(kind: number, payload: Uint8Array) {
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

  /** Print a line of the page's own. */
  note(bytes: Uint8Array) {
    this.#add({ stream: this.rows ? "output" : "errors", bytes, code: 0 });
  }

  ended(code: number) {
    this.#over = true;
    this.#release();
    this.#add({ stream: "exit", bytes: new Uint8Array(0), code });
  }

  #add(piece: Piece) {
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

  /** Return its next output, once there is some; only one caller may wait. */
  next(): Promise<Piece> {
    this.#read = null;
    const piece = this.#pieces.shift();
    this.#unread -= piece?.bytes.length ?? 0;
    if (piece) return Promise.resolve(this.#taken(piece));
    return new Promise((resolve) => (this.#taker = resolve));
  }

  /** Let the machine send as much again. */
  #taken(piece: Piece) {
    this.#read = piece;
    this.#unreturned += creditOf(piece);
    if (this.#unreturned >= WINDOW / 4) {
      this.send(KIND.credit, uint32(this.#unreturned));
      this.#unreturned = 0;
    }
    return piece;
  }
}

/** Reports cost no credit. */
function creditOf({ stream, bytes }: Piece) {
  return stream === "status" ? 0 : bytes.length;
}

function sizeOf(rows: number, columns: number) {
  const bytes = new Uint8Array(4);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, rows, true);
  view.setUint16(2, columns, true);
  return bytes;
}

/** Add bytes to a piece, in a buffer that doubles: a machine may send any number of tiny ones. */
function append(piece: Piece, bytes: Uint8Array) {
  const start = piece.bytes.length;
  const end = start + bytes.length;
  if (!piece.room || end > piece.room.length) {
    piece.room = new Uint8Array(2 * end);
    piece.room.set(piece.bytes);
  }
  piece.room.set(bytes, start);
  piece.bytes = piece.room.subarray(0, end);
}
