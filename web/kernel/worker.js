// The kernel's worker: boots Pyodide, mounts the durable files, starts the surface in Python and connects the page.
import { StorageUnavailable } from "./durable/errors.js";
import { openDurableFiles } from "./durable/files.js";
import { Interrupts } from "./interrupts.js";
import { importModule } from "./python.js";
import { signalBuffer } from "./signals.js";
import { bootFromSnapshot, IdleWatch, makeSnapshot } from "./snapshot.js";
import { applyUmask } from "./umask.js";

/** @import { WorkerMessage } from "./messages.js" */

/** @param {WorkerMessage} message */
const tell = (message) => self.postMessage(message);

const ROOTS = ["/project", "/home"];
// How long to wait for the files of the worker before this one. It holds them until the browser has ended it, which
// takes seconds when it was busy. This tab owns the surface, so nobody else has them.
const FILES_WAIT_MS = 60_000;

/** @type {any} */
let kernel = null;
/** @type {import("./durable/files.js").DurableFiles | null} */
let files = null;

/**
 * @param {MessagePort} port the page's end of the JSON-RPC conversation
 * @param {Int32Array | null} memory shared with the page, for interrupts
 */
async function boot(port, memory) {
  tell({ type: "progress", stage: "Downloading Python", fraction: 0.1 });
  const { pyodide, settle } = await bootFromSnapshot((state) => tell({ type: "snapshot", state }));
  // Pyodide's own hook for errors that it can't go on after.
  pyodide._api.on_fatal = (/** @type {unknown} */ error) => tell({ type: "died", reason: String(error) });
  tell({ type: "progress", stage: "Opening your files", fraction: 0.7 });
  applyUmask(pyodide.FS);
  files = await mount(pyodide.FS);
  const interrupts = memory && new Interrupts(memory);
  const signals = interrupts && signalBuffer(() => interrupts.pending);
  pyodide.registerJsModule("gemini_host", { commit: () => files?.commit(), importModule, interrupts, signals });
  tell({ type: "progress", stage: "Starting the surface", fraction: 0.8 });
  const { start_for_page } = pyodide.pyimport("gemini.kernel");
  const idle = new IdleWatch();
  const send = (/** @type {string} */ text) => {
    idle.touch();
    port.postMessage(text);
  };
  const [running, connection] = await start_for_page(send, files?.report.fresh ?? true);
  kernel = running;
  const { receive } = connection;
  port.onmessage = ({ data }) => {
    idle.touch();
    receive(data);
  };
  commitSoon(files);
  tell({ type: "ready" });
  settle(idle).catch((error) => console.info("There will be no snapshot of Python for the next start.", error));
}

/** Bring back the files that were committed, and note changes from now on. @param {any} FS @throws if another one has them */
async function mount(FS) {
  try {
    const files = await openDurableFiles(FS, { roots: ROOTS, waitMs: FILES_WAIT_MS });
    const { damaged } = files.report;
    tell({ type: "files", problem: damaged ? `A damaged journal was set aside as ${damaged.setAside}.` : null });
    return files;
  } catch (error) {
    // A surface that starts without the files that are there would look as if they were lost.
    if (error instanceof StorageUnavailable && error.reason === "owned-by-another-tab") throw error;
    tell({ type: "files", problem: /** @type {Error} */ (error).message });
    return null;
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

/** Save everything and let go of the storage, before another tab takes it. */
function closeFiles() {
  try {
    files?.commit();
  } finally {
    files?.close();
    tell({ type: "closed" });
  }
}

self.onmessage = ({ data }) => {
  if (data.lock) {
    // Held for as long as this worker lives: that it is free tells the page that the worker is gone.
    navigator.locks?.request(data.lock, () => new Promise(() => {}));
    boot(data.port, data.memory).catch((error) => tell({ type: "failed", reason: String(error?.message ?? error) }));
  } else if (data.makeSnapshot) {
    makeSnapshot();
  } else if (data.close) {
    closeFiles();
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
