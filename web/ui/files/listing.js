/**
 * The entries of a directory as a person wants them: filtered, and in an order.
 *
 * @import { FileEntry } from "../types.js"
 */

export const COLUMNS = /** @type {const} */ (["name", "size", "type", "modified"]);

/** @typedef {typeof COLUMNS[number]} Column */
/** @typedef {{column: Column, descending: boolean}} Order */

const NAMES = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** @type {Record<Column, (one: FileEntry, other: FileEntry) => number>} */
const COMPARE = {
  name: () => 0,
  size: (one, other) => sizeOf(one) - sizeOf(other),
  type: (one, other) => NAMES.compare(one.type, other.type),
  modified: (one, other) => Number(one.modified > other.modified) - Number(one.modified < other.modified),
};

/**
 * Directories stay first whatever the order; what is equal is by name.
 *
 * @param {FileEntry[]} entries
 * @param {Order} order
 * @param {string} filter what names hold, in any case
 * @returns {FileEntry[]}
 */
export function arrange(entries, { column, descending }, filter) {
  const wanted = filter.trim().toLowerCase();
  const sign = descending ? -1 : 1;
  return entries
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((one, other) =>
      Number(isDirectory(other)) - Number(isDirectory(one))
      || sign * COMPARE[column](one, other)
      || (column === "name" ? sign : 1) * NAMES.compare(one.name, other.name)
      || (one.name < other.name ? -1 : 1));
}

/** @param {FileEntry} entry */
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
 * @param {string} name or a path, absolute or from there
 */
export function joined(directory, name) {
  return name.startsWith("/") ? name : `${directory.replace(/\/$/, "")}/${name}`;
}

/** @param {FileEntry} entry a directory's own size says nothing */
function sizeOf(entry) {
  return isDirectory(entry) ? -1 : entry.size;
}
