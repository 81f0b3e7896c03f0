/// <reference path="./build.d.ts" />
// Boots Pyodide with the packages that the build installed (builder/preinstall.py), from scratch or from a memory
// snapshot.
import { unpack } from "./archive.js";
import { DeferredFiles } from "./deferred.js";
import { hideSuspendedFrames } from "./suspended_frames.js";

/** @import { Deferred } from "./deferred.js" */

/**
 * @typedef {{ file: string, integrity: string }} Entry a file and its hash
 * @typedef {object} StartList the contents of start.json
 * @property {string} stdlib
 * @property {Entry[]} archives of site-packages
 * @property {{ programs: Entry, library: Entry, sources: Entry }} deferred archives that load after the start
 * @property {(Entry & { path: string })[]} libraries shared libraries, and their paths in Python's filesystem
 * @property {string[]} modules names of the JavaScript modules that Python imports
 *
 * @typedef {object} Options
 * @property {boolean} [makeSnapshot] true if a snapshot of it will be taken
 * @property {Promise<Uint8Array>} [snapshot] the memory to start from
 */

const RUNTIME = new URL(PYODIDE_FOLDER, self.location.href).href;
const PACKAGES = new URL("./packages/", self.location.href).href;
// A page of WebAssembly's memory, in bytes.
const PAGE = 1 << 16;

/**
 * @param {Options} [options]
 * @returns {Promise<{ pyodide: any, deferred: Deferred }>}
 * @throws {Error} a file is missing or damaged; the message names it
 */
export async function bootPython({ makeSnapshot = false, snapshot } = {}) {
  // Download everything in parallel. Pyodide would download one file after the other.
  const pyodideModule = import(/* @vite-ignore */ `${RUNTIME}pyodide.mjs`);
  const linkerModule = import(/* @vite-ignore */ `${RUNTIME}pyodide.asm.mjs`);
  /** @type {StartList} */
  const list = await (await download("start.json")).json();
  const archives = Promise.all(list.archives.map(downloadArchive));
  const stdlib = PACKAGES + list.stdlib;
  let folder = "";
  const { loadPyodide, version } = await pyodideModule;
  const pyodide = await Promise.race([
    loadPyodide({
      indexURL: RUNTIME,
      lockFileURL: `${PACKAGES}pyodide-lock.json`,
      stdLibURL: stdlib,
      fsInit: async (/** @type {any} */ FS, /** @type {{ sitePackages: string }} */ { sitePackages }) => {
        folder = sitePackages;
        for (const archive of await archives) unpack(FS, archive, folder);
      },
      createPyodideModule: async (/** @type {any} */ settings) => {
        hideSuspendedFrames(settings, version);
        return createModule((await linkerModule).default, settings, list, snapshot);
      },
      // Without it Pyodide silently skips a package with a wrong hash.
      errorCallback: (/** @type {string} */ text) => console.error(text),
      _makeSnapshot: makeSnapshot,
      _loadSnapshot: snapshot,
    }),
    // Pyodide waits forever if these can't be downloaded.
    failing([
      archives,
      ...[`${RUNTIME}pyodide.asm.wasm`, stdlib, ...list.libraries.map(({ file }) => PACKAGES + file)].map(exists),
    ]),
  ]);
  // Free the snapshot, which has been copied into Python's memory.
  pyodide._api.config._loadSnapshot = undefined;
  leaveOwnFolders(pyodide);
  const { programs, library, sources } = list.deferred;
  const load = async (/** @type {Entry} */ entry, /** @type {string} */ place) =>
    unpack(pyodide.FS, await downloadArchive(entry), place);
  // The only folder of the standard library that Python searches, besides its archive.
  const standard = folder.replace(/site-packages$/, "lib-dynload");
  return {
    pyodide,
    deferred: {
      programs: new DeferredFiles(async () => {
        await Promise.all([load(programs, folder), load(library, standard)]);
      }),
      sources: new DeferredFiles(() => load(sources, folder)),
    },
  };
}

/**
 * Remove the working directory and the like from `sys.path`: it is below /home, whose saved files could replace modules that
 * the surface imports. Programs have a `sys.path` of their own.
 * @param {any} pyodide before saved files are mounted
 */
function leaveOwnFolders(pyodide) {
  const { path } = pyodide.pyimport("sys");
  for (const entry of path.toJs()) if (!/^\/+lib\//.test(entry)) path.remove(entry);
  path.destroy();
}

/**
 * Start Emscripten's module with all libraries linked and with enough memory for the snapshot.
 *
 * A library that is loaded later gets memory and table entries wherever there is room, so a snapshot with it can't be
 * restored. Libraries that are linked at the start get the same ones each time.
 * @param {(settings: any) => Promise<any>} create
 * @param {any} settings
 * @param {StartList} list
 * @param {Promise<Uint8Array>} [snapshot]
 */
async function createModule(create, settings, { libraries, modules }, snapshot) {
  const urls = new Map(libraries.map(({ path, file }) => [path, PACKAGES + file]));
  const { locateFile } = settings;
  settings.dynamicLibraries = [...urls.keys()];
  settings.locateFile = (/** @type {string} */ name) => urls.get(name) ?? locateFile(name);
  const creating = create(settings);
  // Load modules while other threads compile the binary. Errors are reported when the modules are used.
  for (const name of modules) importModule(name).catch(() => {});
  const module = await creating;
  if (snapshot) makeRoom(module, await snapshot);
  return module;
}

/**
 * Grow the memory to the snapshot's size, which Pyodide doesn't do before it copies the snapshot.
 * @param {any} module
 * @param {Uint8Array} snapshot memory in whole pages, after a header of less than one page
 */
function makeRoom(module, snapshot) {
  const size = snapshot.length - (snapshot.length % PAGE);
  if (size > module.HEAP8.length) module._emscripten_resize_heap(size);
}

/** Import a JavaScript module of a Python package. @param {string} name @returns {Promise<any>} */
export function importModule(name) {
  return import(/* @vite-ignore */ PACKAGES + name);
}

/**
 * Send a request to a new worker, and return its answer.
 *
 * @param {string} name of its module
 * @param {object} request
 * @param {number} most ms
 * @returns {Promise<string | undefined>} JSON; undefined if it took too long
 */
export async function askWorker(name, request, most) {
  const worker = new Worker(new URL(PACKAGES + name, import.meta.url), { type: "module", name });
  try {
    return await new Promise((resolve, reject) => {
      setTimeout(resolve, most, undefined);
      worker.onmessage = ({ data }) => {
        if (typeof data?.answer === "string") resolve(data.answer);
      };
      worker.onerror = ({ message }) => reject(new Error(message || `${name} can't be loaded`));
      worker.postMessage({ request });
    });
  } finally {
    worker.terminate();
  }
}

/** @param {Entry} entry @returns {Promise<ArrayBuffer>} */
async function downloadArchive(entry) {
  return (await download(entry.file, entry)).arrayBuffer();
}

/** @param {string} file @param {RequestInit} [options] @returns {Promise<Response>} */
async function download(file, { integrity } = {}) {
  const answer = await fetch(PACKAGES + file, { integrity }).catch((error) => {
    throw new Error(`${file} could not be downloaded, or is damaged: ${error.message}`);
  });
  if (!answer.ok) throw new Error(`${file} could not be downloaded: ${answer.status} ${answer.statusText}`);
  return answer;
}

/** @param {string} url */
async function exists(url) {
  const answer = await fetch(url, { method: "HEAD" });
  if (!answer.ok) throw new Error(`${url} could not be downloaded: ${answer.status} ${answer.statusText}`);
}

/** Reject as soon as one of the promises does; never resolve. @param {Promise<unknown>[]} promises @returns {Promise<never>} */
async function failing(promises) {
  await Promise.all(promises);
  return new Promise(() => {});
}
