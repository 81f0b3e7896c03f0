// What the kernel's worker tells the page beside the JSON-RPC conversation.

/**
 * @typedef {{ type: "progress", stage: string, fraction: number }
 *   | { type: "ready" }
 *   | { type: "failed", reason: string }
 *   | { type: "closed" }
 *   | { type: "died", reason: string }
 *   | { type: "files", problem: string | null }} WorkerMessage
 */

export {};
