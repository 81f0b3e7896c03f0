// Files of Python's packages that a start doesn't need (builder/preinstall.py). They load when the kernel is idle, or as
// soon as a call needs them.

import type { IdleWatch } from "./idle.ts";

// The first calls get the connection for themselves: a client that waits for the start makes them before this.
const PROGRAMS_IDLE_MS = 1_000;
// No call waits for these.
const SOURCES_IDLE_MS = 2_000;

export interface Deferred {
  /** the shell's commands, and modules that only users' programs and packages import */
  programs: DeferredFiles;
  /** what tracebacks and `inspect` show */
  sources: DeferredFiles;
}

/** The files of one archive. */
export class DeferredFiles {
  /** True when they are in Python's filesystem. */
  loaded = false;
  #unpack: () => Promise<void>;
  #loading: Promise<void> | null = null;

  /** @param unpack - downloads and unpacks them */
  constructor(unpack: () => Promise<void>) {
    this.#unpack = unpack;
  }

  /**
   * Load them once. A call after a failure tries again.
   * @returns shared by concurrent callers
   */
  load(): Promise<void> {
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

/** Load all deferred files while the kernel is idle. */
export async function loadWhenIdle({ programs, sources }: Deferred, idle: IdleWatch) {
  await idle.wait(PROGRAMS_IDLE_MS);
  await programs.load();
  await idle.wait(SOURCES_IDLE_MS);
  await sources.load();
}
