/**
 * What a person can do here, as tool calls. The only module of the page that names tools.
 *
 * @import { Exported, Failure, Imported, Wire } from "./types.js"
 */

import { ask, callTool } from "./call.js";

const SHOWN_BYTES = 512 * 1024;

/** @typedef {{success: boolean, files_count: number}} Navigated */
/** @typedef {{content: string, truncated: boolean, encoding?: string}} FileContent */
/** @typedef {{terminal_id: string}} CreatedTerminal */
/** @typedef {{result: unknown, stdout: string, stderr: string}} PythonOutcome */

/**
 * @typedef {object} Actions
 * @property {(path: string) => Promise<Navigated | Failure>} navigate
 * @property {(path: string) => Promise<FileContent | Failure>} readFile
 * @property {() => Promise<CreatedTerminal | Failure>} newTerminal
 * @property {(id: string) => Promise<unknown>} focusTerminal
 * @property {(id: string) => Promise<unknown>} closeTerminal
 * @property {(code: string, signal: AbortSignal) => Promise<PythonOutcome | Failure>} runPython
 * @property {() => Promise<Exported | Failure>} exportAll
 * @property {(url: string) => Promise<Imported | Failure>} importAll from a `blob:` address
 */

/**
 * @param {Wire} connection
 * @returns {Actions}
 */
export function createActions(connection) {
  /** @type {(name: string, args: object, signal?: AbortSignal) => Promise<any>} */
  const call = (name, args, signal) => callTool(connection, name, args, { caller: "person", signal });
  return {
    navigate: (path) => call("file_navigate", { path }),
    readFile: (path) => call("file_read", { path, max_bytes: SHOWN_BYTES }),
    newTerminal: () => call("terminal_create", {}),
    focusTerminal: (id) => call("terminal_focus", { terminal_id: id }),
    closeTerminal: (id) => call("terminal_close", { terminal_id: id }),
    runPython: (code, signal) => call("python_run", { code }, signal),
    exportAll: () => ask(connection, "storage/export", {}),
    importAll: (url) => ask(connection, "storage/import", { url }),
  };
}
