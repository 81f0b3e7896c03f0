/**
 * The number and latency of calls in each of the last minutes.
 *
 * @import { CallRow } from "../../generated/types.js"
 */

export const MINUTES = 15;
const MINUTE_MS = 60_000;

/**
 * @typedef {object} Minute
 * @property {number} start milliseconds since the epoch
 * @property {number} calls
 * @property {number} failed
 * @property {number | null} median milliseconds; null if no call ended
 * @property {number | null} p95
 */

/**
 * @param {CallRow[]} calls
 * @param {number} now milliseconds since the epoch
 * @returns {Minute[]} oldest first
 */
export function lastMinutes(calls, now) {
  const last = Math.floor(now / MINUTE_MS);
  /** @type {CallRow[][]} */
  const bins = Array.from({ length: MINUTES }, () => []);
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

/** Return percentiles by the nearest-rank method. @param {CallRow[]} calls @returns {{median: number | null, p95: number | null}} */
export function latency(calls) {
  const took = calls.flatMap(({ duration_ms }) => duration_ms ?? []).sort((left, right) => left - right);
  const rank = (/** @type {number} */ share) => took[Math.max(0, Math.ceil(share * took.length) - 1)] ?? null;
  return { median: rank(0.5), p95: rank(0.95) };
}
