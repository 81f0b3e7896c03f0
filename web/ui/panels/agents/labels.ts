/** Labels for runs that several views show. */

import type { RunRow } from "../../../generated/types.ts";

export function statusLabel({ status, busy, held, taken_over: taken }: RunRow) {
  if (taken) return busy ? "yours after this step" : "under your control";
  if (status === "paused") return busy ? "pausing after this step" : "paused";
  if (status === "waiting") return held ? "waiting for you, then pauses" : "waiting for you";
  if (status === "budget") return "budget used up";
  if (status === "answered") return "answered without acting";
  return status;
}

export function isOver({ status }: RunRow) {
  return ["done", "answered", "failed", "budget", "cancelled"].includes(status);
}

/** @param cost - in US dollars */
export function money(cost: number | null) {
  if (cost === null) return null;
  return cost === 0 ? "$0" : `$${cost < 0.01 ? cost.toPrecision(2) : cost.toFixed(2)}`;
}
