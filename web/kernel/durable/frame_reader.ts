/** Reads the payloads that FrameWriter writes. */

import type { Window } from "./window.ts";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const NUMBER_MAX = 8;
/** Shared buffers, so that reading a float allocates nothing. */
const octets = new Uint8Array(NUMBER_MAX);
const octetsAsFloat = new DataView(octets.buffer);

/** A reader of one frame's payload. */
export class FrameReader {
  #window: Window;
  #at: number;
  #end: number;

  /** @param frame - a payload with a verified checksum */
  constructor(window: Window, frame: { at: number; length: number }) {
    this.#window = window;
    this.#at = frame.at;
    this.#end = frame.at + frame.length;
  }

  /** True at the end of the payload. */
  get done() {
    return this.#at >= this.#end;
  }

  varint(): number {
    const { bytes } = this.#window;
    const start = this.#window.hold(this.#at, Math.min(NUMBER_MAX, this.#end - this.#at));
    let value = 0;
    let scale = 1;
    let i = start;
    for (; bytes[i] > 0x7f; i++) {
      value += (bytes[i] & 0x7f) * scale;
      scale *= 0x80;
    }
    this.#at += i + 1 - start;
    return value + bytes[i] * scale;
  }

  float(): number {
    const start = this.#window.hold(this.#at, NUMBER_MAX);
    for (let i = 0; i < NUMBER_MAX; i++) octets[i] = this.#window.bytes[start + i];
    this.#at += NUMBER_MAX;
    return octetsAsFloat.getFloat64(0, true);
  }

  text(): string {
    const head = this.varint();
    const bytes = new Uint8Array(Math.floor(head / 2));
    this.bytes(bytes);
    if (head % 2 === 0) return utf8.decode(bytes);
    return String.fromCharCode(...new Uint16Array(bytes.buffer));
  }

  /** @param target - is filled completely */
  bytes(target: Uint8Array) {
    this.#window.copy(this.#at, target);
    this.#at += target.length;
  }
}
