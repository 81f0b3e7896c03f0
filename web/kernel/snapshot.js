// A memory snapshot of Python with its packages imported, in the origin private file system. A start from it skips
// Python's own start and all imports. It is created in this browser, for this build, when the kernel is idle.
import { checksum } from "./durable/checksum.js";
import { bootPython } from "./python.js";

/**
 * @import { Deferred } from "./deferred.js"
 * @import { SnapshotState } from "./messages.js"
 */

const FOLDER = "python-snapshot";
// A snapshot belongs to one build, and to the time zone and language that Python reads when it starts.
const BUILD = /** @type {string} */ (new URL(".", self.location.href).pathname.split("/").at(-2));
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const NAME = [BUILD, timeZone, navigator.language].join("~").replaceAll("/", "-");
// The name has this suffix while a start uses it, so that a snapshot that crashed a start isn't used again.
const IN_USE = ".in-use";
const UNFINISHED = ".unfinished";
// The checksum of the memory, padded so that the memory is aligned to words.
const HEADER = 16;
const SEED = 0;
// The kernel must be idle for this time before a snapshot is created.
const IDLE_MS = 5_000;

/** @typedef {FileSystemFileHandle & { move(name: string): Promise<void> }} SnapshotFile in no TypeScript library yet */

/**
 * Boot Python from the snapshot, or from scratch if there is none or it can't be restored.
 * @param {(state: SnapshotState) => void} report
 * @param {boolean} savesData the user's browser asks pages to save data, so no snapshot is created
 * @returns {Promise<{ pyodide: any, deferred: Deferred, settle: (idle: IdleWatch) => Promise<void> }>} call
 *   `settle` when the kernel is ready: it retains the snapshot that worked, or creates one when the kernel is idle
 */
export async function bootFromSnapshot(report, savesData) {
  const saved = await claim();
  if (saved === "bad") report("dropped");
  if (typeof saved === "object") {
    try {
      const { pyodide, deferred } = await bootPython({ snapshot: read(saved) });
      pyodide.pyimport("gemini.server.snapshot").resume();
      report("restored");
      return { pyodide, deferred, settle: () => saved.move(NAME) };
    } catch (error) {
      console.warn("The snapshot of Python could not be restored. Python starts from scratch.", error);
      await remove(saved.name);
      report("dropped");
    }
  }
  const settle = async (/** @type {IdleWatch} */ idle) => {
    if (saved === "unavailable" || savesData) return;
    await idle.wait(IDLE_MS);
    const worker = new Worker(self.location.href, { type: "module", name: "gemini-snapshot" });
    worker.onmessage = ({ data }) => data === "saved" && report("saved");
    worker.postMessage({ makeSnapshot: true });
  };
  return { ...(await bootPython()), settle };
}

/** Create and save the snapshot in a dedicated worker, and end the worker. */
export async function makeSnapshot() {
  try {
    const { pyodide } = await bootPython({ makeSnapshot: true });
    pyodide.pyimport("gemini.server.snapshot").prepare();
    // The snapshot refers to this object, which Pyodide restores empty.
    for (const name of Object.keys(pyodide.loadedPackages)) delete pyodide.loadedPackages[name];
    await save(pyodide.makeMemorySnapshot());
    self.postMessage("saved");
  } catch (error) {
    console.info("The snapshot of Python could not be saved, so the next start will not be faster.", error);
  } finally {
    self.close();
  }
}

/** A watch that waits until the kernel has been idle for some time. */
export class IdleWatch {
  #last = performance.now();

  /** Record activity. */
  touch() {
    this.#last = performance.now();
  }

  /** @param {number} ms @returns {Promise<void>} */
  async wait(ms) {
    for (let left = ms; left > 0; left = this.#last + ms - performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, left));
    }
  }
}

/**
 * Find this build's snapshot, mark it as in use, and delete those of other builds.
 * @returns {Promise<SnapshotFile | "none" | "bad" | "unavailable">} "bad": the previous start from it failed
 */
async function claim() {
  // Without storage there are no snapshots.
  if (!navigator.storage?.getDirectory || !("move" in FileSystemFileHandle.prototype)) return "unavailable";
  try {
    const folder = await openFolder();
    /** @type {SnapshotFile | "none" | "bad"} */
    let found = "none";
    for await (const [name, handle] of folder) {
      if (name === NAME) found = /** @type {SnapshotFile} */ (handle);
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

/** @param {SnapshotFile} handle @returns {Promise<Uint8Array>} @throws {Error} the file is damaged */
async function read(handle) {
  const file = await handle.getFile();
  const bytes = new Uint8Array(await file.arrayBuffer());
  const memory = bytes.subarray(HEADER);
  if (bytes.length <= HEADER || new Uint32Array(bytes.buffer, 0, 1)[0] !== checksum(memory, SEED)) {
    throw new Error("The snapshot is damaged.");
  }
  return memory;
}

/** @param {Uint8Array} memory */
async function save(memory) {
  const folder = await openFolder();
  const name = NAME + UNFINISHED;
  const file = /** @type {SnapshotFile} */ (await folder.getFileHandle(name, { create: true }));
  const handle = await file.createSyncAccessHandle();
  try {
    const header = new Uint32Array(HEADER / Uint32Array.BYTES_PER_ELEMENT);
    header[0] = checksum(memory, SEED);
    handle.write(header, { at: 0 });
    handle.write(memory, { at: HEADER });
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

/** @param {string} name */
async function remove(name) {
  await (await openFolder()).removeEntry(name);
}

async function openFolder() {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(FOLDER, { create: true });
}
