/**
 * Writes the payload of one frame through a fixed buffer, and computes its checksum.
 *
 * Integers are LEB128 varints, other numbers are 64-bit floats. Text is UTF-8, or UTF-16 code units if it has
 * lone surrogates, which UTF-8 can't encode; the lowest bit of its length is 1 for UTF-16.
 */

import { STRIPE, Checksum } from "./checksum.ts";

export const FRAME_HEADER = 32;
/** A multiple of STRIPE, so that full buffers can be hashed directly. */
const PAYLOAD_ROOM = 1 << 20;
/** The buffer size of {@link FrameWriter}: a header and a piece of the payload. */
export const STAGE_SIZE = FRAME_HEADER + PAYLOAD_ROOM;
const VARINT_MAX = 8;
const SHORT_TEXT = 1 << 10;

const encoder = new TextEncoder();

/** A writer of one frame. */
export class FrameWriter {
  #handle: FileSystemSyncAccessHandle;
  #at: number;
  #stage: Uint8Array;
  #fields: DataView;
  #sum: Checksum;
  #used = FRAME_HEADER;
  #drained = 0;

  /**
   * @param at - where the frame begins
   * @param salt - seed of the checksum
   * @param stage - STAGE_SIZE bytes
   */
  constructor(handle: FileSystemSyncAccessHandle, at: number, salt: number, stage: Uint8Array) {
    this.#handle = handle;
    this.#at = at;
    this.#stage = stage;
    this.#fields = new DataView(stage.buffer, stage.byteOffset, stage.length);
    this.#sum = new Checksum(salt);
  }

  /** @param value - a non-negative integer */
  varint(value: number) {
    this.#room(VARINT_MAX);
    while (value > 0x7f) {
      this.#stage[this.#used++] = (value % 0x80) | 0x80;
      value = Math.floor(value / 0x80);
    }
    this.#stage[this.#used++] = value;
  }

  float(value: number) {
    this.#room(8);
    this.#fields.setFloat64(this.#used, value, true);
    this.#used += 8;
  }

  text(value: string) {
    if (value.length <= SHORT_TEXT && this.#ascii(value)) return;
    const wellFormed = value.isWellFormed();
    const bytes = wellFormed ? encoder.encode(value) : codeUnits(value);
    this.varint(bytes.length * 2 + (wellFormed ? 0 : 1));
    this.bytes(bytes);
  }

  bytes(bytes: Uint8Array) {
    if (bytes.length <= STAGE_SIZE - this.#used) {
      this.#stage.set(bytes, this.#used);
      this.#used += bytes.length;
      return;
    }
    let from = 0;
    while (from < bytes.length) {
      this.#room(1);
      const piece = bytes.subarray(from, from + STAGE_SIZE - this.#used);
      this.#stage.set(piece, this.#used);
      this.#used += piece.length;
      from += piece.length;
    }
  }

  /**
   * Write the rest of the payload, then the header.
   * @param fill - writes the FRAME_HEADER bytes of `header`, given the payload's length and checksum
   * @returns where the next frame begins
   */
  finish(fill: (header: Uint8Array, length: number, sum: number) => void): number {
    const left = this.#used - FRAME_HEADER;
    const length = this.#drained + left;
    const sum = this.#sum.finish(this.#stage.subarray(FRAME_HEADER, this.#used));
    const end = (this.#used + STRIPE - 1) & -STRIPE;
    this.#stage.fill(0, this.#used, end);
    fill(this.#stage.subarray(0, FRAME_HEADER), length, sum);
    if (this.#drained === 0) {
      this.#write(this.#stage.subarray(0, end), this.#at);
    } else {
      this.#write(this.#stage.subarray(FRAME_HEADER, end), this.#at + FRAME_HEADER + this.#drained);
      this.#write(this.#stage.subarray(0, FRAME_HEADER), this.#at);
    }
    return this.#at + end + this.#drained;
  }

  /**
   * Write ASCII text without allocation, because a frame with many files consists mostly of short names.
   * @returns whether it was written
   */
  #ascii(value: string): boolean {
    this.#room(VARINT_MAX + value.length);
    const start = this.#used;
    this.varint(value.length * 2);
    for (let i = 0; i < value.length; i++) {
      const unit = value.charCodeAt(i);
      if (unit > 0x7f) {
        this.#used = start;
        return false;
      }
      this.#stage[this.#used++] = unit;
    }
    return true;
  }

  #room(bytes: number) {
    if (this.#used + bytes > STAGE_SIZE) this.#drain();
  }

  /** Write complete stripes and move the rest to the front. */
  #drain() {
    const end = FRAME_HEADER + ((this.#used - FRAME_HEADER) & -STRIPE);
    const piece = this.#stage.subarray(FRAME_HEADER, end);
    this.#sum.update(piece);
    this.#write(piece, this.#at + FRAME_HEADER + this.#drained);
    this.#drained += piece.length;
    this.#stage.copyWithin(FRAME_HEADER, end, this.#used);
    this.#used -= piece.length;
  }

  #write(bytes: Uint8Array, at: number) {
    const written = this.#handle.write(bytes, { at });
    // The platform may write only a part instead of throwing.
    if (written < bytes.length) throw new DOMException("Only a part of the data was written.", "QuotaExceededError");
  }
}

function codeUnits(value: string) {
  const units = Uint16Array.from({ length: value.length }, (_, i) => value.charCodeAt(i));
  return new Uint8Array(units.buffer);
}
