// A memory snapshot of Python with its packages imported, in the origin private file system. A start from it skips
// Python's own start and all imports. It is made in this browser, when the kernel is idle, of the build that it serves.
import { checksum } from "./durable/checksum.js";
import { bootPython } from "./python.js";

/** @import { SnapshotState } from "./messages.js" */

const FOLDER = "python-snapshot";
// It is of one build, and of the zone and language that Python reads when it starts.
const BUILD = /** @type {string} */ (new URL(".", self.location.href).pathname.split("/").at(-2));
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const NAME = [BUILD, timeZone, navigator.language].join("~").replaceAll("/", "-");
// While a start uses it, its name has this ending, so that one that ended a start isn't used again.
const IN_USE = ".in-use";
const UNFINISHED = ".unfinished";
// In front of the memory: its checksum, and room, so that the memory starts at a whole number of words.
const HEADER = 16;
const SEED = 0;
// How long nobody may have asked the kernel for anything, before its device is put to work.
const IDLE_MS = 5_000;

/** @typedef {FileSystemFileHandle & { move(name: string): Promise<void> }} SnapshotFile in no TypeScript library yet */

/**
 * Boots Python from the snapshot if there is one, and anew if there is none or it doesn't restore.
 * @param {(state: SnapshotState) => void} tell
 * @returns {Promise<{ pyodide: any, settle: (idle: IdleWatch) => Promise<void> }>} `settle` is to be called when the kernel
 *   is ready: it keeps the snapshot that has proved good, or sees that there will be one
 */
export async function bootFromSnapshot(tell) {
  const kept = await take();
  if (kept === "bad") tell("dropped");
  if (typeof kept === "object") {
    try {
      const pyodide = await bootPython({ snapshot: read(kept) });
      pyodide.pyimport("gemini.server.snapshot").resume();
      tell("restored");
      return { pyodide, settle: () => kept.move(NAME) };
    } catch (error) {
      console.warn("The snapshot of Python didn't restore, and Python starts anew.", error);
      await drop(kept.name);
      tell("dropped");
    }
  }
  const settle = async (/** @type {IdleWatch} */ idle) => {
    if (kept === "unavailable" || isSavingData()) return;
    await idle.wait(IDLE_MS);
    const worker = new Worker(self.location.href, { type: "module", name: "gemini-snapshot" });
    worker.onmessage = ({ data }) => data === "kept" && tell("kept");
    worker.postMessage({ makeSnapshot: true });
  };
  return { pyodide: await bootPython(), settle };
}

/** Makes the snapshot and keeps it: the whole work of a worker of its own, which ends with it. */
export async function makeSnapshot() {
  try {
    const pyodide = await bootPython({ makeSnapshot: true });
    pyodide.pyimport("gemini.server.snapshot").prepare();
    // It refers to this object, which Pyodide restores empty.
    for (const name of Object.keys(pyodide.loadedPackages)) delete pyodide.loadedPackages[name];
    await keep(pyodide.makeMemorySnapshot());
    self.postMessage("kept");
  } catch (error) {
    console.info("No snapshot of Python could be kept, so the next start isn't faster than this one.", error);
  } finally {
    self.close();
  }
}

/** Tells when nobody has asked for anything for some time. */
export class IdleWatch {
  #last = performance.now();

  /** Somebody asks for something. */
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
 * Finds this build's snapshot, puts it into use and deletes those of other builds.
 * @returns {Promise<SnapshotFile | "none" | "bad" | "unavailable">} bad: the start before didn't survive it
 */
async function take() {
  // Without storage each start is a first one.
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
    // The browser refuses it, or the worker that makes a snapshot is about to end.
    if (error instanceof DOMException) return "unavailable";
    throw error;
  }
}

/** @param {SnapshotFile} handle @returns {Promise<Uint8Array>} @throws {Error} what is there isn't what was kept */
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
async function keep(memory) {
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
    // What there was room for only keeps others from it.
    handle.truncate(0);
    throw error;
  } finally {
    handle.close();
  }
  await file.move(NAME);
}

/** @param {string} name */
async function drop(name) {
  await (await openFolder()).removeEntry(name);
}

async function openFolder() {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle(FOLDER, { create: true });
}

/** Whether the person's device asks pages to take little. */
function isSavingData() {
  const { connection } = /** @type {{ connection?: { saveData?: boolean } }} */ (navigator);
  return connection?.saveData === true;
}
