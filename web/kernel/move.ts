// Takes over, once, the files that an earlier version saved on the page's own origin (docs/durability.md).
//
// Files arrive in a separate folder and are checked there. A list of them, written last, commits the move: an
// interrupted move continues if the list exists, and starts over if not. The page deletes its copy when this one is
// complete.
import { blobChecksum } from "./blob_checksum.js";

/**
 * @typedef {{ path: string, size: number, checksum: number }} MovedFile `path` is folder and name
 * @typedef {{ act: "look", files: MovedFile[] }
 *   | { act: "file", file: MovedFile, blob: Blob }
 *   | { act: "finish", files: MovedFile[] }} Step
 */

const ARRIVING = "arriving";
// Within that folder, names are percent-encoded paths, which this one isn't.
const LIST = "%list";
const MOVED = "moved-from-page.json";

export class Mover {
  #fresh = true;

  /**
   * @param {Step} step
   * @returns {Promise<boolean>} for "look", whether these files have already been moved; else true
   * @throws {Error} a file arrived damaged, or this origin already has other files
   */
  async take(step) {
    const root = await navigator.storage.getDirectory();
    if (step.act === "look") return this.#look(root, step.files);
    const arriving = await root.getDirectoryHandle(ARRIVING, { create: true });
    if (step.act === "file") await this.#receive(root, step.file, step.blob);
    else await finish(root, arriving, step.files);
    return true;
  }

  /** @param {FileSystemDirectoryHandle} root @param {MovedFile[]} files */
  async #look(root, files) {
    const list = await readList(await root.getDirectoryHandle(ARRIVING, { create: true }), LIST);
    if (list) await settle(root, await root.getDirectoryHandle(ARRIVING), list);
    const moved = await readList(root, MOVED);
    if (moved && JSON.stringify(moved) === JSON.stringify(files)) return true;
    if (moved || (await isInUse(root))) throw new Error("this origin already has other files");
    return false;
  }

  /** @param {FileSystemDirectoryHandle} root @param {MovedFile} file @param {Blob} blob */
  async #receive(root, { path, size, checksum }, blob) {
    if (this.#fresh) await root.removeEntry(ARRIVING, { recursive: true });
    this.#fresh = false;
    const arriving = await root.getDirectoryHandle(ARRIVING, { create: true });
    await write(arriving, encodeURIComponent(path), blob);
    const handle = await arriving.getFileHandle(encodeURIComponent(path));
    const arrived = await handle.getFile();
    if (arrived.size !== size || (await blobChecksum(arrived)) !== checksum) throw new Error(`${path} arrived damaged`);
  }
}

/** @param {FileSystemDirectoryHandle} root @param {FileSystemDirectoryHandle} arriving @param {MovedFile[]} files */
async function finish(root, arriving, files) {
  await write(arriving, LIST, JSON.stringify(files));
  await settle(root, arriving, files);
}

/**
 * Move the files that have arrived to their places. It can be interrupted anywhere and repeated.
 * @param {FileSystemDirectoryHandle} root @param {FileSystemDirectoryHandle} arriving @param {MovedFile[]} files
 */
async function settle(root, arriving, files) {
  for (const { path } of files) {
    const [folder, name] = path.split("/");
    const file = await find(arriving, encodeURIComponent(path));
    if (file) await file.move(await root.getDirectoryHandle(folder, { create: true }), name);
  }
  await write(root, MOVED, JSON.stringify(files));
  await root.removeEntry(ARRIVING, { recursive: true });
}

/** Return whether a kernel has saved files on this origin. @param {FileSystemDirectoryHandle} root */
async function isInUse(root) {
  for await (const [name, handle] of root) {
    if (handle.kind !== "directory" || name === ARRIVING || name === "python-snapshot") continue;
    for await (const inner of handle.values()) {
      if (inner.kind === "directory" || (await inner.getFile()).size > 0) return true;
    }
  }
  return false;
}

/** @param {FileSystemDirectoryHandle} folder @param {string} name @returns {Promise<MovedFile[] | null>} */
async function readList(folder, name) {
  const file = await find(folder, name);
  return file && JSON.parse(await (await file.getFile()).text());
}

/**
 * @param {FileSystemDirectoryHandle} folder @param {string} name
 * @returns {Promise<(FileSystemFileHandle & { move(folder: FileSystemDirectoryHandle, name: string): Promise<void> })
 *   | null>}
 */
async function find(folder, name) {
  try {
    return /** @type {any} */ (await folder.getFileHandle(name));
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotFoundError") return null;
    throw error;
  }
}

/** @param {FileSystemDirectoryHandle} folder @param {string} name @param {Blob | string} content */
async function write(folder, name, content) {
  const file = await folder.getFileHandle(name, { create: true });
  const writable = await file.createWritable();
  await writable.write(content);
  // The file doesn't change before this.
  await writable.close();
}
