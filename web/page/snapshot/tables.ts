// Guesses whether a table is for data or for layout, as Chromium does.

const SIDES = ["borderTopWidth", "borderRightWidth", "borderBottomWidth", "borderLeftWidth"] as const;
const MANY_ROWS = 20;
/** Attributes that only data cells have. */
const OF_DATA = ["headers", "abbr", "axis", "scope"];

export function isDataTable(table: HTMLTableElement) {
  const { tHead, tFoot, caption, rows } = table;
  if (table.hasAttribute("role") || tHead || tFoot || caption || rows.length >= MANY_ROWS) return true;
  if (table.getAttributeNames().some((name) => name === "rules" || name === "summary" || name.startsWith("aria-")))
    return true;
  if (table.querySelector(":scope > col, :scope > colgroup")) return true;
  const cells = [...rows].flatMap((row) => [...row.cells]);
  if (cells.length < 2) return false;
  return cells.some(isOfData) || hasBorders(cells) || hasBackgrounds(table, cells);
}

function isOfData(cell: HTMLTableCellElement) {
  return cell.localName === "th" || OF_DATA.some((name) => cell.hasAttribute(name));
}

/** Return whether half of the cells have a border on the same side. */
function hasBorders(cells: HTMLTableCellElement[]) {
  const styles = cells.map((cell) => getComputedStyle(cell));
  return SIDES.some((side) => styles.filter((style) => style[side] !== "0px").length >= cells.length >> 1);
}

/** Return whether half of the cells have another background than the table. */
function hasBackgrounds(table: HTMLTableElement, cells: HTMLTableCellElement[]) {
  const { backgroundColor, borderSpacing } = getComputedStyle(table);
  if (/^0px( 0px)?$/.test(borderSpacing)) return false;
  const other = cells.filter(
    (cell) => ![backgroundColor, "rgba(0, 0, 0, 0)"].includes(getComputedStyle(cell).backgroundColor),
  );
  return other.length >= cells.length >> 1;
}
