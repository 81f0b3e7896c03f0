/**
 * What durable files can fail with. Facts are attributes; nothing needs to be read out of a message.
 *
 * DurabilityError
 * ├── StorageUnavailable   opening failed: `reason` says why; the surface goes on in memory
 * └── ChangesNotSaved      a commit failed: the changes stay in memory and are tried again
 *     └── StorageFull      … because the browser's quota or the disk is used up
 */

export class DurabilityError extends Error {
  /** @override */
  name = "DurabilityError";
}

/**
 * Why files can't be kept.
 * - `insecure`: the page is not a secure context (https or localhost).
 * - `unsupported`: the browser has no origin private file system.
 * - `not-a-worker`: synchronous handles exist in dedicated workers only.
 * - `denied`: the browser refuses storage to this page (private windows, blocked cookies).
 * - `owned-by-another-tab`: somebody else held the files for the whole waiting time.
 * - `newer-format`: a later version of this project wrote the files.
 * - `full`: no room to begin.
 * @typedef {"insecure" | "unsupported" | "not-a-worker" | "denied" | "owned-by-another-tab" | "newer-format"
 *   | "full"} UnavailableReason
 */

export class StorageUnavailable extends DurabilityError {
  /** @override */
  name = "StorageUnavailable";

  /**
   * @param {UnavailableReason} reason
   * @param {string} message
   * @param {unknown} [cause]
   */
  constructor(reason, message, cause) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** How many names an error carries; `count` tells the rest. */
const NAMES_KEPT = 100;

export class ChangesNotSaved extends DurabilityError {
  /** @override */
  name = "ChangesNotSaved";

  /**
   * @param {string} why one sentence, without the names
   * @param {string[]} paths everything that was not saved: written, changed or removed
   * @param {unknown} cause
   */
  constructor(why, paths, cause) {
    const shown = paths.slice(0, 3).join(", ");
    const rest = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
    super(`${why} Not saved, but kept in memory: ${shown}${rest}.`, { cause });
    /** Absolute paths, the first hundred. */
    this.unsaved = paths.slice(0, NAMES_KEPT);
    /** How many files and directories in all. */
    this.count = paths.length;
  }
}

export class StorageFull extends ChangesNotSaved {
  /** @override */
  name = "StorageFull";
}

/**
 * @param {unknown} error
 * @returns {boolean} whether the browser's quota or the disk is used up
 */
export function isQuotaError(error) {
  return error instanceof Error && error.name === "QuotaExceededError";
}
