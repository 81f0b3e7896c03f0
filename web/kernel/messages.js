// What the kernel's worker tells the page beside the JSON-RPC conversation.

/** @import { SnapshotState } from "./snapshot.js" */

/**
 * @typedef {{ type: "progress", stage: string, fraction: number }
 *   | { type: "ready" }
 *   | { type: "snapshot", state: SnapshotState }
 *   | { type: "failed", reason: string }
 *   | { type: "closed" }
 *   | { type: "died", reason: string }
 *   | { type: "files", problem: string | null }} WorkerMessage
 */

export {};
