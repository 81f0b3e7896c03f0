/** Filtering calls, counting them, and exporting them to files. */

import { callerName } from "../../lib/caller_names.ts";
import type { CallRow } from "../../../generated/types.ts";

type Status = "running" | "done" | "failed";

export type Facet = "status" | "caller" | "effect" | "tool";

/** empty strings match everything */
export type Filters = Record<Facet, string>;

export const FACETS: Facet[] = ["status", "caller", "effect", "tool"];
const COLUMNS = ["started", "tool", "caller", "effect", "status", "duration_ms", "arguments", "result"] as const;

/** Return a call's key on the page. Ids alone repeat after a restart of the kernel. */
export function keyOf({ id, started }: CallRow) {
  return `${started} ${id}`;
}

export function statusOf({ ok }: CallRow): Status {
  return ok === null ? "running" : ok ? "done" : "failed";
}

function facetOf(call: CallRow, facet: Facet): string {
  return facet === "status" ? statusOf(call) : call[facet];
}

/** @param text - words that a call must all contain */
export function matching(calls: CallRow[], filters: Filters, text: string): CallRow[] {
  const wanted = FACETS.filter((facet) => filters[facet] !== "");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return calls.filter(
    (call) =>
      wanted.every((facet) => facetOf(call, facet) === filters[facet]) && (words.length === 0 || has(call, words)),
  );
}

function has(call: CallRow, words: string[]) {
  const { tool, caller, effect, arguments: given, result_preview: result } = call;
  const text = [tool, caller, callerName(caller), effect, statusOf(call), JSON.stringify(given), result]
    .join("\n")
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Count the calls for each value of a facet, most frequent first. */
export function counts(calls: CallRow[], facet: Facet): [value: string, count: number][] {
  const found = new Map<string, number>();
  for (const call of calls) found.set(facetOf(call, facet), (found.get(facetOf(call, facet)) ?? 0) + 1);
  return [...found].sort(([left, count], [right, other]) => other - count || left.localeCompare(right));
}

/** Return a call's row for export. The result is the log's preview. */
export function exported(call: CallRow) {
  const { id, started, tool, caller, effect, arguments: given, duration_ms, result_preview } = call;
  return {
    id,
    started,
    tool,
    caller,
    effect,
    status: statusOf(call),
    duration_ms,
    arguments: given,
    result: result_preview,
  };
}

/** Return the calls as CSV (RFC 4180). */
export function asCsv(calls: CallRow[]) {
  const rows = calls.map(exported).map((row) => COLUMNS.map((column) => cell(row[column])));
  return [COLUMNS, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

function cell(value: unknown) {
  const text = typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
  // A spreadsheet would treat these beginnings as a formula.
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
