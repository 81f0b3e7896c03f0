// The file with a machine's changes in the origin private file system.
import { openDirectory, openHandle } from "../../kernel/durable/storage.js";
import { StorageUnavailable } from "../../kernel/durable/errors.js";
import { BLOCK, MemoryBlocks, StoredBlocks } from "./blocks.js";
import { CHANGES_SIZE } from "./disk.js";

const FOLDER = "linux";
const FILE = "changes";
// A worker that was just ended still holds its files.
const PATIENCE_MS = 30_000;

/** Open the file; null where the browser has no storage for this page. @throws {StorageUnavailable} another tab has it open */
async function open() {
  try {
    return await openHandle(await openDirectory(FOLDER), FILE, performance.now() + PATIENCE_MS);
  } catch (error) {
    if (error instanceof StorageUnavailable && error.reason !== "owned-by-another-tab") return null;
    throw error;
  }
}

/**
 * Open the changes. Without storage they end with the machine, as its other files do.
 * @param {(problem: Error) => void} failed called once, when changes can no longer be saved
 * @returns {Promise<StoredBlocks | MemoryBlocks>}
 * @throws {StorageUnavailable} another tab has them open
 */
export async function openChanges(failed) {
  const handle = await open();
  return handle ? new StoredBlocks(handle, CHANGES_SIZE / BLOCK, failed) : new MemoryBlocks();
}

/** Delete the changes; no machine may run. @throws {StorageUnavailable} another tab has them open */
export async function deleteChanges() {
  const handle = await open();
  handle?.truncate(0);
  handle?.flush();
  handle?.close();
}
