// Whether a table holds data or is there for the layout, which nothing in HTML says: as Chromium guesses.

const SIDES = ["borderTopWidth", "borderRightWidth", "borderBottomWidth", "borderLeftWidth"];
const MANY_ROWS = 20;
/** Attributes that only cells of data have. */
const OF_DATA = ["headers", "abbr", "axis", "scope"];

/** @param {HTMLTableElement} table */
export function isDataTable(table) {
  const { tHead, tFoot, caption, rows } = table;
  if (table.hasAttribute("role") || tHead || tFoot || caption || rows.length >= MANY_ROWS) return true;
  if (table.getAttributeNames().some((name) => name === "rules" || name === "summary" || name.startsWith("aria-"))) return true;
  if (table.querySelector(":scope > col, :scope > colgroup")) return true;
  const cells = [...rows].flatMap((row) => [...row.cells]);
  if (cells.length < 2) return false;
  return cells.some(isOfData) || hasBorders(cells) || hasBackgrounds(table, cells);
}

/** @param {HTMLTableCellElement} cell */
function isOfData(cell) {
  return cell.localName === "th" || OF_DATA.some((name) => cell.hasAttribute(name));
}

/** Whether half of the cells have a border on the same side. @param {HTMLTableCellElement[]} cells */
function hasBorders(cells) {
  const styles = /** @type {any[]} */ (cells.map((cell) => getComputedStyle(cell)));
  return SIDES.some((side) => styles.filter((style) => style[side] !== "0px").length >= cells.length >> 1);
}

/** Whether half of the cells stand out from the table. @param {HTMLTableElement} table @param {HTMLTableCellElement[]} cells */
function hasBackgrounds(table, cells) {
  const { backgroundColor, borderSpacing } = getComputedStyle(table);
  if (/^0px( 0px)?$/.test(borderSpacing)) return false;
  const other = cells.filter((cell) => ![backgroundColor, "rgba(0, 0, 0, 0)"].includes(getComputedStyle(cell).backgroundColor));
  return other.length >= cells.length >> 1;
}
