// The saved state of a machine: its memory, its changes at that moment, and the kernel's data to continue it.
// The last of the three files that is written names the others, so a kill leaves the old state or the new one.
import type { StoredBlocks } from "./disk/blocks.ts";
import { namesIn, openFile, replaceChanges, sizeOf, writeCopy } from "./disk/storage.ts";

interface About {
  /** the number of the state, which its changes have, too */
  mark: number;
  /** the folder of the build's machine that it began with */
  image: string;
  /** when it was saved, in milliseconds since 1970 */
  at: number;
  clock: number;
  /** of the machine's channels and files (machine.ts) */
  kernel: unknown;
  /** of the kernel's terminals */
  details: string;
}

const ABOUT = /^saved-(\d+)\.json$/;
const OWN = /^saved-(\d+)\./;

const namesOf = (mark: number) => ({
  about: `saved-${mark}.json`,
  memory: `saved-${mark}.memory`,
  changes: `saved-${mark}.changes`,
});

/**
 * Save a state instead of the last one.
 * @param folder - of the machine
 * @param blocks - its changes
 */
export async function save(
  folder: FileSystemDirectoryHandle,
  blocks: StoredBlocks,
  memory: ArrayBuffer,
  about: Omit<About, "mark">,
) {
  const [mark] = crypto.getRandomValues(new Uint32Array(1));
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

async function write(folder: FileSystemDirectoryHandle, name: string, stream: ReadableStream<Uint8Array>) {
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

/** Return the record of the saved state, null if there is none. */
export async function readAbout(folder: FileSystemDirectoryHandle): Promise<About | null> {
  let newest: About | null = null;
  for (const name of await namesIn(folder)) {
    if (!ABOUT.test(name)) continue;
    const file = await (await folder.getFileHandle(name)).getFile();
    const about = JSON.parse(await file.text());
    // A kill may have left the older one, too.
    if (about.at > (newest?.at ?? 0)) newest = about;
  }
  return newest;
}

export async function readMemory(folder: FileSystemDirectoryHandle, mark: number) {
  const file = await (await folder.getFileHandle(namesOf(mark).memory)).getFile();
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

/** The bytes of a saved state. */
export async function savedBytes(folder: FileSystemDirectoryHandle, mark: number) {
  const { memory, changes } = namesOf(mark);
  return ((await sizeOf(folder, memory)) ?? 0) + ((await sizeOf(folder, changes)) ?? 0);
}

/** Give a machine the changes that it had when it was saved. */
export function rollBack(folder: FileSystemDirectoryHandle, mark: number) {
  return replaceChanges(folder, namesOf(mark).changes);
}

/** Delete saved states. */
export async function forget(folder: FileSystemDirectoryHandle, which: (mark: number) => boolean) {
  for (const name of await namesIn(folder)) {
    const mark = OWN.exec(name)?.[1];
    if (mark && which(Number(mark))) await folder.removeEntry(name);
  }
}
