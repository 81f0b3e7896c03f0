/**
 * Types for the parts of Pyodide that the kernel uses, of which its own have no private ones
 * (https://pyodide.org/en/stable/usage/api/js-api.html).
 */

import type { EmscriptenModule, FileSystem } from "./emscripten.ts";

export interface PyodideModule extends EmscriptenModule {
  /** of the C library */
  _tzset(): void;
  /** a pointer to the names in winter and in summer */
  _tzname: number | WebAssembly.Global;
  stringToUTF8(text: string, place: number, most: number): void;
  /** whether this thread has Python's lock */
  _PyGILState_Check(): number;
}

/** of Emscripten's module, before it starts */
export interface ModuleSettings extends EmscriptenModule {
  dynamicLibraries: string[];
  locateFile(name: string): string;
  instantiateWasm(imports: Imports, done: (instance: WebAssembly.Instance) => void): object;
}

export interface Imports {
  env: Record<string, Function>;
}

export interface Pyodide {
  FS: FileSystem;
  _module: PyodideModule;
  _api: {
    config: { _loadSnapshot?: unknown };
    /** called on errors that Pyodide can't continue after */
    on_fatal: (error: unknown) => void;
  };
  loadedPackages: Record<string, string>;
  /** @returns a proxy of a module, whose type the caller knows */
  pyimport<Module>(name: string): Module;
  registerJsModule(name: string, module: object): void;
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
}
