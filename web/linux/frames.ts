// The frames on the machine's console; builder/linux/guest/terminals.c is the other end and explains them.

export const KIND = Object.freeze({
  ...{ open: 1, input: 2, endInput: 3, resize: 4, signal: 5, credit: 6, close: 7, wake: 8, root: 9 },
  ...{ ready: 16, output: 17, errors: 18, status: 19, exit: 20 },
});
// The most bytes of input that a channel may have unread, and half of its limit for output.
export const WINDOW = 1 << 18;
// The most bytes of a frame's payload, as in frames.h. The machine's programs can write any to its console.
const MOST = 1 << 16;
const HEADER = 8;

export type Frame = { channel: number; kind: number; payload: Uint8Array };

export function encode(channel: number, kind: number, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, payload.length, true);
  view.setUint16(4, channel, true);
  bytes[6] = kind;
  bytes.set(payload, HEADER);
  return bytes;
}

export function uint32(value: number) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

/** @throws {RangeError} it isn't one number */
export function readUint32(payload: Uint8Array) {
  if (payload.length !== 4) throw new RangeError(`a number of ${payload.length} bytes`);
  return new DataView(payload.buffer, payload.byteOffset).getUint32(0, true);
}

/** Finds frames in bytes that arrive in any pieces. */
export class Decoder {
  #rest: Uint8Array<ArrayBuffer>;

  /** @param rest - the beginning of a frame */
  constructor(rest: ArrayLike<number> = []) {
    this.#rest = Uint8Array.from(rest);
  }

  /** The beginning of a frame whose end hasn't come yet. */
  get rest() {
    return [...this.#rest];
  }

  /** @throws {RangeError} a frame is too long */
  push(bytes: Uint8Array): Frame[] {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    const view = new DataView(all.buffer);
    const frames = [];
    let at = 0;
    while (all.length - at >= HEADER) {
      const length = view.getUint32(at, true);
      if (length > MOST) throw new RangeError(`a frame of ${length} bytes`);
      const end = at + HEADER + length;
      if (end > all.length) break;
      frames.push({
        channel: view.getUint16(at + 4, true),
        kind: view.getUint8(at + 6),
        payload: all.slice(at + HEADER, end),
      });
      at = end;
    }
    this.#rest = all.slice(at);
    return frames;
  }
}
