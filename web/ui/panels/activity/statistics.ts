/** The number and latency of calls in each of the last minutes. */

import type { CallRow } from "../../../generated/types.ts";

export const MINUTES = 15;
const MINUTE_MS = 60_000;

export interface Minute {
  /** milliseconds since the epoch */
  start: number;
  calls: number;
  failed: number;
  /** milliseconds; null if no call ended */
  median: number | null;
  p95: number | null;
}

/**
 * @param now - milliseconds since the epoch
 * @returns oldest first
 */
export function lastMinutes(calls: CallRow[], now: number): Minute[] {
  const last = Math.floor(now / MINUTE_MS);
  const bins: CallRow[][] = Array.from({ length: MINUTES }, () => []);
  for (const call of calls) {
    const age = last - Math.floor(Date.parse(call.started) / MINUTE_MS);
    if (age >= 0 && age < MINUTES) bins[MINUTES - 1 - age]?.push(call);
  }
  return bins.map((bin, index) => ({
    start: (last - MINUTES + 1 + index) * MINUTE_MS,
    calls: bin.length,
    failed: bin.filter(({ ok }) => ok === false).length,
    ...latency(bin),
  }));
}

/** Return percentiles by the nearest-rank method. */
export function latency(calls: CallRow[]): { median: number | null; p95: number | null } {
  const took = calls.flatMap(({ duration_ms }) => duration_ms ?? []).sort((left, right) => left - right);
  const rank = (share: number) => took[Math.max(0, Math.ceil(share * took.length) - 1)] ?? null;
  return { median: rank(0.5), p95: rank(0.95) };
}
