/**
 * Calls as they are looked through: which match, and how they are written to a file.
 *
 * @import { Call } from "../types.js"
 */

/** @typedef {"running" | "done" | "failed"} Status */
/** @typedef {"status" | "caller" | "effect" | "tool"} Facet */
/** @typedef {Record<Facet, string>} Chosen nothing where all are wanted */

/** @type {Facet[]} */
export const FACETS = ["status", "caller", "effect", "tool"];
const COLUMNS = /** @type {const} */ (["started", "tool", "caller", "effect", "status", "duration_ms", "arguments", "result"]);

/** A call's name on the page: a kernel that takes the place of a dead one may count anew. @param {Call} call */
export function keyOf({ id, started }) {
  return `${started} ${id}`;
}

/** @param {Call} call @returns {Status} */
export function statusOf({ ok }) {
  return ok === null ? "running" : ok ? "done" : "failed";
}

/** @param {Call} call @param {Facet} facet @returns {string} */
export function facetOf(call, facet) {
  return facet === "status" ? statusOf(call) : call[facet];
}

/**
 * @param {Call[]} calls
 * @param {Chosen} chosen
 * @param {string} text words that are all to be in a call
 * @returns {Call[]}
 */
export function matching(calls, chosen, text) {
  const wanted = FACETS.filter((facet) => chosen[facet] !== "");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return calls.filter((call) => wanted.every((facet) => facetOf(call, facet) === chosen[facet])
    && (words.length === 0 || has(call, words)));
}

/** @param {Call} call @param {string[]} words */
function has(call, words) {
  const { tool, caller, effect, arguments: given, result_preview: result } = call;
  const text = [tool, caller, effect, statusOf(call), JSON.stringify(given), result].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * How many calls there are of each value of a facet, the most frequent first.
 *
 * @param {Call[]} calls
 * @param {Facet} facet
 * @returns {[value: string, count: number][]}
 */
export function counts(calls, facet) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const call of calls) found.set(facetOf(call, facet), (found.get(facetOf(call, facet)) ?? 0) + 1);
  return [...found].sort(([one, many], [other, more]) => more - many || one.localeCompare(other));
}

/** A call as others read it: the result is what the log has of it. @param {Call} call */
export function told(call) {
  const { id, started, tool, caller, effect, arguments: given, duration_ms, result_preview } = call;
  return { id, started, tool, caller, effect, status: statusOf(call), duration_ms, arguments: given, result: result_preview };
}

/** As RFC 4180 has it. @param {Call[]} calls */
export function asCsv(calls) {
  const rows = calls.map(told).map((row) => COLUMNS.map((column) => cell(row[column])));
  return [COLUMNS, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

/** @param {unknown} value */
function cell(value) {
  const text = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
  // A spreadsheet takes what begins like this for a formula.
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
