// Takes over, once, the files that an earlier version saved on the page's own origin (docs/durability.md).
//
// Files arrive in a separate folder and are checked there. A list of them, written last, commits the move: an
// interrupted move continues if the list exists, and starts over if not. The page deletes its copy when this one is
// complete.
import { blobChecksum } from "./blob_checksum.ts";

/** `path` is folder and name */
export type MovedFile = { path: string; size: number; checksum: number };

export type Step =
  | { act: "look"; files: MovedFile[] }
  | { act: "file"; file: MovedFile; blob: Blob }
  | { act: "finish"; files: MovedFile[] };

// In no library of TypeScript's yet.
declare global {
  interface FileSystemFileHandle {
    move(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
  }
}

const ARRIVING = "arriving";
// Within that folder, names are percent-encoded paths, which this one isn't.
const LIST = "%list";
const MOVED = "moved-from-page.json";

export class Mover {
  #fresh = true;

  /**
   * @returns for "look", whether these files have already been moved; else true
   * @throws {Error} a file arrived damaged, or this origin already has other files
   */
  async take(step: Step): Promise<boolean> {
    const root = await navigator.storage.getDirectory();
    if (step.act === "look") return this.#look(root, step.files);
    const arriving = await root.getDirectoryHandle(ARRIVING, { create: true });
    if (step.act === "file") await this.#receive(root, step.file, step.blob);
    else await finish(root, arriving, step.files);
    return true;
  }

  async #look(root: FileSystemDirectoryHandle, files: MovedFile[]) {
    const list = await readList(await root.getDirectoryHandle(ARRIVING, { create: true }), LIST);
    if (list) await settle(root, await root.getDirectoryHandle(ARRIVING), list);
    const moved = await readList(root, MOVED);
    if (moved && JSON.stringify(moved) === JSON.stringify(files)) return true;
    if (moved || (await isInUse(root))) throw new Error("this origin already has other files");
    return false;
  }

  async #receive(root: FileSystemDirectoryHandle, { path, size, checksum }: MovedFile, blob: Blob) {
    if (this.#fresh) await root.removeEntry(ARRIVING, { recursive: true });
    this.#fresh = false;
    const arriving = await root.getDirectoryHandle(ARRIVING, { create: true });
    await write(arriving, encodeURIComponent(path), blob);
    const handle = await arriving.getFileHandle(encodeURIComponent(path));
    const arrived = await handle.getFile();
    if (arrived.size !== size || (await blobChecksum(arrived)) !== checksum) throw new Error(`${path} arrived damaged`);
  }
}

async function finish(root: FileSystemDirectoryHandle, arriving: FileSystemDirectoryHandle, files: MovedFile[]) {
  await write(arriving, LIST, JSON.stringify(files));
  await settle(root, arriving, files);
}

/** Move the files that have arrived to their places. It can be interrupted anywhere and repeated. */
async function settle(root: FileSystemDirectoryHandle, arriving: FileSystemDirectoryHandle, files: MovedFile[]) {
  for (const { path } of files) {
    const [folder, name] = path.split("/");
    const file = await find(arriving, encodeURIComponent(path));
    if (file) await file.move(await root.getDirectoryHandle(folder, { create: true }), name);
  }
  await write(root, MOVED, JSON.stringify(files));
  await root.removeEntry(ARRIVING, { recursive: true });
}

/** Return whether a kernel has saved files on this origin. */
async function isInUse(root: FileSystemDirectoryHandle) {
  for await (const [name, handle] of root) {
    if (handle.kind !== "directory" || name === ARRIVING || name === "python-snapshot") continue;
    for await (const inner of handle.values()) {
      if (inner.kind === "directory" || (await inner.getFile()).size > 0) return true;
    }
  }
  return false;
}

async function readList(folder: FileSystemDirectoryHandle, name: string): Promise<MovedFile[] | null> {
  const file = await find(folder, name);
  return file && JSON.parse(await (await file.getFile()).text());
}

async function find(folder: FileSystemDirectoryHandle, name: string): Promise<FileSystemFileHandle | null> {
  try {
    return await folder.getFileHandle(name);
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotFoundError") return null;
    throw error;
  }
}

async function write(folder: FileSystemDirectoryHandle, name: string, content: Blob | string) {
  const file = await folder.getFileHandle(name, { create: true });
  const writable = await file.createWritable();
  await writable.write(content);
  // The file doesn't change before this.
  await writable.close();
}
