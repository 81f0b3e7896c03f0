// The saved state of a machine: what was in its memory, its changes at that moment, and what the kernel needs to continue it.
// The last of the three files that is written names the others, so a kill leaves the old state or the new one.
import { namesIn, openFile, replaceChanges, sizeOf, writeCopy } from "./disk/storage.js";

/**
 * @typedef {object} About
 * @property {number} mark the number of the state, which its changes have, too
 * @property {string} image the folder of the build's machine that it began with
 * @property {number} at when it was saved, in milliseconds since 1970
 * @property {number} clock
 * @property {any} kernel of the machine's channels and files (machine.js)
 * @property {string} details of the kernel's terminals
 *
 * @typedef {import("./disk/blocks.js").StoredBlocks} StoredBlocks
 */

const ABOUT = /^saved-(\d+)\.json$/;
const OWN = /^saved-(\d+)\./;

/** @param {number} mark */
const namesOf = (mark) => ({ about: `saved-${mark}.json`, memory: `saved-${mark}.memory`, changes: `saved-${mark}.changes` });

/**
 * Save a state instead of the last one.
 * @param {FileSystemDirectoryHandle} folder of the machine
 * @param {StoredBlocks} blocks its changes
 * @param {ArrayBuffer} memory
 * @param {Omit<About, "mark">} about
 */
export async function save(folder, blocks, memory, about) {
  const [mark] = /** @type {[number]} */ ([...crypto.getRandomValues(new Uint32Array(1))]);
  const names = namesOf(mark);
  try {
    blocks.mark = mark;
    blocks.flush();
    await writeCopy(folder, names.changes, blocks.handle);
    await write(folder, names.memory, new Blob([memory]).stream().pipeThrough(new CompressionStream("gzip")));
    await write(folder, names.about, new Blob([JSON.stringify({ mark, ...about })]).stream());
  } catch (error) {
    blocks.mark = 0;
    await forget(folder, (each) => each === mark);
    throw error;
  }
  await forget(folder, (each) => each !== mark);
}

/** @param {FileSystemDirectoryHandle} folder @param {string} name @param {ReadableStream<Uint8Array>} stream */
async function write(folder, name, stream) {
  const handle = await openFile(folder, name);
  try {
    handle.truncate(0);
    let at = 0;
    const reader = stream.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      at += handle.write(part.value, { at });
    }
    handle.flush();
  } finally {
    handle.close();
  }
}

/** Return what is known of the saved state, null if there is none. @param {FileSystemDirectoryHandle} folder @returns {Promise<About | null>} */
export async function readAbout(folder) {
  /** @type {About | null} */
  let newest = null;
  for (const name of await namesIn(folder)) {
    if (!ABOUT.test(name)) continue;
    const file = await (await folder.getFileHandle(name)).getFile();
    const about = JSON.parse(await file.text());
    // A kill may have left the older one, too.
    if (about.at > (newest?.at ?? 0)) newest = about;
  }
  return newest;
}

/** @param {FileSystemDirectoryHandle} folder @param {number} mark */
export async function readMemory(folder, mark) {
  const file = await (await folder.getFileHandle(namesOf(mark).memory)).getFile();
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** The bytes of a saved state. @param {FileSystemDirectoryHandle} folder @param {number} mark */
export async function savedBytes(folder, mark) {
  const { memory, changes } = namesOf(mark);
  return ((await sizeOf(folder, memory)) ?? 0) + ((await sizeOf(folder, changes)) ?? 0);
}

/** Give a machine the changes that it had when it was saved. @param {FileSystemDirectoryHandle} folder @param {number} mark */
export function rollBack(folder, mark) {
  return replaceChanges(folder, namesOf(mark).changes);
}

/** Delete saved states. @param {FileSystemDirectoryHandle} folder @param {(mark: number) => boolean} which */
export async function forget(folder, which) {
  for (const name of await namesIn(folder)) {
    const mark = OWN.exec(name)?.[1];
    if (mark && which(Number(mark))) await folder.removeEntry(name);
  }
}
