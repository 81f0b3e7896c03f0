/** The journal's two files in the origin private file system, open with exclusive handles. */

import { StorageUnavailable } from "./errors.js";

const SLOTS = /** @type {const} */ (["a", "b"]);
const RETRY_MS = 20;

/**
 * Not in TypeScript's libraries yet. Every browser with synchronous handles has `move`.
 * @typedef {FileSystemFileHandle & {move(name: string): Promise<void>}} MovableFile
 */

/** The open files of a journal. */
export class Storage {
  #directory;
  /** @type {FileSystemSyncAccessHandle[]} */
  handles = [];

  /** @param {FileSystemDirectoryHandle} directory */
  constructor(directory) {
    this.#directory = directory;
  }

  /**
   * @param {string} name of a directory of the origin private file system
   * @param {number} waitMs how long to retry while another tab, or a worker that was just terminated, holds the files
   * @returns {Promise<Storage>}
   * @throws {StorageUnavailable}
   */
  static async open(name, waitMs) {
    const storage = new Storage(await openDirectory(name));
    const deadline = performance.now() + waitMs;
    try {
      for (const slot of SLOTS) storage.handles.push(await openHandle(storage.#directory, slot, deadline));
    } catch (error) {
      storage.close();
      throw error;
    }
    return storage;
  }

  /**
   * Rename a file so that it is never overwritten, and create an empty one in its place.
   * @param {number} index
   * @returns {Promise<string>} the new name
   */
  async setAside(index) {
    const slot = SLOTS[index];
    const name = `damaged-${new Date().toISOString().replaceAll(":", "-")}-${slot}`;
    const file = /** @type {MovableFile} */ (await this.#directory.getFileHandle(slot));
    this.handles[index].close();
    await file.move(name);
    this.handles[index] = await openHandle(this.#directory, slot, performance.now());
    return name;
  }

  close() {
    for (const handle of this.handles) handle.close();
  }
}

/**
 * @param {FileSystemDirectoryHandle} directory
 * @param {string} name of a file in it; created if it is missing
 * @param {number} deadline as `performance.now()`; until then, retry while another tab or worker holds the file
 * @returns {Promise<FileSystemSyncAccessHandle>}
 * @throws {StorageUnavailable}
 */
export async function openHandle(directory, name, deadline) {
  const file = await directory.getFileHandle(name, { create: true });
  for (;;) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      if (error.name !== "NoModificationAllowedError") {
        throw new StorageUnavailable("denied", `The storage can't be opened: ${error.message}`, error);
      }
      if (performance.now() >= deadline) {
        throw new StorageUnavailable("owned-by-another-tab", "Another tab holds the files.", error);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/**
 * @param {string} name
 * @returns {Promise<FileSystemDirectoryHandle>}
 * @throws {StorageUnavailable}
 */
export async function openDirectory(name) {
  if (!globalThis.isSecureContext) {
    throw new StorageUnavailable("insecure", "Files can't be saved: this page needs https: or localhost.");
  }
  if (!navigator.storage?.getDirectory) {
    throw new StorageUnavailable("unsupported", "Files can't be saved: this browser has no origin private file system.");
  }
  if (!("createSyncAccessHandle" in FileSystemFileHandle.prototype)) {
    throw new StorageUnavailable("not-a-worker", "Files can only be saved from dedicated workers.");
  }
  try {
    const root = await navigator.storage.getDirectory();
    return await root.getDirectoryHandle(name, { create: true });
  } catch (error) {
    throw new StorageUnavailable("denied", "The browser denies storage to this page.", error);
  }
}
