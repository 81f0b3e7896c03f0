// Files of Python's packages that a start doesn't need (builder/preinstall.py). They load when the kernel is idle, or as
// soon as a call needs them.

/** @import { IdleWatch } from "./idle.js" */

// The first calls get the connection for themselves: a client that waits for the start makes them before this.
const PROGRAMS_IDLE_MS = 1_000;
// No call waits for these.
const SOURCES_IDLE_MS = 2_000;

/**
 * @typedef {object} Deferred
 * @property {DeferredFiles} programs the shell's commands, and modules that only users' programs and packages import
 * @property {DeferredFiles} sources what tracebacks and `inspect` show
 */

/** The files of one archive. */
export class DeferredFiles {
  /** True when they are in Python's filesystem. */
  loaded = false;
  #unpack;
  /** @type {Promise<void> | null} */
  #loading = null;

  /** @param {() => Promise<void>} unpack downloads and unpacks them */
  constructor(unpack) {
    this.#unpack = unpack;
  }

  /** Load them once. A call after a failure tries again. @returns {Promise<void>} shared by concurrent callers */
  load() {
    this.#loading ??= this.#start();
    return this.#loading;
  }

  async #start() {
    try {
      await this.#unpack();
      this.loaded = true;
    } catch (error) {
      this.#loading = null;
      throw error;
    }
  }
}

/** Load all deferred files while the kernel is idle. @param {Deferred} deferred @param {IdleWatch} idle */
export async function loadWhenIdle({ programs, sources }, idle) {
  await idle.wait(PROGRAMS_IDLE_MS);
  await programs.load();
  await idle.wait(SOURCES_IDLE_MS);
  await sources.load();
}
