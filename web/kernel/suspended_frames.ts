// Hides the frames of suspended stacks from Python's garbage collector.
//
// Its increments (Python 3.14.0 to 3.14.4) follow each thread's frames, and in Pyodide each stack that can be suspended has
// its own thread. Some of the frames of a suspended stack lie in memory that another stack has overwritten meanwhile, so the
// collector runs in circles or out of the memory. Pyodide's own remedy is the same (https://github.com/pyodide/pyodide/pull/6466);
// with a release that has it, this module can go.

import type { ModuleSettings } from "./pyodide.ts";

/** The releases without the remedy, and where `current_frame` is in their `PyThreadState`, in words of 4 bytes. */
const PLACES = new Map<string, number>([["314.0.7", 13]]);

/** what Pyodide saves of a stack; another value is its mark for errors */
type State = { threadState: number; frame?: number };

/**
 * Hide the frames while a stack is suspended. Call this before Emscripten's module is created.
 * @param settings - of the module, which becomes the module
 * @param version - Pyodide's
 */
export function hideSuspendedFrames(settings: ModuleSettings, version: string) {
  const place = PLACES.get(version);
  if (place === undefined) return;
  const { instantiateWasm } = settings;
  settings.instantiateWasm = (imports, done) => {
    const { saveState, restoreState } = imports.env;
    const words = () => new Uint32Array(settings.HEAP8.buffer);
    imports.env.saveState = () => {
      const state: State = saveState();
      if (!state?.threadState) return state;
      const at = state.threadState / 4 + place;
      state.frame = words()[at] ?? 0;
      words()[at] = 0;
      return state;
    };
    imports.env.restoreState = (state: State) => {
      if (state.frame !== undefined) words()[state.threadState / 4 + place] = state.frame;
      restoreState(state);
    };
    return instantiateWasm(imports, done);
  };
}
