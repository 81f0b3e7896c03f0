/**
 * Moves data that an earlier version stored on the page's own origin to the kernel's (web/kernel/move.ts receives it).
 */

import { blobChecksum } from "../../kernel/blob_checksum.ts";
import type { MovedFile } from "../../kernel/move.ts";
import type { KernelFrame } from "./frame.ts";

// Rebuilt from the build, so not worth moving.
const NOT_MOVED = "python-snapshot";

/** The files of an earlier version. */
export class EarlierFiles {
  // Looked for at once, while the frame opens: there are rarely any.
  #stored = navigator.storage?.getDirectory ? listed(navigator.storage.getDirectory()) : null;

  constructor() {
    // `move` reports it.
    this.#stored?.catch(() => {});
  }

  /**
   * Move the files, if any. Files that can't be moved stay.
   *
   * @returns the reason that files were left behind, or null
   */
  async move(frame: KernelFrame): Promise<string | null> {
    try {
      const stored = await this.#stored;
      if (stored === null || stored.names.length === 0) return null;
      const found = await storedFiles(stored.root);
      if (found.length > 0) await moveFiles(frame, found);
      for (const name of stored.names) await stored.root.removeEntry(name, { recursive: true });
      return null;
    } catch (error) {
      return `Files of an earlier version could not be moved, and are still stored for this page's address: ${error}`;
    }
  }
}

async function listed(opening: Promise<FileSystemDirectoryHandle>) {
  const root = await opening;
  const names: string[] = [];
  for await (const name of root.keys()) names.push(name);
  return { root, names };
}

type StoredFile = { path: string; blob: File };

/** @returns non-empty files, by path */
async function storedFiles(root: FileSystemDirectoryHandle): Promise<StoredFile[]> {
  const found = [];
  for await (const [folder, handle] of root) {
    if (handle.kind !== "directory" || folder === NOT_MOVED) continue;
    for await (const [name, inner] of handle) {
      if (inner.kind !== "file") continue;
      const blob = await inner.getFile();
      if (blob.size > 0) found.push({ path: `${folder}/${name}`, blob });
    }
  }
  return found.sort((left, right) => (left.path < right.path ? -1 : 1));
}

async function moveFiles(frame: KernelFrame, found: StoredFile[]) {
  const files: MovedFile[] = [];
  for (const { path, blob } of found) files.push({ path, size: blob.size, checksum: await blobChecksum(blob) });
  if (await frame.move({ act: "look", files })) return;
  for (const [index, file] of files.entries()) await frame.move({ act: "file", file, blob: found[index].blob });
  await frame.move({ act: "finish", files });
}
