/**
 * Filtering calls, counting them, and exporting them to files.
 *
 * @import { CallRow } from "../../generated/types.js"
 */

/** @typedef {"running" | "done" | "failed"} Status */
/** @typedef {"status" | "caller" | "effect" | "tool"} Facet */
/** @typedef {Record<Facet, string>} Filters empty strings match everything */

/** @type {Facet[]} */
export const FACETS = ["status", "caller", "effect", "tool"];
const COLUMNS = /** @type {const} */ (["started", "tool", "caller", "effect", "status", "duration_ms", "arguments", "result"]);

/** Return a call's key on the page. Ids alone repeat after a restart of the kernel. @param {CallRow} call */
export function keyOf({ id, started }) {
  return `${started} ${id}`;
}

/** @param {CallRow} call @returns {Status} */
export function statusOf({ ok }) {
  return ok === null ? "running" : ok ? "done" : "failed";
}

/** @param {CallRow} call @param {Facet} facet @returns {string} */
function facetOf(call, facet) {
  return facet === "status" ? statusOf(call) : call[facet];
}

/**
 * @param {CallRow[]} calls
 * @param {Filters} filters
 * @param {string} text words that a call must all contain
 * @returns {CallRow[]}
 */
export function matching(calls, filters, text) {
  const wanted = FACETS.filter((facet) => filters[facet] !== "");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return calls.filter((call) => wanted.every((facet) => facetOf(call, facet) === filters[facet])
    && (words.length === 0 || has(call, words)));
}

/** @param {CallRow} call @param {string[]} words */
function has(call, words) {
  const { tool, caller, effect, arguments: given, result_preview: result } = call;
  const text = [tool, caller, effect, statusOf(call), JSON.stringify(given), result].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * Count the calls for each value of a facet, most frequent first.
 *
 * @param {CallRow[]} calls
 * @param {Facet} facet
 * @returns {[value: string, count: number][]}
 */
export function counts(calls, facet) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const call of calls) found.set(facetOf(call, facet), (found.get(facetOf(call, facet)) ?? 0) + 1);
  return [...found].sort(([left, count], [right, other]) => other - count || left.localeCompare(right));
}

/** Return a call's row for export. The result is the log's preview. @param {CallRow} call */
export function exported(call) {
  const { id, started, tool, caller, effect, arguments: given, duration_ms, result_preview } = call;
  return { id, started, tool, caller, effect, status: statusOf(call), duration_ms, arguments: given, result: result_preview };
}

/** Return the calls as CSV (RFC 4180). @param {CallRow[]} calls */
export function asCsv(calls) {
  const rows = calls.map(exported).map((row) => COLUMNS.map((column) => cell(row[column])));
  return [COLUMNS, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

/** @param {unknown} value */
function cell(value) {
  const text = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
  // A spreadsheet would treat these beginnings as a formula.
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
