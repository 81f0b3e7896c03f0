/**
 * One file of the journal: a header and frames. Each frame is written completely or not at all.
 *
 *     segment  0  "GEMFILES"       8  version u32     12  salt u32      16  generation u32
 *             20  keeps other u32 24  checksum u32    28  zeros to 64, where the first frame begins
 *     frame    0  "GFRM"           4  salt u32         8  number u32    12  payload length u64
 *             20  payload checksum u32                24  zero u32      28  header checksum u32
 *             32  payload, then zeros to a multiple of 16
 *
 * Numbers are little-endian. Checksums are XXH32 with the salt as seed, so that bytes of another journal never
 * look like a frame of this one. A frame's header is written after its payload, so it is zero if the worker
 * ended while it wrote the frame.
 */

import { STRIPE, checksum, Checksum } from "./checksum.js";
import { FRAME_HEADER, FrameWriter } from "./frame_writer.js";
import { Window } from "./window.js";

const MAGIC = new TextEncoder().encode("GEMFILES");
const FRAME_MAGIC = 0x4d524647;
export const VERSION = 1;
/** Offset of the first frame. */
const SEGMENT_HEADER = 64;
const HEADER_CHECKED = 24;
const FRAME_CHECKED = 28;

/**
 * @typedef {object} Header
 * @property {number} version
 * @property {number} salt
 * @property {number} generation the segment with the higher one is active
 * @property {boolean} keepsOther true if the other segment is damaged and must be renamed, never overwritten
 *
 * @typedef {object} Scan
 * @property {Header | null} header null if it can't be read
 * @property {{at: number, length: number}[]} frames the payloads of all valid frames up to the first invalid one
 * @property {number} end offset after the last valid frame
 * @property {number} size of the file
 * @property {"whole" | "torn" | "damaged" | "unfinished"} verdict "torn": the last frame is incomplete.
 *   "unfinished": there is no header, because a rewrite was interrupted. "damaged": any other error
 * @property {string} reason a sentence if damaged, else empty
 */

/** @param {number} n */
const padded = (n) => Math.ceil(n / STRIPE) * STRIPE;

/** @param {Uint8Array} bytes */
const allZero = (bytes) => bytes.every((byte) => byte === 0);

/** @param {Uint8Array} bytes */
const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** One file of the journal, open for writing. */
export class Segment {
  #handle;
  #stage;
  /** Length of the valid bytes. Any bytes after them are the rest of a failed frame. */
  end = 0;
  #salt = 0;
  #number = 0;
  generation = 0;
  keepsOther = false;

  /**
   * @param {FileSystemSyncAccessHandle} handle exclusive
   * @param {Uint8Array} stage buffer for writing, shared between segments
   */
  constructor(handle, stage) {
    this.#handle = handle;
    this.#stage = stage;
  }

  /**
   * Read and check everything without changing it.
   * @returns {Scan}
   */
  scan() {
    return new Scanner(this.#handle).scan();
  }

  /** @returns {Window} for reading frames */
  window() {
    return new Window(this.#handle);
  }

  /**
   * Continue after a scan. Cut off a torn frame.
   * @param {Scan} scan
   */
  resume(scan) {
    if (!scan.header) throw new Error("a segment without a header can't be resumed");
    this.#salt = scan.header.salt;
    this.generation = scan.header.generation;
    this.keepsOther = scan.header.keepsOther;
    this.#number = scan.frames.length;
    this.end = scan.end;
    this.#cut();
  }

  /**
   * Append one frame and flush it. A failure leaves no trace.
   * @param {(out: FrameWriter) => void} write
   * @returns {number} bytes written
   */
  append(write) {
    this.#cut();
    try {
      const next = this.#write(write);
      this.#handle.flush();
      const bytes = next - this.end;
      this.end = next;
      this.#number += 1;
      return bytes;
    } catch (error) {
      this.#cut();
      throw error;
    }
  }

  /**
   * Replace the contents by one frame. The header is written last, so the segment becomes active only when it
   * is complete. After a failure the segment is empty.
   * @param {{generation: number, keepsOther: boolean}} header
   * @param {((out: FrameWriter) => void) | null} write null for a segment without frames
   */
  replace(header, write) {
    this.clear();
    this.#salt = crypto.getRandomValues(new Uint32Array(1))[0];
    this.end = SEGMENT_HEADER;
    try {
      if (write) this.append(write);
      this.#handle.write(this.#encodedHeader(header), { at: 0 });
      this.#handle.flush();
    } catch (error) {
      this.clear();
      throw error;
    }
    this.generation = header.generation;
    this.keepsOther = header.keepsOther;
  }

  clear() {
    this.#handle.truncate(0);
    this.#handle.flush();
    this.end = 0;
    this.#number = 0;
    this.generation = 0;
  }

  #cut() {
    if (this.#handle.getSize() > this.end) this.#handle.truncate(this.end);
  }

  /** @param {(out: FrameWriter) => void} write */
  #write(write) {
    const out = new FrameWriter(this.#handle, this.end, this.#salt, this.#stage);
    write(out);
    return out.finish((header, length, sum) => {
      const fields = view(header);
      fields.setUint32(0, FRAME_MAGIC, true);
      fields.setUint32(4, this.#salt, true);
      fields.setUint32(8, this.#number + 1, true);
      fields.setBigUint64(12, BigInt(length), true);
      fields.setUint32(20, sum, true);
      fields.setUint32(24, 0, true);
      fields.setUint32(FRAME_CHECKED, checksum(header.subarray(0, FRAME_CHECKED), this.#salt), true);
    });
  }

  /** @param {{generation: number, keepsOther: boolean}} header */
  #encodedHeader({ generation, keepsOther }) {
    const bytes = new Uint8Array(SEGMENT_HEADER);
    bytes.set(MAGIC);
    const fields = view(bytes);
    fields.setUint32(8, VERSION, true);
    fields.setUint32(12, this.#salt, true);
    fields.setUint32(16, generation, true);
    fields.setUint32(20, keepsOther ? 1 : 0, true);
    fields.setUint32(HEADER_CHECKED, checksum(bytes.subarray(0, HEADER_CHECKED), this.#salt), true);
    return bytes;
  }
}

/** One pass over a segment's file. */
class Scanner {
  #window;
  #size;
  #salt = 0;

  /** @param {FileSystemSyncAccessHandle} handle */
  constructor(handle) {
    this.#window = new Window(handle);
    this.#size = handle.getSize();
  }

  /** @returns {Scan} */
  scan() {
    const size = this.#size;
    const header = this.#header();
    /** @type {Scan} */
    const scan = { header, frames: [], end: SEGMENT_HEADER, size, verdict: "whole", reason: "" };
    if (size === 0) return scan;
    if (!header && allZero(this.#bytes(0, SEGMENT_HEADER))) {
      scan.verdict = "unfinished";
    } else if (!header) {
      scan.verdict = "damaged";
      scan.reason = "Its header can't be read.";
    }
    // Each frame has the salt, too, so frames can be read without the segment's header.
    this.#salt = header?.salt ?? this.#saltOfFirstFrame();
    while (scan.end < size && this.#frame(scan));
    return scan;
  }

  /**
   * Check the next frame and add it, or the verdict about it, to the scan.
   * @param {Scan} scan
   * @returns {boolean} whether to continue
   */
  #frame(scan) {
    const { end } = scan;
    const frame = this.#frameHeader(end);
    if (!frame || frame.number !== scan.frames.length + 1) {
      this.#judge(scan, frame ? "is out of order" : "has no readable header");
      return false;
    }
    const at = end + FRAME_HEADER;
    const next = padded(at + frame.length);
    if (next > scan.size) {
      if (scan.verdict === "whole") scan.verdict = "torn";
      return false;
    }
    if (this.#sum(at, frame.length) !== frame.sum) {
      this.#damaged(scan, "doesn't match its checksum");
      return false;
    }
    scan.frames.push({ at, length: frame.length });
    scan.end = next;
    return true;
  }

  /**
   * Set the verdict about a frame with an invalid header. The frame is torn if its header is incomplete, or zero
   * and not followed by a valid frame; else it is damaged.
   * @param {Scan} scan
   * @param {string} what
   */
  #judge(scan, what) {
    const header = this.#bytes(scan.end, FRAME_HEADER);
    const torn = header.length < FRAME_HEADER || (allZero(header) && !this.#frameFollows(scan));
    if (!torn) this.#damaged(scan, what);
    else if (scan.verdict === "whole") scan.verdict = "torn";
  }

  /**
   * @param {Scan} scan
   * @param {string} what
   */
  #damaged(scan, what) {
    if (scan.verdict === "unfinished") return;
    scan.verdict = "damaged";
    scan.reason ||= `Frame ${scan.frames.length + 1}, at byte ${scan.end} of ${scan.size}, ${what}.`;
  }

  /** @param {Scan} scan */
  #frameFollows({ end, size, frames }) {
    for (let at = end + STRIPE; at + FRAME_HEADER <= size; at += STRIPE) {
      if (view(this.#window.view(at, FRAME_HEADER)).getUint32(0, true) !== FRAME_MAGIC) continue;
      const frame = this.#frameHeader(at);
      if (frame && frame.number > frames.length) return true;
    }
    return false;
  }

  /**
   * @param {number} at
   * @returns {{number: number, length: number, sum: number} | null}
   */
  #frameHeader(at) {
    const bytes = this.#bytes(at, FRAME_HEADER);
    if (bytes.length < FRAME_HEADER) return null;
    const fields = view(bytes);
    if (fields.getUint32(0, true) !== FRAME_MAGIC || fields.getUint32(4, true) !== this.#salt) return null;
    if (fields.getUint32(FRAME_CHECKED, true) !== checksum(bytes.subarray(0, FRAME_CHECKED), this.#salt)) {
      return null;
    }
    const length = Number(fields.getBigUint64(12, true));
    return { number: fields.getUint32(8, true), length, sum: fields.getUint32(20, true) };
  }

  /**
   * @param {number} at
   * @param {number} length
   */
  #sum(at, length) {
    const sum = new Checksum(this.#salt);
    for (;;) {
      const bytes = this.#window.view(at, Math.min(length, STRIPE));
      if (bytes.length >= length) return sum.finish(bytes.subarray(0, length));
      const whole = bytes.subarray(0, bytes.length & -STRIPE);
      if (whole.length === 0) return NaN;
      sum.update(whole);
      at += whole.length;
      length -= whole.length;
    }
  }

  /** @returns {Header | null} */
  #header() {
    const bytes = this.#bytes(0, SEGMENT_HEADER);
    if (bytes.length < SEGMENT_HEADER || MAGIC.some((byte, i) => bytes[i] !== byte)) return null;
    const fields = view(bytes);
    const salt = fields.getUint32(12, true);
    const sum = fields.getUint32(HEADER_CHECKED, true);
    if (sum !== checksum(bytes.subarray(0, HEADER_CHECKED), salt)) return null;
    return {
      version: fields.getUint32(8, true),
      salt,
      generation: fields.getUint32(16, true),
      keepsOther: fields.getUint32(20, true) !== 0,
    };
  }

  #saltOfFirstFrame() {
    const bytes = this.#bytes(SEGMENT_HEADER, FRAME_HEADER);
    return bytes.length < FRAME_HEADER ? 0 : view(bytes).getUint32(4, true);
  }

  /**
   * @param {number} at
   * @param {number} length
   */
  #bytes(at, length) {
    return this.#window.view(at, length).subarray(0, length);
  }
}
