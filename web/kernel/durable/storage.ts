/** The journal's two files in the origin private file system, open with exclusive handles. */

import { StorageUnavailable } from "./errors.ts";

const SLOTS = ["a", "b"] as const;
const RETRY_MS = 20;

// Not in TypeScript's libraries yet. Every browser with synchronous handles has `move`.
declare global {
  interface FileSystemFileHandle {
    move(name: string): Promise<void>;
  }
}

/** The open files of a journal. */
export class Storage {
  #directory: FileSystemDirectoryHandle;
  handles: FileSystemSyncAccessHandle[] = [];

  constructor(directory: FileSystemDirectoryHandle) {
    this.#directory = directory;
  }

  /**
   * @param name - of a directory of the origin private file system
   * @param waitMs - how long to retry while another tab, or a worker that was just terminated, holds the files
   * @throws {StorageUnavailable}
   */
  static async open(name: string, waitMs: number): Promise<Storage> {
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
   * @returns the new name
   */
  async setAside(index: number): Promise<string> {
    const slot = SLOTS[index];
    const name = `damaged-${new Date().toISOString().replaceAll(":", "-")}-${slot}`;
    const file = await this.#directory.getFileHandle(slot);
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
 * @param name - of a file in it; created if it is missing
 * @param deadline - as `performance.now()`; until then, retry while another tab or worker holds the file
 * @throws {StorageUnavailable}
 */
export async function openHandle(
  directory: FileSystemDirectoryHandle,
  name: string,
  deadline: number,
): Promise<FileSystemSyncAccessHandle> {
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

/** @throws {StorageUnavailable} */
export async function openDirectory(name: string): Promise<FileSystemDirectoryHandle> {
  if (!globalThis.isSecureContext) {
    throw new StorageUnavailable("insecure", "Files can't be saved: this page needs https: or localhost.");
  }
  if (!navigator.storage?.getDirectory) {
    throw new StorageUnavailable(
      "unsupported",
      "Files can't be saved: this browser has no origin private file system.",
    );
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
