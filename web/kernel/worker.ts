// The kernel's worker: boots Pyodide, mounts the durable files, starts the surface in Python and connects the page.
import { messageOf } from "./system_errors.ts";
import type { FileSystem } from "./emscripten.ts";
import { Blobs } from "./blobs.ts";
import { setClock, type Change } from "./clock.ts";
import type { Pyodide } from "./pyodide.ts";
import { mountPool } from "./database/filesystem.ts";
import { Pool } from "./database/pool.ts";
import { requireConfinement } from "./confinement.ts";
import { loadWhenIdle } from "./deferred.ts";
import { Embedder } from "./embedder.ts";
import { StorageUnavailable } from "./durable/errors.ts";
import { openDurableFiles, type DurableFiles } from "./durable/files.ts";
import { IdleWatch } from "./idle.ts";
import { Interrupts } from "./interrupts.ts";
import { localServers as servers } from "./local_servers.ts";
import type { WorkerMessage } from "./messages.ts";
import { Interpreter } from "./own_python/interpreter.ts";
import { beginOwnPython, callOwnPython, stopOwnPython } from "./own_python/worker.ts";
import { describeCallerBy, installNetwork, takeFailures, useNetwork, type Network } from "./network.ts";
import { askWorker, importModule } from "./python.ts";
import { signalBuffer } from "./signals.ts";
import { bootFromScratch, bootFromSnapshot, makeSnapshot } from "./snapshot.ts";
import { renewChangeTimes } from "./change_times.ts";
import { applyUmask } from "./umask.ts";

const send = (message: WorkerMessage) => self.postMessage(message);
const end = self.close.bind(self);

const confined = requireConfinement();
// The error is handled where it is awaited.
confined.catch(() => {});
// Before any other code runs here, so that Python finds only the door.
installNetwork();

const ROOTS = ["/project", "/home"];
// The folders that interpreters of agents share with the kernel.
const SHARED = [...ROOTS, "/tmp"];
// Earlier versions of changed files, until Python moves them into its database.
const CAPTURED = "/var/lib/changes";
// The folder of Python's database. Writes there go straight to the browser's storage.
const DATABASE = "/var/lib/gemini";
// The previous worker holds the files until the browser has ended it, which takes seconds if it is busy. This tab owns
// the surface, so no other tab can hold them.
const FILES_WAIT_MS = 30_000;

// Linux machines add their memory, in bytes, and save files that their programs flush.
const machines = { memory: 0, commit: () => files?.commit() };
let kernel: Kernel | null = null;
let python: Pyodide | null = null;
let files: DurableFiles | null = null;
let pool: Pool | null = null;
let isReady = false;
/** The network, which the frame looks for while Python starts. */
const networkFound = Promise.withResolvers<Network>();

/** Python's end of the connection to the page */
interface Connection {
  receive(text: string): void;
}

/** of gemini.kernel */
interface Kernel {
  host: { attach(companion: unknown): void };
  attach_documents(port: MessagePort): Promise<void>;
  attach_terminal(terminal: unknown, port: MessagePort): void;
  close(): void;
}

interface Clients {
  start_for_page(send: (text: string) => void, fresh: boolean, bare: boolean): Promise<[Kernel, Connection]>;
}

interface Options {
  /** JSON-RPC to the page */
  connection: MessagePort;
  /** Python's requests to the page's documents */
  documents: MessagePort;
  /** blobs that the page and Python exchange */
  blobs: MessagePort;
  /** shared with the frame, for interrupts */
  memory: Int32Array | null;
  /** the digest of the snapshot, see `bootFromSnapshot` */
  snapshot: string | null;
  /** whether to start without code in saved files; the snapshot stays as it is */
  bare: boolean;
  /** the address of the folder with Linux, if the build has it */
  linux: string | null;
  /** the address of the folder with the model for search by meaning, if the build has it */
  meaning: string | null;
}

async function boot(options: Options) {
  const { connection: port, documents, blobs: blobPort, memory, snapshot, bare, linux, meaning } = options;
  const interrupts = memory && new Interrupts(memory);
  await confined;
  send({ type: "progress", stage: "Downloading Python", fraction: 0.1 });
  const opening = Pool.open("database", FILES_WAIT_MS);
  // The error is handled where `opening` is awaited, which boot may not reach.
  opening.catch(() => {});
  const boots = bare ? bootFromScratch() : bootFromSnapshot((state) => send({ type: "snapshot", state }), snapshot);
  const { pyodide, deferred, retain } = await boots;
  python = pyodide;
  const network = await networkFound.promise;
  useNetwork(network, interrupts);
  // Pyodide calls this hook on errors that it can't continue after. The frame detects the end.
  pyodide._api.on_fatal = (error: unknown) => {
    send({ type: isReady ? "dying" : "failed", reason: String(error) });
    end();
  };
  send({ type: "progress", stage: "Opening your files", fraction: 0.7 });
  applyUmask(pyodide.FS);
  renewChangeTimes(pyodide.FS);
  files = await mount(pyodide.FS);
  const database = await mountDatabase(pyodide.FS, opening);
  const signals = interrupts && signalBuffer(() => interrupts.pending);
  const commit = () => files?.commit();
  const blobs = new Blobs("kernel");
  blobs.attach(blobPort);
  // Pyodide converts `null` to an object, `undefined` to None.
  const capture = files?.capture ?? undefined;
  // During a file operation Python has released its lock and would deadlock (FS.createLazyFile sends requests there).
  const describe = (words: () => string) =>
    describeCallerBy(() => (pyodide._module._PyGILState_Check() ? words() : "{}"));
  const { programs } = deferred;
  const openPython = (home: string, environment: string, most: number) =>
    new Interpreter({ FS: pyodide.FS, network, snapshot, roots: SHARED, home, environment, most });
  const host = {
    askWorker,
    blobs,
    capture,
    commit,
    describeCallerBy: describe,
    importModule,
    interrupts,
    programs,
    servers,
    signals,
    takeFailures,
    // A message leaves the worker even if its next code never pauses.
    reportLoad: (change: number) => send({ type: "loads", change }),
    roots: ROOTS,
    database,
    linux: linux ?? undefined,
    meaning: meaning ?? undefined,
    openEmbedder: (folder: string) => new Embedder(folder),
    machines,
    openPython: memory ? openPython : undefined,
    setClock: (changes: Change[] | undefined, names: [string, string]) =>
      setClock(pyodide._module, changes ?? null, names),
  };
  pyodide.registerJsModule("gemini_host", host);
  send({ type: "progress", stage: "Starting the surface", fraction: 0.8 });
  // All that a start makes stays. Searching it for garbage takes a sixth of the imports' time.
  const garbage = pyodide.pyimport<{ disable(): void; enable(): void }>("gc");
  garbage.disable();
  const compiled = pyodide.pyimport<{ install(): void; remove(): void }>("gemini.core.compiled");
  compiled.install();
  const { start_for_page } = pyodide.pyimport<Clients>("gemini.kernel.clients");
  const idle = new IdleWatch();
  const sendText = (text: string) => {
    idle.touch();
    port.postMessage(text);
  };
  const [running, connection] = await start_for_page(sendText, files?.report.fresh ?? true, bare);
  kernel = running;
  compiled.remove();
  garbage.enable();
  await running.attach_documents(documents);
  passOn(port, connection, idle);
  commitSoon(files);
  isReady = true;
  send({ type: "ready" });
  loadWhenIdle(deferred, idle).catch((error) =>
    console.info("Files will load with the first call that needs them.", error),
  );
  retain().catch((error) => console.info("There will be no snapshot of Python for the next start.", error));
}

/**
 * Pass the page's messages on to Python.
 * @param connection - Python's end
 */
function passOn(port: MessagePort, { receive }: Connection, idle: IdleWatch) {
  port.onmessage = ({ data }) => {
    idle.touch();
    receive(data);
  };
}

/**
 * Restore the committed files and start tracking changes.
 * @throws if another tab has them
 */
async function mount(FS: FileSystem) {
  try {
    const files = await openDurableFiles(FS, { roots: ROOTS, captured: CAPTURED, waitMs: FILES_WAIT_MS });
    console.debug("files:", JSON.stringify(files.report));
    const { damaged } = files.report;
    send({ type: "files", problem: damaged ? `A damaged journal was set aside as ${damaged.setAside}.` : null });
    return files;
  } catch (error) {
    // A surface that starts without the existing files would look as if they were lost.
    if (error instanceof StorageUnavailable && error.reason === "owned-by-another-tab") throw error;
    console.debug("files:", error, error instanceof Error ? error.cause : undefined);
    send({ type: "files", problem: messageOf(error) });
    return null;
  }
}

/**
 * Mount the folder in which Python writes directly to the browser's storage.
 * @returns the folder, or the reason why there is none
 * @throws if another tab has it
 */
async function mountDatabase(
  FS: FileSystem,
  opening: Promise<Pool>,
): Promise<{ folder: string | null; problem: string | null }> {
  try {
    pool = await opening;
    mountPool(FS, pool, DATABASE);
    return { folder: DATABASE, problem: null };
  } catch (error) {
    if (error instanceof StorageUnavailable && error.reason === "owned-by-another-tab") throw error;
    return { folder: null, problem: messageOf(error) };
  }
}

/** Commit the changes of the start, and from now on commit changes outside of tool calls after 500 ms. */
function commitSoon(files: DurableFiles | null) {
  if (!files) return;
  const commit = () => {
    try {
      files.commit();
    } catch (error) {
      send({ type: "files", problem: messageOf(error) });
    }
  };
  commit();
  files.onChange(() => setTimeout(commit, 500));
}

/** Answer a beat in the worker, without Python, so that Python can stay idle. */
async function beat() {
  const { usage: used = null, quota = null } = (await navigator.storage?.estimate?.()) ?? {};
  send({ type: "beat", memory: python?._module.HEAP8.length ?? 0, machines: machines.memory, used, quota });
}

/** Save everything and release the storage, before another tab takes it. */
function closeFiles() {
  try {
    kernel?.close();
    files?.commit();
  } finally {
    files?.close();
    pool?.close();
    send({ type: "closed" });
  }
}

self.onmessage = ({ data }) => {
  if (data.lock) {
    // Held until this worker ends, so that the frame detects the end.
    navigator.locks?.request(data.lock, () => new Promise(() => {}));
    boot(data).catch((error) => send({ type: "failed", reason: String(error?.message ?? error) }));
  } else if (data.network) {
    networkFound.resolve(data.network);
  } else if (data.ownPython) {
    void beginOwnPython(data.ownPython, confined);
  } else if (data.ownCall) {
    void callOwnPython(data.ownCall);
  } else if (data.ownStop) {
    stopOwnPython(data.ownStop);
  } else if (data.beat) {
    void beat();
  } else if (data.makeSnapshot) {
    makeSnapshot();
  } else if (data.close) {
    closeFiles();
  } else if (data.companion !== undefined) {
    // Pyodide converts `null` to an object, `undefined` to None.
    kernel?.host.attach(data.companion ?? undefined);
  } else if (data.terminal) {
    try {
      kernel?.attach_terminal(data.terminal, data.port);
    } catch (error) {
      data.port.close();
      // If the terminal was closed meanwhile, an event notifies the page.
      if (!/Terminal(Missing|Closed)/.test(String(error))) throw error;
    }
  }
};
