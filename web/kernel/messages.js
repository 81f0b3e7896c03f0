// What the page, the kernel's frame and its worker say to each other beside the JSON-RPC conversation.

/**
 * @typedef {"restored" | "kept" | "dropped"} SnapshotState Python started from its memory snapshot; there is one for the
 *   next start; it didn't restore and was deleted
 *
 * The memory of a beat is Python's, `used` and `quota` are the storage of the kernel's origin, where the browser says; in bytes.
 *
 * @typedef {{ type: "progress", stage: string, fraction: number }
 *   | { type: "ready" }
 *   | { type: "snapshot", state: SnapshotState }
 *   | { type: "failed", reason: string }
 *   | { type: "closed" }
 *   | { type: "beat", memory: number, used: number | null, quota: number | null }
 *   | { type: "died", reason: string }
 *   | { type: "files", problem: string | null }} WorkerMessage
 *
 * The frame passes these on, and adds what it notices itself: the worker is too busy to answer, or answers again; it is
 * stuck; it didn't stop what it was told to stop.
 *
 * @typedef {WorkerMessage
 *   | { type: "silent", silent: boolean }
 *   | { type: "stuck" }
 *   | { type: "unstopped" }
 *   | { type: "network", facts: import("../network_door/call.js").Facts, words: object }
 *   | { type: "moved", id: number, done: boolean, reason?: string }} FrameMessage
 *
 * A `network` comes with a port, where the page answers whether the request may be sent.
 *
 * @typedef {{ key: string, door: string | null, worker: string | null }} NetworkPlan by what key the page is asked; the
 *   door's address, or else the service worker that is one
 *
 * All that the page asks of the frame. `start` comes with the ports of `StartPorts`, in that order.
 *
 * @typedef {{ type: "start", network: NetworkPlan }
 *   | { type: "end" }
 *   | { type: "close" }
 *   | { type: "stop", id: number, what: "terminal" | "request", number: number }
 *   | { type: "heard", id: number }
 *   | { type: "terminal", terminal: string }
 *   | { type: "companion" }
 *   | { type: "move", id: number, step: import("./move.js").Step }} FrameCommand
 *
 * @typedef {[connection: MessagePort, documents: MessagePort, blobs: MessagePort]} StartPorts
 */

export {};
