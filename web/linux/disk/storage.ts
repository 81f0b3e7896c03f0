// The files of machines in the origin private file system. The first machine has the folder `linux`, the others have
// folders in `linux/machines`.
import { openDirectory, openHandle } from "../../kernel/durable/storage.ts";
import { StorageUnavailable } from "../../kernel/durable/errors.ts";
import { BLOCK, copyHandle, MemoryBlocks, StoredBlocks, type Readable } from "./blocks.ts";
import { CHANGES_SIZE } from "./disk.ts";

/** The name of the first machine. */
const MAIN = "main";
const FOLDER = "linux";
const OTHERS = "machines";
const FILE = "changes";
// It replaces the other once it is complete.
const NEW = "changes.new";
// A worker that was just ended still holds its files.
const PATIENCE_MS = 30_000;
const NO_STORAGE = "the browser has no storage for this page";

/** Open the folder of a machine; null where the browser has no storage for this page. */
export async function openFolder(machine: string) {
  try {
    const folder = await openDirectory(FOLDER);
    if (machine === MAIN) return folder;
    const others = await folder.getDirectoryHandle(OTHERS, { create: true });
    return await others.getDirectoryHandle(machine, { create: true });
  } catch (error) {
    if (error instanceof StorageUnavailable) return null;
    throw error;
  }
}

/** @throws {StorageUnavailable} another tab has it open */
export function openFile(folder: FileSystemDirectoryHandle, name: string) {
  return openHandle(folder, name, performance.now() + PATIENCE_MS);
}

/**
 * Open the changes. Without storage they end with the machine, as its other files do.
 * @param empty - the blocks of the empty filesystem that aren't zeros
 * @param failed - called once, when changes can no longer be saved
 * @throws {StorageUnavailable} another tab has them open
 */
export async function openChanges(
  folder: FileSystemDirectoryHandle | null,
  empty: Map<number, Uint8Array>,
  failed: (problem: Error) => void,
): Promise<StoredBlocks | MemoryBlocks> {
  if (!folder) return new MemoryBlocks();
  await finishReplacing(folder);
  return new StoredBlocks(await openFile(folder, FILE), CHANGES_SIZE / BLOCK, empty, failed);
}

/** Replace a machine's changes by a copy of a file; it may not run. */
export async function replaceChanges(folder: FileSystemDirectoryHandle, name: string) {
  const from = await openFile(folder, name);
  await writeCopy(folder, NEW, from).finally(() => from.close());
  await finishReplacing(folder);
}

async function finishReplacing(folder: FileSystemDirectoryHandle) {
  const names = await namesIn(folder);
  if (!names.includes(NEW)) return;
  // A kill while it was copied leaves it without its header, and the old changes.
  const copied = await openFile(folder, NEW);
  const complete = StoredBlocks.isComplete(copied);
  copied.close();
  if (!complete) return folder.removeEntry(NEW);
  if (names.includes(FILE)) await folder.removeEntry(FILE);
  const file = await folder.getFileHandle(NEW);
  await file.move(FILE);
}

/** Copy to a file; an incomplete copy is deleted. */
export async function writeCopy(folder: FileSystemDirectoryHandle, name: string, from: Readable) {
  const to = await openFile(folder, name);
  try {
    copyHandle(from, to);
  } catch (error) {
    to.close();
    await folder.removeEntry(name);
    throw error;
  }
  to.close();
}

/** Give a new machine the changes of another. */
export async function copyChanges(machine: string, blocks: StoredBlocks) {
  const folder = await openFolder(machine);
  if (!folder) return;
  await writeCopy(folder, NEW, blocks.handle);
  await finishReplacing(folder);
}

/** Read the file with a machine's changes, which it may not write meanwhile. */
export async function readChanges(machine: string): Promise<Uint8Array> {
  const folder = await openFolder(machine);
  if (!folder) throw new Error(NO_STORAGE);
  const file = await (await folder.getFileHandle(FILE)).getFile();
  return new Uint8Array(await file.arrayBuffer());
}

/** Replace a machine's changes; it may not run. */
export async function writeChanges(machine: string, from: Readable): Promise<FileSystemDirectoryHandle> {
  const folder = await openFolder(machine);
  if (!folder) throw new Error(NO_STORAGE);
  // A worker that was just ended still holds it.
  (await openFile(folder, FILE)).close();
  await writeCopy(folder, NEW, from);
  await finishReplacing(folder);
  return folder;
}

/** The machines that have files, and their changes' bytes. */
export async function storedMachines(): Promise<
  { name: string; changes: number; folder: FileSystemDirectoryHandle }[]
> {
  const folder = await openFolder(MAIN);
  if (!folder) return [];
  const folders = [{ name: MAIN, folder }];
  if ((await namesIn(folder)).includes(OTHERS)) {
    const others = await folder.getDirectoryHandle(OTHERS);
    for (const name of await namesIn(others)) folders.push({ name, folder: await others.getDirectoryHandle(name) });
  }
  const found = [];
  for (const each of folders) {
    const changes = await sizeOf(each.folder, FILE);
    if (changes !== null) found.push({ ...each, changes });
  }
  return found;
}

export async function namesIn(folder: FileSystemDirectoryHandle) {
  const names = [];
  for await (const name of folder.keys()) names.push(name);
  return names;
}

/** The size of a file, null if there is none. */
export async function sizeOf(folder: FileSystemDirectoryHandle, name: string) {
  const names = await namesIn(folder);
  if (!names.includes(name)) return null;
  const file = await (await folder.getFileHandle(name)).getFile();
  return file.size;
}

/**
 * Delete all files of a machine; it may not run.
 * @param entirely - otherwise it is listed still, with an empty disk
 * @throws {StorageUnavailable} another tab has them open
 */
export async function deleteFiles(machine: string, entirely: boolean) {
  const folder = await openFolder(machine);
  if (!folder) return;
  // Another tab's machine would continue without its file.
  const changes = await openFile(folder, FILE);
  changes.truncate(0);
  changes.close();
  for (const name of await namesIn(folder)) {
    if (name !== OTHERS && (entirely || name !== FILE)) await folder.removeEntry(name);
  }
  if (machine === MAIN || !entirely) return;
  const others = await (await openDirectory(FOLDER)).getDirectoryHandle(OTHERS);
  await others.removeEntry(machine, { recursive: true });
}
