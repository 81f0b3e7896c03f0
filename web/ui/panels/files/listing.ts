/** The entries of a directory, filtered and sorted. */

import type { FileRow } from "../../../generated/types.ts";

export const COLUMNS = ["name", "size", "type", "modified"] as const;

export type Column = (typeof COLUMNS)[number];

export type Order = { column: Column; descending: boolean };

const NAMES = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

const COMPARE: Record<Column, (left: FileRow, right: FileRow) => number> = {
  name: () => 0,
  size: (left, right) => sizeOf(left) - sizeOf(right),
  type: (left, right) => NAMES.compare(left.type, right.type),
  modified: (left, right) => Number(left.modified > right.modified) - Number(left.modified < right.modified),
};

/**
 * Filter and sort entries. Directories come first in any order; ties are sorted by name.
 *
 * @param filter - text that names must contain, in any case
 */
export function arrange(entries: FileRow[], { column, descending }: Order, filter: string): FileRow[] {
  const wanted = filter.trim().toLowerCase();
  const sign = descending ? -1 : 1;
  return entries
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort(
      (left, right) =>
        Number(isDirectory(right)) - Number(isDirectory(left)) ||
        sign * COMPARE[column](left, right) ||
        (column === "name" ? sign : 1) * NAMES.compare(left.name, right.name) ||
        (left.name < right.name ? -1 : 1),
    );
}

export function isDirectory({ type }: FileRow) {
  return type === "directory";
}

/** @param path - absolute */
export function parentOf(path: string) {
  return path.replace(/\/+$/, "").replace(/\/[^/]*$/, "") || "/";
}

/** @param path - absolute */
export function nameOf(path: string) {
  return path.slice(path.lastIndexOf("/") + 1) || "/";
}

/**
 * @param directory - absolute
 * @param name - or a path, absolute or relative to the directory
 */
export function joined(directory: string, name: string) {
  return name.startsWith("/") ? name : `${directory.replace(/\/$/, "")}/${name}`;
}

/** @param entry - a directory's own size is meaningless */
function sizeOf(entry: FileRow) {
  return isDirectory(entry) ? -1 : entry.size;
}
