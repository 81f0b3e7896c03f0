// What the kernel's worker tells the page beside the JSON-RPC conversation.

/**
 * @typedef {"restored" | "kept" | "dropped"} SnapshotState Python started from its memory snapshot; there is one for the
 *   next start; it didn't restore and was deleted
 *
 * The memory of a beat is Python's, in bytes.
 *
 * @typedef {{ type: "progress", stage: string, fraction: number }
 *   | { type: "ready" }
 *   | { type: "snapshot", state: SnapshotState }
 *   | { type: "failed", reason: string }
 *   | { type: "closed" }
 *   | { type: "beat", memory: number }
 *   | { type: "died", reason: string }
 *   | { type: "files", problem: string | null }} WorkerMessage
 */

export {};
