/**
 * Files in the origin private file system with open handles, for synchronous callers such as SQLite.
 *
 * Opening a file is asynchronous, so the pool has spare files without a name. A header before a file's contents has its
 * name. So creating, deleting and renaming are synchronous, and names may contain any character.
 */

import { openDirectory, openHandle } from "../durable/storage.ts";

/** Bytes before a file's contents. It is the size of an SQLite page, so that pages stay aligned. */
const HEADER = 4096;
/** Spare files at opening: enough for the database and its journals, a backup, an export and some damaged files. */
const SPARE_FILES = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface Slot {
  /** its name in the origin private file system */
  id: string;
  handle: FileSystemSyncAccessHandle;
  /** null for a spare file */
  name: string | null;
  /** the higher one wins if two files have the same name */
  order: number;
  /** of the last change, in ms since 1970 */
  time: number;
}

/** The open files of one directory of the origin private file system. */
export class Pool {
  #slots: Slot[] = [];
  /** The file to flush before another one changes. SQLite requests that with a call that Emscripten ignores. */
  #unflushed: Slot | null = null;

  /**
   * @param name - of a directory of the origin private file system
   * @param waitMs - how long to retry while another worker or tab holds the files
   * @throws {import("../durable/errors.ts").StorageUnavailable}
   */
  static async open(name: string, waitMs: number): Promise<Pool> {
    const directory = await openDirectory(name);
    const deadline = performance.now() + waitMs;
    const pool = new Pool();
    try {
      const ids: string[] = [];
      for await (const id of directory.keys()) ids.push(id);
      await pool.#add(directory, ids, deadline);
      pool.#removeReplaced();
      const missing = SPARE_FILES - pool.#slots.filter((slot) => slot.name === null).length;
      const next = Math.max(0, ...ids.map(Number)) + 1;
      await pool.#add(
        directory,
        Array.from({ length: Math.max(0, missing) }, (_, n) => String(next + n)),
        deadline,
      );
    } catch (error) {
      pool.close();
      throw error;
    }
    return pool;
  }

  async #add(directory: FileSystemDirectoryHandle, ids: string[], deadline: number) {
    const opened = await Promise.allSettled(
      ids.map(async (id) => {
        const handle = await openHandle(directory, id, deadline);
        this.#slots.push({ id, handle, ...readHeader(id, handle) });
      }),
    );
    const failed = opened.find((outcome) => outcome.status === "rejected");
    if (failed) throw failed.reason;
  }

  /** Complete interrupted renames: remove files that another file has replaced. */
  #removeReplaced() {
    for (const slot of this.#slots) {
      const other =
        slot.name !== null && this.#slots.find(({ name, order }) => name === slot.name && order > slot.order);
      if (other) this.remove(slot);
    }
  }

  get files(): Slot[] {
    return this.#slots.filter(({ name }) => name !== null);
  }

  find(name: string): Slot | undefined {
    return this.#slots.find((slot) => slot.name === name);
  }

  /** @returns an empty file with that name, or undefined if no spare file is left */
  create(name: string): Slot | undefined {
    const slot = this.#slots.find((slot) => slot.name === null);
    if (slot) this.#name(slot, name);
    return slot;
  }

  /** Rename a file. It replaces an existing file with that name. */
  rename(slot: Slot, name: string) {
    const replaced = this.find(name);
    this.#name(slot, name);
    this.flush(slot);
    if (replaced && replaced !== slot) this.remove(replaced);
  }

  remove(slot: Slot) {
    this.#change(slot).truncate(0);
    this.flush(slot);
    slot.name = null;
  }

  /** @returns bytes */
  size(slot: Slot): number {
    return Math.max(0, slot.handle.getSize() - HEADER);
  }

  /** @returns bytes */
  read(slot: Slot, into: Uint8Array, at: number): number {
    return slot.handle.read(into, { at: HEADER + at });
  }

  /** @returns bytes */
  write(slot: Slot, from: Uint8Array, at: number): number {
    slot.time = Date.now();
    return this.#change(slot).write(from, { at: HEADER + at });
  }

  truncate(slot: Slot, size: number) {
    this.#change(slot).truncate(HEADER + size);
  }

  flush(slot: Slot) {
    slot.handle.flush();
    if (this.#unflushed === slot) this.#unflushed = null;
  }

  close() {
    for (const { handle } of this.#slots) handle.close();
  }

  #name(slot: Slot, name: string) {
    const order = 1 + Math.max(...this.#slots.map((slot) => slot.order));
    const header = new Uint8Array(HEADER);
    const time = Date.now();
    encoder.encodeInto(JSON.stringify({ name, order, time }), header);
    this.#change(slot).write(header, { at: 0 });
    Object.assign(slot, { name, order, time });
  }

  /** Return the handle of a file to change. Flush the file that changed before it first. */
  #change(slot: Slot) {
    if (this.#unflushed && this.#unflushed !== slot) this.flush(this.#unflushed);
    this.#unflushed = slot;
    return slot.handle;
  }
}

function readHeader(
  id: string,
  handle: FileSystemSyncAccessHandle,
): { name: string | null; order: number; time: number } {
  const spare = { name: null, order: 0, time: 0 };
  if (handle.getSize() === 0) return spare;
  const header = new Uint8Array(HEADER);
  handle.read(header, { at: 0 });
  try {
    const { name, order, time } = JSON.parse(decoder.decode(header).replace(/\0+$/, ""));
    return { name, order, time };
  } catch {
    // Without contents, naming was interrupted. With contents, the header is damaged, so keep the file.
    return handle.getSize() <= HEADER ? spare : { ...spare, name: `nameless-${id}` };
  }
}
