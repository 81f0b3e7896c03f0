/**
 * The entries of a directory, filtered and sorted.
 *
 * @import { FileRow } from "../../generated/types.js"
 */

export const COLUMNS = /** @type {const} */ (["name", "size", "type", "modified"]);

/** @typedef {typeof COLUMNS[number]} Column */
/** @typedef {{column: Column, descending: boolean}} Order */

const NAMES = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** @type {Record<Column, (left: FileRow, right: FileRow) => number>} */
const COMPARE = {
  name: () => 0,
  size: (left, right) => sizeOf(left) - sizeOf(right),
  type: (left, right) => NAMES.compare(left.type, right.type),
  modified: (left, right) => Number(left.modified > right.modified) - Number(left.modified < right.modified),
};

/**
 * Filter and sort entries. Directories come first in any order; ties are sorted by name.
 *
 * @param {FileRow[]} entries
 * @param {Order} order
 * @param {string} filter text that names must contain, in any case
 * @returns {FileRow[]}
 */
export function arrange(entries, { column, descending }, filter) {
  const wanted = filter.trim().toLowerCase();
  const sign = descending ? -1 : 1;
  return entries
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((left, right) =>
      Number(isDirectory(right)) - Number(isDirectory(left))
      || sign * COMPARE[column](left, right)
      || (column === "name" ? sign : 1) * NAMES.compare(left.name, right.name)
      || (left.name < right.name ? -1 : 1));
}

/** @param {FileRow} entry */
export function isDirectory({ type }) {
  return type === "directory";
}

/** @param {string} path absolute */
export function parentOf(path) {
  return path.replace(/\/+$/, "").replace(/\/[^/]*$/, "") || "/";
}

/** @param {string} path absolute */
export function nameOf(path) {
  return path.slice(path.lastIndexOf("/") + 1) || "/";
}

/**
 * @param {string} directory absolute
 * @param {string} name or a path, absolute or relative to the directory
 */
export function joined(directory, name) {
  return name.startsWith("/") ? name : `${directory.replace(/\/$/, "")}/${name}`;
}

/** @param {FileRow} entry a directory's own size is meaningless */
function sizeOf(entry) {
  return isDirectory(entry) ? -1 : entry.size;
}
