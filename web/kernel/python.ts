/// <reference path="./build.d.ts" />
// Boots Pyodide with the packages that the build installed (builder/preinstall.py), from scratch or from a memory
// snapshot.
import type { EmscriptenModule, FileSystem } from "./emscripten.ts";
import type { ModuleSettings, Pyodide } from "./pyodide.ts";
import { unpack } from "./archive.ts";
import { DeferredFiles, type Deferred, type Entry } from "./deferred.ts";
import { whyUnloaded } from "./unloaded.ts";
import { hideSuspendedFrames } from "./suspended_frames.ts";

/** the contents of start.json */
interface StartList {
  /** with names relative to Python's folder, `/lib/python3.14` */
  archives: Entry[];
  /** archives that load after the start */
  deferred: { programs: Entry[]; sources: Entry[] };
  /** shared libraries, and their paths in Python's filesystem */
  libraries: (Entry & { path: string })[];
  /** names of the JavaScript modules that Python imports */
  modules: string[];
}

interface Options {
  /** true if a snapshot of it will be taken */
  makeSnapshot?: boolean;
  /** the memory to start from */
  snapshot?: Promise<Uint8Array>;
}

const RUNTIME = new URL(PYODIDE_FOLDER, self.location.href).href;
const PACKAGES = new URL("./packages/", self.location.href).href;
const LIST = "start.json";
// A page of WebAssembly's memory, in bytes.
const PAGE = 1 << 16;

/** @throws {Error} a file is missing or damaged; the message names it */
export async function bootPython({
  makeSnapshot = false,
  snapshot,
}: Options = {}): Promise<{ pyodide: Pyodide; deferred: Deferred }> {
  // Download everything in parallel. Pyodide would download one file after the other.
  const pyodideModule = import(/* @vite-ignore */ `${RUNTIME}pyodide.mjs`);
  const linkerModule = import(/* @vite-ignore */ `${RUNTIME}pyodide.asm.mjs`);
  const list: StartList = await (await download(LIST)).json();
  const archives = Promise.all(list.archives.map(downloadArchive));
  let folder = "";
  const { loadPyodide, version } = await pyodideModule;
  const pyodide: Pyodide = await Promise.race([
    loadPyodide({
      indexURL: RUNTIME,
      lockFileURL: `${PACKAGES}pyodide-lock.json`,
      // Python looks for a file here, or it wouldn't start. An archive has the library instead, whose sources can follow.
      stdLibURL: PACKAGES + LIST,
      fsInit: async (FS: FileSystem, { sitePackages }: { sitePackages: string }) => {
        folder = sitePackages.replace(/\/site-packages$/, "");
        for (const archive of await archives) unpack(FS, archive, folder);
      },
      createPyodideModule: async (settings: ModuleSettings) => {
        hideSuspendedFrames(settings, version);
        return createModule((await linkerModule).default, settings, list, snapshot);
      },
      // Without it Pyodide silently skips a package with a wrong hash.
      errorCallback: (text: string) => console.error(text),
      _makeSnapshot: makeSnapshot,
      _loadSnapshot: snapshot,
    }),
    // Pyodide waits forever if these can't be downloaded.
    failing([
      archives,
      ...[`${RUNTIME}pyodide.asm.wasm`, ...list.libraries.map(({ file }) => PACKAGES + file)].map(exists),
    ]),
  ]);
  // Free the snapshot, which has been copied into Python's memory.
  pyodide._api.config._loadSnapshot = undefined;
  pyodide.FS.unlink(`${folder.replace(".", "")}.zip`);
  leaveOwnFolders(pyodide);
  const later = (entries: Entry[]) =>
    new DeferredFiles(entries, PACKAGES, downloadArchive, (archive) => unpack(pyodide.FS, archive, folder));
  return {
    pyodide,
    deferred: { programs: later(list.deferred.programs), sources: later(list.deferred.sources) },
  };
}

/** a list of text in Python */
interface PythonList {
  toJs(): string[];
  remove(text: string): void;
  destroy(): void;
}

/**
 * Remove the working directory and the like from `sys.path`: it is below /home, whose saved files could replace modules that
 * the surface imports. Programs have a `sys.path` of their own. The zip file of the standard library isn't there.
 * @param pyodide - before saved files are mounted
 */
function leaveOwnFolders(pyodide: Pyodide) {
  const { path } = pyodide.pyimport<{ path: PythonList }>("sys");
  for (const entry of path.toJs()) if (!/^\/+lib\/.*\//.test(entry)) path.remove(entry);
  path.destroy();
}

/**
 * Start Emscripten's module with all libraries linked and with enough memory for the snapshot.
 *
 * A library that is loaded later gets memory and table entries wherever there is room, so a snapshot with it can't be
 * restored. Libraries that are linked at the start get the same ones each time.
 */
async function createModule(
  create: (settings: ModuleSettings) => Promise<EmscriptenModule>,
  settings: ModuleSettings,
  { libraries, modules }: StartList,
  snapshot?: Promise<Uint8Array>,
) {
  const urls = new Map(libraries.map(({ path, file }) => [path, PACKAGES + file]));
  const { locateFile } = settings;
  settings.dynamicLibraries = [...urls.keys()];
  settings.locateFile = (name: string) => urls.get(name) ?? locateFile(name);
  const creating = create(settings);
  // Load modules while other threads compile the binary. Errors are reported when the modules are used.
  for (const name of modules) importModule(name).catch(() => {});
  const module = await creating;
  if (snapshot) makeRoom(module, await snapshot);
  return module;
}

/**
 * Grow the memory to the snapshot's size, which Pyodide doesn't do before it copies the snapshot.
 * @param snapshot - memory in whole pages, after a header of less than one page
 */
function makeRoom(module: EmscriptenModule, snapshot: Uint8Array) {
  const size = snapshot.length - (snapshot.length % PAGE);
  if (size > module.HEAP8.length) module._emscripten_resize_heap(size);
}

/** Import a JavaScript module of a Python package. */
export function importModule<Module>(name: string): Promise<Module> {
  return import(/* @vite-ignore */ PACKAGES + name);
}

/**
 * Send a request to a new worker, and return its answer.
 *
 * @param name - of its module
 * @param most - ms
 * @returns JSON; undefined if it took too long
 */
export async function askWorker(name: string, request: object, most: number): Promise<string | undefined> {
  const url = new URL(PACKAGES + name, import.meta.url);
  const worker = new Worker(url, { type: "module", name });
  try {
    return await new Promise((resolve, reject) => {
      setTimeout(resolve, most, undefined);
      worker.onmessage = ({ data }) => {
        if (typeof data?.answer === "string") resolve(data.answer);
      };
      worker.onerror = ({ message }) =>
        message ? reject(new Error(message)) : void whyUnloaded(url, name).then((why) => reject(new Error(why)));
      worker.postMessage({ request });
    });
  } finally {
    worker.terminate();
  }
}

async function downloadArchive(entry: Entry): Promise<ArrayBuffer> {
  return (await download(entry.file, entry)).arrayBuffer();
}

async function download(file: string, { integrity }: RequestInit = {}): Promise<Response> {
  const answer = await fetch(PACKAGES + file, { integrity }).catch((error) => {
    throw new Error(`${file} could not be downloaded, or is damaged: ${error.message}`);
  });
  if (!answer.ok) throw new Error(`${file} could not be downloaded: ${answer.status} ${answer.statusText}`);
  return answer;
}

async function exists(url: string) {
  const answer = await fetch(url, { method: "HEAD" });
  if (!answer.ok) throw new Error(`${url} could not be downloaded: ${answer.status} ${answer.statusText}`);
}

/** Reject as soon as one of the promises does; never resolve. */
async function failing(promises: Promise<unknown>[]): Promise<never> {
  await Promise.all(promises);
  return new Promise(() => {});
}
