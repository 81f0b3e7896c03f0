// The messages between the page, the kernel's frame and its worker, except for JSON-RPC.

import type { Facts } from "../network_door/call.ts";
import type { Step } from "./move.ts";

/**
 * "restored": Python started from its memory snapshot; "saved": a snapshot was saved for the next start; "dropped": the
 * snapshot was damaged, not ours or unusable, and was deleted. In a `beat`, `memory` is Python's, `machines` the
 * memory of the Linux machines, and `used` and `quota` are the storage of the kernel's origin if the browser reports
 * it; all in bytes.
 */
export type SnapshotState = "restored" | "saved" | "dropped";

/**
 * The frame forwards these except for `dying`, the worker's last words, which nothing depends on, and `loads`: code of
 * the surface's own begins to load (1) or has loaded (-1), which may take longer than a beat. It adds its own: the
 * worker has ended (`died`), with the last words if any; it doesn't answer, or answers again (`silent`); it is `stuck`;
 * it didn't obey a stop (`unstopped`); its script wasn't loaded (`unloaded`). `made`: another worker, which ran no code
 * of the user, has made a snapshot. `pong` answers a `ping`, also while the worker is busy.
 */
export type WorkerMessage =
  | { type: "progress"; stage: string; fraction: number }
  | { type: "ready" }
  | { type: "snapshot"; state: SnapshotState }
  | { type: "failed"; reason: string }
  | { type: "closed" }
  | { type: "beat"; memory: number; machines: number; used: number | null; quota: number | null }
  | { type: "dying"; reason: string }
  | { type: "loads"; change: number }
  | { type: "files"; problem: string | null };

/** A `network` message has a port, on which the page answers whether the request may be sent. */
export type FrameMessage =
  | Exclude<WorkerMessage, { type: "dying" | "loads" }>
  | { type: "died"; words: string }
  | { type: "made"; digest: string }
  | { type: "silent"; silent: boolean }
  | { type: "stuck" }
  | { type: "unloaded" }
  | { type: "unstopped" }
  | { type: "pong" }
  | { type: "network"; facts: Facts; words: object }
  | { type: "moved"; id: number; done: boolean; reason?: string };

/**
 * `key`: identifies the page to the door; `door`: the door's URL; `worker`: without `door`, the script of a service
 * worker with a door, null for the registered one The page's commands to the frame. `start` has the ports of
 * `StartPorts`, in that order, and the digest of the snapshot that Python may start from; `bare` starts without code in
 * saved files; `make` has the frame make one; `heard` ends the stop `id`.
 */
export type NetworkPlan = { key: string; door: string | null; worker: string | null };

export type FrameCommand =
  | { type: "start"; network: NetworkPlan; snapshot: string | null; bare: boolean }
  | { type: "make" }
  | { type: "end" }
  | { type: "close" }
  | { type: "ping" }
  | { type: "stop"; id: number; what: "terminal" | "request"; number: number }
  | { type: "heard"; id: number }
  | { type: "terminal"; terminal: string }
  | { type: "companion" }
  | { type: "move"; id: number; step: Step };

export type StartPorts = [connection: MessagePort, documents: MessagePort, blobs: MessagePort];
