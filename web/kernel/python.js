/// <reference path="./build.d.ts" />
// Boots Pyodide with the packages that the build has installed (builder/preinstall.py), anew or from a memory snapshot.
import { unpack } from "./archive.js";

/**
 * @typedef {{ file: string, integrity: string }} Entry a file, and its hash
 * @typedef {object} StartList what start.json says
 * @property {string} stdlib
 * @property {Entry[]} archives of site-packages
 * @property {(Entry & { path: string })[]} libraries what the dynamic linker loads, and where Python finds it
 * @property {string[]} modules of JavaScript, which Python imports by these names
 *
 * @typedef {object} Options
 * @property {boolean} [makeSnapshot] whether one is to be made of it
 * @property {Promise<Uint8Array>} [snapshot] its memory, as it was then
 */

const RUNTIME = new URL(PYODIDE_FOLDER, self.location.href).href;
const PACKAGES = new URL("./packages/", self.location.href).href;
// Of WebAssembly's memory, in bytes.
const PAGE = 1 << 16;

/**
 * @param {Options} [options]
 * @returns {Promise<any>} Pyodide
 * @throws {Error} what is missing or damaged
 */
export async function bootPython({ makeSnapshot = false, snapshot } = {}) {
  // All of it downloads at once. Pyodide itself asks for one after the other.
  const pyodideModule = import(/* @vite-ignore */ `${RUNTIME}pyodide.mjs`);
  const linkerModule = import(/* @vite-ignore */ `${RUNTIME}pyodide.asm.mjs`);
  /** @type {StartList} */
  const list = await (await download("start.json")).json();
  const archives = Promise.all(list.archives.map(async (entry) => (await download(entry.file, entry)).arrayBuffer()));
  const stdlib = PACKAGES + list.stdlib;
  const { loadPyodide } = await pyodideModule;
  const pyodide = await Promise.race([
    loadPyodide({
      indexURL: RUNTIME,
      lockFileURL: `${PACKAGES}pyodide-lock.json`,
      stdLibURL: stdlib,
      fsInit: async (/** @type {any} */ FS, /** @type {{ sitePackages: string }} */ { sitePackages }) => {
        for (const archive of await archives) unpack(FS, archive, sitePackages);
      },
      createPyodideModule: async (/** @type {any} */ settings) =>
        createModule((await linkerModule).default, settings, list, snapshot),
      // Without it a package whose hash is wrong is left out in silence.
      errorCallback: (/** @type {string} */ text) => console.error(text),
      _makeSnapshot: makeSnapshot,
      _loadSnapshot: snapshot,
    }),
    // Pyodide waits for these without end when they can't be had.
    failing([
      archives,
      ...[`${RUNTIME}pyodide.asm.wasm`, stdlib, ...list.libraries.map(({ file }) => PACKAGES + file)].map(exists),
    ]),
  ]);
  // It is Python's memory by now, and would be there twice.
  pyodide._api.config._loadSnapshot = undefined;
  return pyodide;
}

/**
 * Starts Emscripten's module with the libraries linked already, and large enough for the snapshot.
 *
 * A library that Python loads later gets memory and table entries wherever there is room by then, so a snapshot that
 * has it can't be restored. Those that are there from the start get the same ones each time.
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
  // While the binary is compiled on other threads, this one has time. What goes wrong is told where they are used.
  for (const name of modules) importModule(name).catch(() => {});
  const module = await creating;
  if (snapshot) makeRoom(module, await snapshot);
  return module;
}

/**
 * Pyodide copies a snapshot into the memory as if it had the size that it had then.
 * @param {any} module
 * @param {Uint8Array} snapshot memory in whole pages, behind a header of less than one
 */
function makeRoom(module, snapshot) {
  const size = snapshot.length - (snapshot.length % PAGE);
  if (size > module.HEAP8.length) module._emscripten_resize_heap(size);
}

/** Import a module that a Python package brings along. @param {string} name @returns {Promise<any>} */
export function importModule(name) {
  return import(/* @vite-ignore */ PACKAGES + name);
}

/** @param {string} file @param {RequestInit} [options] @returns {Promise<Response>} */
async function download(file, { integrity } = {}) {
  const answer = await fetch(PACKAGES + file, { integrity }).catch((error) => {
    throw new Error(`${file} can't be had, or is damaged: ${error.message}`);
  });
  if (!answer.ok) throw new Error(`${file} can't be had: ${answer.status} ${answer.statusText}`);
  return answer;
}

/** @param {string} url */
async function exists(url) {
  const answer = await fetch(url, { method: "HEAD" });
  if (!answer.ok) throw new Error(`${url} can't be had: ${answer.status} ${answer.statusText}`);
}

/** Rejects as soon as one of them does, and never resolves. @param {Promise<unknown>[]} promises @returns {Promise<never>} */
async function failing(promises) {
  await Promise.all(promises);
  return new Promise(() => {});
}
