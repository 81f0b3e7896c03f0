// The machines that the browser's storage has, running or not.
import type { FileSystem } from "../kernel/emscripten.ts";
import { deleteFiles, openFolder, readChanges, storedMachines, writeChanges } from "./disk/storage.ts";
import { forget, readAbout, rollBack, savedBytes } from "./saved.ts";

/**
 * List them.
 * @returns in bytes and in milliseconds since 1970; 0 if it isn't saved
 */
export async function listMachines(): Promise<
  { name: string; changes: number; savedAt: number; savedBytes: number }[]
> {
  const found = [];
  for (const { name, changes, folder } of await storedMachines()) {
    const about = await readAbout(folder);
    const bytes = about ? await savedBytes(folder, about.mark) : 0;
    found.push({ name, changes, savedAt: about?.at ?? 0, savedBytes: bytes });
  }
  return found;
}

/** Delete all that a machine has saved; it may not run. */
export const deleteMachine = deleteFiles;

/** Return to the disk of the saved state, which the machine then continues; it may not run. */
export async function rollBackMachine(name: string) {
  const folder = await openFolder(name);
  const about = folder && (await readAbout(folder));
  if (!folder || !about) throw new Error("nothing is saved");
  await rollBack(folder, about.mark);
}

/** Write a machine's changes to a file of Python's filesystem; it may not run meanwhile. */
export async function exportDisk(FS: FileSystem, name: string, path: string) {
  FS.writeFile(path, await readChanges(name), { canOwn: true });
}

/** Replace a machine's changes by such a file, and delete its saved state; it may not run. */
export async function importDisk(FS: FileSystem, name: string, path: string) {
  const stream = FS.open(path, "r");
  const from = {
    getSize: () => stream.node.usedBytes,
    read: (into: Uint8Array, { at }: { at: number }) => FS.read(stream, into, 0, into.length, at),
  };
  try {
    const folder = await writeChanges(name, from);
    await forget(folder, () => true);
  } finally {
    FS.close(stream);
  }
}
