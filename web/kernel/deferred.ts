// Files of Python's packages that a start doesn't need (builder/preinstall.py). They load when the kernel is idle, or as
// soon as a call or an import needs them.

import type { IdleWatch } from "./idle.ts";
import { messageOf } from "./system_errors.ts";

// The first calls get the connection for themselves: a client that waits for the start makes them before this.
const PROGRAMS_IDLE_MS = 2_000;
// No call waits for these.
const SOURCES_IDLE_MS = 2_000;

export interface Deferred {
  /** the shell's commands, and modules that a start doesn't import */
  programs: DeferredFiles;
  /** what tracebacks and `inspect` show */
  sources: DeferredFiles;
}

/** an archive, as start.json lists it */
export type Entry = { file: string; integrity: string };

/** The files of some archives. */
export class DeferredFiles {
  /** True when they are in Python's filesystem. */
  loaded = false;
  #entries: Entry[];
  #folder: string;
  #download: (entry: Entry) => Promise<ArrayBuffer>;
  #unpack: (archive: ArrayBuffer) => void;
  #loading: Promise<void> | null = null;

  /** @param folder - the address that they are below */
  constructor(
    entries: Entry[],
    folder: string,
    download: (entry: Entry) => Promise<ArrayBuffer>,
    unpack: (archive: ArrayBuffer) => void,
  ) {
    this.#entries = entries;
    this.#folder = folder;
    this.#download = download;
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

  /**
   * Load them before this returns, for an import, which can't wait.
   * @param digest - returns the SHA-256 of bytes in base64; the browser's own takes a promise
   * @throws {Error} a file is missing or damaged; the message names it
   */
  loadNow(digest: (bytes: Uint8Array) => string) {
    if (this.loaded) return;
    const archives = this.#entries.map(({ file, integrity }) => {
      const archive = downloadNow(file, this.#folder);
      if (`sha256-${digest(new Uint8Array(archive))}` !== integrity) throw new Error(`${file} is damaged`);
      return archive;
    });
    this.#finish(archives);
  }

  async #start() {
    try {
      this.#finish(await Promise.all(this.#entries.map(this.#download)));
    } catch (error) {
      this.#loading = null;
      throw error;
    }
  }

  #finish(archives: ArrayBuffer[]) {
    // An import may have loaded them meanwhile; programs may have changed them since.
    if (this.loaded) return;
    for (const archive of archives) this.#unpack(archive);
    this.loaded = true;
  }
}

function downloadNow(file: string, folder: string): ArrayBuffer {
  const request = new XMLHttpRequest();
  request.open("GET", folder + file, false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch (error) {
    throw new Error(`${file} could not be downloaded: ${messageOf(error)}`);
  }
  if (request.status !== 200) throw new Error(`${file} could not be downloaded: ${request.status}`);
  return request.response;
}

/** Load all deferred files while the kernel is idle. */
export async function loadWhenIdle({ programs, sources }: Deferred, idle: IdleWatch) {
  await idle.wait(PROGRAMS_IDLE_MS);
  await programs.load();
  await idle.wait(SOURCES_IDLE_MS);
  await sources.load();
}
