/**
 * The errors of durable files. Their facts are properties, so callers needn't parse messages.
 *
 * DurabilityError
 * ├── StorageUnavailable   opening failed, see `reason`; the surface continues in memory
 * └── ChangesNotSaved      a commit failed; the changes stay in memory until the next commit
 *     └── StorageFull      … because the browser's quota or the disk is full
 */

/** The base class of all errors of durable files. */
class DurabilityError extends Error {
  override name = "DurabilityError";
}

/**
 * The reason why files can't be saved.
 * - `insecure`: the page is not a secure context (https or localhost).
 * - `unsupported`: the browser has no origin private file system.
 * - `not-a-worker`: synchronous handles exist in dedicated workers only.
 * - `denied`: the browser denies storage to this page (private windows, blocked cookies).
 * - `owned-by-another-tab`: another tab or worker held the files during the entire wait.
 * - `newer-format`: a later version of this project wrote the files.
 * - `full`: the storage has no space for a new journal.
 */
type UnavailableReason =
  | "insecure"
  | "unsupported"
  | "not-a-worker"
  | "denied"
  | "owned-by-another-tab"
  | "newer-format"
  | "full";

/** Durable files can't be opened. */
export class StorageUnavailable extends DurabilityError {
  override name = "StorageUnavailable";
  reason: UnavailableReason;

  constructor(reason: UnavailableReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** The limit of names in an error. `count` includes the others. */
const MAX_NAMES = 100;

/** A commit failed. */
export class ChangesNotSaved extends DurabilityError {
  override name = "ChangesNotSaved";
  /** The first hundred absolute paths. */
  unsaved: string[];
  /** The number of all unsaved files and directories. */
  count: number;

  /**
   * @param why - one sentence, without the names
   * @param paths - of all unsaved changes: created, changed or removed files
   */
  constructor(why: string, paths: string[], cause: unknown) {
    const shown = paths.slice(0, 3).join(", ");
    const rest = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
    super(`${why} Not saved, but still in memory: ${shown}${rest}.`, { cause });
    this.unsaved = paths.slice(0, MAX_NAMES);
    this.count = paths.length;
  }
}

/** A commit failed because the browser's quota or the disk is full. */
export class StorageFull extends ChangesNotSaved {
  override name = "StorageFull";
}

/** @returns whether the browser's quota or the disk is full */
export function isQuotaError(error: unknown): boolean {
  return error instanceof Error && error.name === "QuotaExceededError";
}
