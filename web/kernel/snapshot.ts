// A memory snapshot of Python with its packages imported, in the origin private file system. A start from it skips
// Python's own start and all imports. It is created in this browser, for this build, when the kernel is idle, by a
// worker that runs no code of the user. The page remembers its digest (web/ui/kernel/snapshot_digest.ts).
import { hex } from "./bytes.ts";
import type { Pyodide } from "./pyodide.ts";
import type { Deferred } from "./deferred.ts";
import type { SnapshotState } from "./messages.ts";
import { bootPython } from "./python.ts";

const FOLDER = "python-snapshot";
// A snapshot belongs to one build, and to the time zone and language that Python reads when it starts.
const BUILD = new URL(".", self.location.href).pathname.split("/").at(-2) ?? "";
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const NAME = [BUILD, timeZone, navigator.language].join("~").replaceAll("/", "-");
// The name has this suffix while a start uses it, so that a snapshot that crashed a start isn't used again.
const IN_USE = ".in-use";
const UNFINISHED = ".unfinished";

/**
 * Boot Python from the snapshot, or from scratch if there is none, it isn't the one that the page knows, or it can't be
 * restored.
 * @param digest - of the snapshot that the page knows: code in the kernel can write any file here
 * @returns call `retain` when the kernel is ready: the snapshot works
 */
export async function bootFromSnapshot(
  report: (state: SnapshotState) => void,
  digest: string | null,
): Promise<{ pyodide: Pyodide; deferred: Deferred; retain: () => Promise<void> }> {
  const saved = await claim();
  if (typeof saved === "object") {
    try {
      if (digest === null) throw new Error("The page doesn't know this snapshot.");
      const { pyodide, deferred } = await bootPython({ snapshot: read(saved, digest) });
      pyodide.pyimport<{ resume(): void }>("gemini.kernel.snapshot").resume();
      report("restored");
      return { pyodide, deferred, retain: () => saved.move(NAME) };
    } catch (error) {
      console.warn("The snapshot of Python could not be restored. Python starts from scratch.", error);
      await remove(saved.name);
    }
  }
  if (typeof saved === "object" || saved === "bad") report("dropped");
  return bootFromScratch();
}

/**
 * Boot Python from the snapshot, which stays as it is, as the kernel is using it.
 * @returns null if there is no such snapshot
 */
export async function bootFromCopy(digest: string): Promise<{ pyodide: Pyodide; deferred: Deferred } | null> {
  const memory = await find(digest);
  if (memory === null) return null;
  const booted = await bootPython({ snapshot: Promise.resolve(memory) });
  booted.pyodide.pyimport<{ resume(): void }>("gemini.kernel.snapshot").resume();
  return booted;
}

async function find(digest: string) {
  try {
    const folder = await openFolder();
    for (const name of [NAME, NAME + IN_USE]) {
      const handle = await folder.getFileHandle(name).catch(() => null);
      if (handle) return await read(handle, digest);
    }
  } catch (error) {
    console.info("An interpreter starts without the snapshot.", error);
  }
  return null;
}

/** Boot Python without the snapshot, which stays as it is. */
export async function bootFromScratch() {
  return { ...(await bootPython()), retain: async () => {} };
}

/** Create and save the snapshot in a dedicated worker, send its digest to the frame, and end the worker. */
export async function makeSnapshot() {
  try {
    // Fails at once if there is no storage.
    await openFolder();
    const { pyodide } = await bootPython({ makeSnapshot: true });
    pyodide.pyimport<{ prepare(): void }>("gemini.kernel.snapshot").prepare();
    // The snapshot refers to this object, which Pyodide restores empty.
    for (const name of Object.keys(pyodide.loadedPackages)) delete pyodide.loadedPackages[name];
    const memory = pyodide.makeMemorySnapshot();
    // Before it is stored where code in the kernel can change it.
    const digest = await digestOf(memory);
    await save(memory);
    self.postMessage({ digest });
  } catch (error) {
    console.info("The snapshot of Python could not be saved, so the next start will not be faster.", error);
  } finally {
    self.close();
  }
}

/**
 * Find this build's snapshot, mark it as in use, and delete other builds' snapshots.
 * @returns "bad": the previous start from it failed
 */
async function claim(): Promise<FileSystemFileHandle | "none" | "bad" | "unavailable"> {
  // Without storage there are no snapshots.
  if (!navigator.storage?.getDirectory || !("move" in FileSystemFileHandle.prototype)) return "unavailable";
  try {
    const folder = await openFolder();
    let found: FileSystemFileHandle | "none" | "bad" = "none";
    for await (const [name, handle] of folder) {
      if (name === NAME && handle.kind === "file") found = handle;
      else await folder.removeEntry(name);
      if (name === NAME + IN_USE) found = "bad";
    }
    if (typeof found === "object") await found.move(NAME + IN_USE);
    return found;
  } catch (error) {
    // The browser denies access, or the worker that creates a snapshot is about to end.
    if (error instanceof DOMException) return "unavailable";
    throw error;
  }
}

/** @throws {Error} the file has another digest */
async function read(handle: FileSystemFileHandle, digest: string): Promise<Uint8Array<ArrayBuffer>> {
  const memory = new Uint8Array(await (await handle.getFile()).arrayBuffer());
  if ((await digestOf(memory)) !== digest) throw new Error("The snapshot is damaged.");
  return memory;
}

async function save(memory: Uint8Array<ArrayBuffer>) {
  const folder = await openFolder();
  const name = NAME + UNFINISHED;
  const file = await folder.getFileHandle(name, { create: true });
  const handle = await file.createSyncAccessHandle();
  try {
    handle.truncate(0);
    handle.write(memory, { at: 0 });
    handle.flush();
  } catch (error) {
    // Free the space that a partial snapshot takes up.
    handle.truncate(0);
    throw error;
  } finally {
    handle.close();
  }
  await file.move(NAME);
}

/** @returns SHA-256, in hexadecimal digits */
async function digestOf(memory: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", memory);
  return hex(new Uint8Array(digest));
}

async function remove(name: string) {
  await (await openFolder()).removeEntry(name);
}

async function openFolder() {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(FOLDER, { create: true });
}
