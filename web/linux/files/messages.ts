// Messages of 9P2000.L (https://github.com/chaos/diod/blob/master/protocol.md): u32 size, u8 type, u16 tag, and fields.

const HEADER = 7;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Request {
  #view: DataView;
  #at = HEADER;
  bytes: Uint8Array;
  type: number;
  tag: number;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.type = this.#view.getUint8(4);
    this.tag = this.#view.getUint16(5, true);
  }

  u8() {
    return this.#view.getUint8(this.#at++);
  }
  u16() {
    return this.#view.getUint16((this.#at += 2) - 2, true);
  }
  u32() {
    return this.#view.getUint32((this.#at += 4) - 4, true);
  }
  u64() {
    const low = this.u32();
    return low + this.u32() * 2 ** 32;
  }
  text() {
    return decoder.decode(this.data(this.u16()));
  }
  data(count: number) {
    return this.bytes.subarray(this.#at, (this.#at += count));
  }
  rest() {
    return this.bytes.subarray(this.#at);
  }
}

export class Reply {
  #view: DataView;
  #at = HEADER;
  #bytes: Uint8Array;

  /** @param most - the most bytes of its fields */
  constructor(most = 256) {
    this.#bytes = new Uint8Array(HEADER + most);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** The bytes of the fields so far. */
  get length() {
    return this.#at - HEADER;
  }

  u8(value: number) {
    this.#view.setUint8(this.#at++, value);
    return this;
  }
  u16(value: number) {
    this.#view.setUint16((this.#at += 2) - 2, value, true);
    return this;
  }
  u32(value: number) {
    this.#view.setUint32((this.#at += 4) - 4, value, true);
    return this;
  }
  u64(value: number) {
    this.u32(value % 2 ** 32);
    return this.u32(Math.floor(value / 2 ** 32));
  }
  data(data: Uint8Array) {
    this.#bytes.set(data, this.#at);
    this.#at += data.length;
    return this;
  }
  text(text: string) {
    const bytes = encoder.encode(text);
    return this.u16(bytes.length).data(bytes);
  }
  /**
   * Identify a file.
   * @param node - of Emscripten's FS
   */
  qid({ mode, id }: { mode: number; id: number }) {
    const kind = mode & 0o170000;
    return this.u8(kind === 0o040000 ? 0x80 : kind === 0o120000 ? 0x02 : 0)
      .u32(0)
      .u64(id);
  }
  /** Let `fill` write at most `count` bytes; it returns how many it wrote. */
  filled(count: number, fill: (bytes: Uint8Array) => number) {
    const length = fill(this.#bytes.subarray(this.#at + 4, this.#at + 4 + count));
    this.u32(length);
    this.#at += length;
    return this;
  }

  /** The fields so far. */
  fields() {
    return this.#bytes.subarray(HEADER, this.#at);
  }

  finish(type: number, tag: number): Uint8Array<ArrayBuffer> {
    this.#view.setUint32(0, this.#at, true);
    this.#view.setUint8(4, type);
    this.#view.setUint16(5, tag, true);
    return this.#bytes.slice(0, this.#at);
  }
}
