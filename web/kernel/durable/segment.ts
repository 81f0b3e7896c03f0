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

import { STRIPE, checksum, Checksum } from "./checksum.ts";
import { FRAME_HEADER, FrameWriter } from "./frame_writer.ts";
import { Window } from "./window.ts";

const MAGIC = new TextEncoder().encode("GEMFILES");
const FRAME_MAGIC = 0x4d524647;
export const VERSION = 1;
/** Offset of the first frame. */
const SEGMENT_HEADER = 64;
const HEADER_CHECKED = 24;
const FRAME_CHECKED = 28;

interface Header {
  version: number;
  salt: number;
  /** the segment with the higher one is active */
  generation: number;
  /** true if the other segment is damaged and must be renamed, never overwritten */
  keepsOther: boolean;
}

export interface Scan {
  /** null if it can't be read */
  header: Header | null;
  /** the payloads of all valid frames up to the first invalid one */
  frames: { at: number; length: number }[];
  /** offset after the last valid frame */
  end: number;
  /** of the file */
  size: number;
  /**
   * "torn": the last frame is incomplete. "unfinished": there is no header, because a rewrite was interrupted.
   * "damaged": any other error
   */
  verdict: "whole" | "torn" | "damaged" | "unfinished";
  /** a sentence if damaged, else empty */
  reason: string;
}

const padded = (n: number) => Math.ceil(n / STRIPE) * STRIPE;

const allZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0);

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** One file of the journal, open for writing. */
export class Segment {
  #handle: FileSystemSyncAccessHandle;
  #stage: Uint8Array;
  /** Length of the valid bytes. Any bytes after them are the rest of a failed frame. */
  end = 0;
  #salt = 0;
  #number = 0;
  generation = 0;
  keepsOther = false;

  /**
   * @param handle - exclusive
   * @param stage - buffer for writing, shared between segments
   */
  constructor(handle: FileSystemSyncAccessHandle, stage: Uint8Array) {
    this.#handle = handle;
    this.#stage = stage;
  }

  /** Read and check everything without changing it. */
  scan(): Scan {
    return new Scanner(this.#handle).scan();
  }

  /** @returns for reading frames */
  window(): Window {
    return new Window(this.#handle);
  }

  /** Continue after a scan. Cut off a torn frame. */
  resume(scan: Scan) {
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
   * @returns bytes written
   */
  append(write: (out: FrameWriter) => void): number {
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
   * @param write - null for a segment without frames
   */
  replace(header: { generation: number; keepsOther: boolean }, write: ((out: FrameWriter) => void) | null) {
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

  #write(write: (out: FrameWriter) => void) {
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

  #encodedHeader({ generation, keepsOther }: { generation: number; keepsOther: boolean }) {
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
  #window: Window;
  #size: number;
  #salt = 0;

  constructor(handle: FileSystemSyncAccessHandle) {
    this.#window = new Window(handle);
    this.#size = handle.getSize();
  }

  scan(): Scan {
    const size = this.#size;
    const header = this.#header();
    const scan: Scan = { header, frames: [], end: SEGMENT_HEADER, size, verdict: "whole", reason: "" };
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
   * @returns whether to continue
   */
  #frame(scan: Scan): boolean {
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
   */
  #judge(scan: Scan, what: string) {
    const header = this.#bytes(scan.end, FRAME_HEADER);
    const torn = header.length < FRAME_HEADER || (allZero(header) && !this.#frameFollows(scan));
    if (!torn) this.#damaged(scan, what);
    else if (scan.verdict === "whole") scan.verdict = "torn";
  }

  #damaged(scan: Scan, what: string) {
    if (scan.verdict === "unfinished") return;
    scan.verdict = "damaged";
    scan.reason ||= `Frame ${scan.frames.length + 1}, at byte ${scan.end} of ${scan.size}, ${what}.`;
  }

  #frameFollows({ end, size, frames }: Scan) {
    for (let at = end + STRIPE; at + FRAME_HEADER <= size; at += STRIPE) {
      if (view(this.#window.view(at, FRAME_HEADER)).getUint32(0, true) !== FRAME_MAGIC) continue;
      const frame = this.#frameHeader(at);
      if (frame && frame.number > frames.length) return true;
    }
    return false;
  }

  #frameHeader(at: number): { number: number; length: number; sum: number } | null {
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

  #sum(at: number, length: number) {
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

  #header(): Header | null {
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

  #bytes(at: number, length: number) {
    return this.#window.view(at, length).subarray(0, length);
  }
}
