// The kernel's worker: boots Pyodide, mounts the durable files, starts the surface in Python and connects the page.
import { Blobs } from "./blobs.js";
import { mountPool } from "./database/filesystem.js";
import { Pool } from "./database/pool.js";
import { StorageUnavailable } from "./durable/errors.js";
import { openDurableFiles } from "./durable/files.js";
import { Interrupts } from "./interrupts.js";
import { describeCallerBy, installNetwork, useNetwork } from "./network.js";
import { importModule } from "./python.js";
import { signalBuffer } from "./signals.js";
import { bootFromSnapshot, IdleWatch, makeSnapshot } from "./snapshot.js";
import { applyUmask } from "./umask.js";
import { Wakefulness } from "./wakefulness.js";

/** @import { WorkerMessage } from "./messages.js" */

/** @param {WorkerMessage} message */
const tell = (message) => self.postMessage(message);

// Before anything else runs here: Python finds nothing but the door.
installNetwork();

const ROOTS = ["/project", "/home"];
// What files were before they changed, until Python has it in its database. No root of the person's files.
const CAPTURED = "/var/lib/changes";
// Where Python keeps its database: what is written there is in the browser's storage at once.
const KEPT = "/var/lib/gemini";
// How long to wait for the files of the worker before this one. It holds them until the browser has ended it, which
// takes seconds when it was busy. This tab owns the surface, so nobody else has them.
const FILES_WAIT_MS = 30_000;

/** @type {any} */
let kernel = null;
/** @type {any} */
let python = null;
/** @type {import("./durable/files.js").DurableFiles | null} */
let files = null;
/** @type {Pool | null} */
let pool = null;

/**
 * @param {object} given
 * @param {MessagePort} given.connection the page's end of the JSON-RPC conversation
 * @param {MessagePort} given.documents where the page answers what Python asks of them
 * @param {MessagePort} given.blobs what page and Python show each other
 * @param {Int32Array | null} given.memory shared with the frame, for interrupts
 * @param {import("./network.js").Network} given.network where the door is
 */
async function boot({ connection: port, documents, blobs: shown, memory, network }) {
  const interrupts = memory && new Interrupts(memory);
  useNetwork(network, interrupts);
  tell({ type: "progress", stage: "Downloading Python", fraction: 0.1 });
  const opening = Pool.open("database", FILES_WAIT_MS);
  // Who waits for it hears of a failure, but may never come to that.
  opening.catch(() => {});
  const { pyodide, settle } = await bootFromSnapshot((state) => tell({ type: "snapshot", state }));
  python = pyodide;
  // Pyodide's own hook for errors that it can't go on after.
  pyodide._api.on_fatal = (/** @type {unknown} */ error) => tell({ type: "died", reason: String(error) });
  tell({ type: "progress", stage: "Opening your files", fraction: 0.7 });
  applyUmask(pyodide.FS);
  files = await mount(pyodide.FS);
  const kept = await mountKept(pyodide.FS, opening);
  const signals = interrupts && signalBuffer(() => interrupts.pending);
  const commit = () => files?.commit();
  const blobs = new Blobs("kernel");
  blobs.attach(shown);
  // Python takes `null` for an object.
  const capture = files?.capture ?? undefined;
  // Inside of a file operation Python has let go of its lock, and would wait for it for ever (FS.createLazyFile asks there).
  const describe = (/** @type {() => string} */ words) =>
    describeCallerBy(() => (pyodide._module._PyGILState_Check() ? words() : "{}"));
  const host = { blobs, capture, commit, describeCallerBy: describe, importModule, interrupts, signals, roots: ROOTS, kept };
  pyodide.registerJsModule("gemini_host", host);
  tell({ type: "progress", stage: "Starting the surface", fraction: 0.8 });
  const { start_for_page } = pyodide.pyimport("gemini.server.kernel");
  const idle = new IdleWatch();
  const send = (/** @type {string} */ text) => {
    idle.touch();
    port.postMessage(text);
  };
  const [running, connection] = await start_for_page(send, files?.report.fresh ?? true);
  kernel = running;
  await kernel.attach_documents(documents);
  const { receive } = connection;
  const wakefulness = new Wakefulness();
  port.onmessage = ({ data }) => {
    idle.touch();
    receive(data);
    wakefulness.touch();
  };
  commitSoon(files);
  tell({ type: "ready" });
  settle(idle).catch((error) => console.info("There will be no snapshot of Python for the next start.", error));
}

/** Bring back the files that were committed, and note changes from now on. @param {any} FS @throws if another one has them */
async function mount(FS) {
  try {
    const files = await openDurableFiles(FS, { roots: ROOTS, captured: CAPTURED, waitMs: FILES_WAIT_MS });
    console.debug("files:", JSON.stringify(files.report));
    const { damaged } = files.report;
    tell({ type: "files", problem: damaged ? `A damaged journal was set aside as ${damaged.setAside}.` : null });
    return files;
  } catch (error) {
    // A surface that starts without the files that are there would look as if they were lost.
    if (error instanceof StorageUnavailable && error.reason === "owned-by-another-tab") throw error;
    console.debug("files:", error, /** @type {Error} */ (error).cause);
    tell({ type: "files", problem: /** @type {Error} */ (error).message });
    return null;
  }
}

/**
 * Let Python write to the browser's storage itself.
 * @param {any} FS
 * @param {Promise<Pool>} opening
 * @returns {Promise<{ folder: string | null, problem: string | null }>} where, or why it can't
 * @throws if another one has it
 */
async function mountKept(FS, opening) {
  try {
    pool = await opening;
    mountPool(FS, pool, KEPT);
    return { folder: KEPT, problem: null };
  } catch (error) {
    if (error instanceof StorageUnavailable && error.reason === "owned-by-another-tab") throw error;
    return { folder: null, problem: /** @type {Error} */ (error).message };
  }
}

/** Commit what the start changed, and from now on what changes outside of tool calls, within a second. @param {any} files */
function commitSoon(files) {
  const commit = () => {
    try {
      files.commit();
    } catch (error) {
      tell({ type: "files", problem: /** @type {Error} */ (error).message });
    }
  };
  if (!files) return;
  commit();
  files.onChange(() => setTimeout(commit, 500));
}

/** Asked of the worker and not of Python, which may count as idle meanwhile. */
async function beat() {
  const { usage: used = null, quota = null } = (await navigator.storage?.estimate?.()) ?? {};
  tell({ type: "beat", memory: python?._module.HEAP8.length ?? 0, used, quota });
}

/** Save everything and let go of the storage, before another tab takes it. */
function closeFiles() {
  try {
    kernel?.close();
    files?.commit();
  } finally {
    files?.close();
    pool?.close();
    tell({ type: "closed" });
  }
}

self.onmessage = ({ data }) => {
  if (data.lock) {
    // Held for as long as this worker lives: that it is free tells the frame that the worker is gone.
    navigator.locks?.request(data.lock, () => new Promise(() => {}));
    boot(data).catch((error) => tell({ type: "failed", reason: String(error?.message ?? error) }));
  } else if (data.beat) {
    void beat();
  } else if (data.makeSnapshot) {
    makeSnapshot();
  } else if (data.close) {
    closeFiles();
  } else if (data.companion !== undefined) {
    // Python takes `null` for an object.
    kernel.host.attach(data.companion ?? undefined);
  } else if (data.terminal) {
    try {
      kernel.attach_terminal(data.terminal, data.port);
    } catch (error) {
      data.port.close();
      // A terminal that was closed while the page asked for it: the page hears of that by an event.
      if (!/Terminal(Missing|Closed)/.test(String(error))) throw error;
    }
  }
};
